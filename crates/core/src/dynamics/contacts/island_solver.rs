//! Positions and velocities of the units of one island.

use glam::Vec3;

use super::candidates::MovingUnits;
use super::impacts::{Impact, ImpactSolver};
use super::obstacle_solver::{ObstacleSolver, Wall};
use super::projection::{Constraint, FIXED, Projection};
use super::touches::Touches;
use crate::world::{Contact, Extrema};

/// Overlap that is accepted, relative to the reach.
const TOLERANCE: f32 = 5e-3;
/// Approach in a step that is accepted, relative to the accepted overlap.
const TOLERANCE_OF_SPEED: f32 = 0.05;
/// Maximum push in a step beyond the longest move in the island, relative to the radius.
const MAX_PUSH: f32 = 0.5;
/// Maximum distance of obstacles that a push may reach, relative to the radius.
const NEAR: f32 = 0.25;
/// Maximum number of times that walls of concave obstacles are added.
const MAX_WALL_ROUNDS: usize = 3;

/// The inputs of contacts of units, except for their motion.
pub(super) struct Setting<'a, M, W> {
    pub(super) moving: MovingUnits<'a>,
    pub(super) contact: Contact,
    pub(super) step: f32,
    /// The velocities before the step.
    pub(super) earlier: &'a [Vec3],
    /// The mass of a unit, above zero.
    pub(super) mass: M,
    /// The obstacles of a unit at a position, unless none is within a distance of it.
    pub(super) obstacles: W,
}

/// Solves one island. Buffers are reused by the next one.
#[derive(Clone, Debug, Default)]
pub(super) struct IslandSolver {
    /// The units of the island, from index 1; [`FIXED`] stands for the obstacles.
    units: Vec<usize>,
    /// For each unit of the world, its index in the island, or [`FIXED`].
    index: Vec<u32>,
    /// Inverse masses.
    weight: Vec<f32>,
    /// Displacements, then velocities.
    values: Vec<Vec3>,
    /// The projection of displacements: a constraint for each of `pairs`, then one for each of `walls`.
    projection: Projection,
    /// Indices of contacts.
    pairs: Vec<usize>,
    walls: Vec<Wall>,
    /// Units near obstacles that may need further walls.
    concave: Vec<u32>,
    levels: Levels,
    impacts: ImpactSolver,
}

impl IslandSolver {
    /// The units of the last island.
    pub(super) fn units(&self) -> impl Iterator<Item = usize> {
        self.units.iter().skip(1).copied()
    }

    /// Corrects displacements and velocities, and marks further pairs that are in contact. `contacts` are in an order
    /// that does not depend on the order of units.
    pub(super) fn solve<'a, M, W>(
        &mut self,
        setting: &Setting<'a, M, W>,
        contacts: impl Iterator<Item = usize>,
        touches: &mut Touches,
        (moved, velocity): (&mut [Vec3], &mut [Vec3]),
    ) where
        M: Fn(usize) -> f32,
        W: Fn(usize, Vec3, f32) -> Option<ObstacleSolver<'a>>,
    {
        self.begin(moved.len());
        for touch in contacts {
            let it = touches.all()[touch];
            let mut units = it.units();
            units.sort_unstable_by_key(|unit| setting.moving.rank(*unit));
            let (normal, units_inside) =
                (it.normal_from(units[0]), units.map(|unit| self.insert(unit, setting, moved)));
            let weights = units_inside.map(|unit| self.weight[unit as usize]);
            // Deep overlaps of a start are removed in several steps.
            let gap = it.gap.greater(-MAX_PUSH * 0.5 * it.reach);
            let tolerance = TOLERANCE * it.reach;
            let constraint = Constraint { gap, tolerance, ..Constraint::new(units_inside, normal, weights) };
            self.projection.constraints.push(constraint);
            self.pairs.push(touch);
        }
        let restitution = self.add_walls(setting);
        self.separate(setting);
        self.collect_impacts(setting, touches, restitution);
        // As fast as the fastest unit, any unit may be pushed by it.
        let longest = self.units().map(|unit| moved[unit].length()).fold(0.0, f32::greater);
        for (unit, value) in self.units.iter().zip(&mut self.values).skip(1) {
            let room = longest + setting.moving.radius[*unit] * MAX_PUSH;
            moved[*unit] = value.clamp_length_max(room);
            *value = velocity[*unit];
        }
        self.impacts.solve(&mut self.values, &self.weight);
        for (unit, value) in self.units.iter().zip(&self.values).skip(1) {
            velocity[*unit] = *value;
        }
    }

    fn begin(&mut self, units: usize) {
        for unit in self.units.drain(..).skip(1) {
            if let Some(index) = self.index.get_mut(unit) {
                *index = FIXED;
            }
        }
        self.index.resize(units, FIXED);
        self.units.push(usize::MAX);
        self.weight.clear();
        self.weight.push(0.0);
        self.values.clear();
        self.values.push(Vec3::ZERO);
        self.projection.constraints.clear();
        self.pairs.clear();
        self.walls.clear();
        self.concave.clear();
    }

    /// Returns the index of a unit in the island, to which it is added.
    fn insert<M: Fn(usize) -> f32, W>(
        &mut self,
        unit: usize,
        setting: &Setting<'_, M, W>,
        moved: &[Vec3],
    ) -> u32 {
        if self.index[unit] == FIXED {
            self.index[unit] = self.units.len() as u32;
            self.units.push(unit);
            self.weight.push((setting.mass)(unit).recip());
            self.values.push(moved[unit]);
        }
        self.index[unit]
    }

    /// Adds the obstacles near the units, and returns their restitution; `None` if they do not change velocities.
    fn add_walls<'a, M, W>(&mut self, setting: &Setting<'a, M, W>) -> Option<f32>
    where
        W: Fn(usize, Vec3, f32) -> Option<ObstacleSolver<'a>>,
    {
        let mut contact = Contact::None;
        for index in 1..self.units.len() as u32 {
            let unit = self.units[index as usize];
            let near = setting.moving.radius[unit] * NEAR;
            let at = setting.moving.before[unit] + self.values[index as usize];
            let Some(solver) = (setting.obstacles)(unit, at, near) else { continue };
            contact = solver.contact;
            let mut is_concave = false;
            for wall in solver.walls(at, near) {
                is_concave |= wall.is_concave;
                self.push_wall(index, wall, solver.radius);
            }
            if is_concave {
                self.concave.push(index);
            }
        }
        (contact != Contact::Block).then_some(contact.restitution())
    }

    fn push_wall(&mut self, index: u32, wall: Wall, radius: f32) {
        let gap = wall.gap - wall.normal.dot(self.values[index as usize]);
        let tolerance = TOLERANCE * radius;
        let weights = [0.0, self.weight[index as usize]];
        let constraint = Constraint::new([FIXED, index], wall.normal, weights);
        self.projection.constraints.push(Constraint { gap, tolerance, ..constraint });
        self.walls.push(wall);
    }

    /// Moves the units out of each other and out of obstacles.
    fn separate<'a, M, W>(&mut self, setting: &Setting<'a, M, W>)
    where
        W: Fn(usize, Vec3, f32) -> Option<ObstacleSolver<'a>>,
    {
        self.predict(setting);
        self.projection.project(&mut self.values);
        for _ in 0..MAX_WALL_ROUNDS {
            let before = self.walls.len();
            for position in 0..self.concave.len() {
                let index = self.concave[position];
                let unit = self.units[index as usize];
                let at = setting.moving.before[unit] + self.values[index as usize];
                let Some(solver) = (setting.obstacles)(unit, at, 0.0) else { continue };
                for wall in solver.walls(at, -TOLERANCE * solver.radius) {
                    self.push_wall(index, wall, solver.radius);
                }
            }
            if self.walls.len() == before {
                break;
            }
            self.projection.project(&mut self.values);
        }
    }

    /// Approximates the impulses of pairs near obstacles, from the outermost unit inward. Each unit is pushed by its neighbors
    /// nearer to an obstacle, as if these moved at their velocity before the step, which is zero in a queue that stands.
    fn predict<M, W>(&mut self, setting: &Setting<'_, M, W>) {
        let (pairs, rest) = self.projection.constraints.split_at_mut(self.pairs.len());
        let at_walls = rest.iter().zip(&self.walls);
        let at_walls = at_walls.filter(|(it, wall)| wall.is_touched || it.distance(&self.values) < 0.0);
        self.levels.find(self.units.len(), pairs, at_walls.map(|(it, _)| it.units[1]));
        for &unit in self.levels.order.iter().rev() {
            for link in self.levels.links(unit) {
                let (it, side) = (&mut pairs[link / 2], link % 2);
                let inner = it.units[1 - side] as usize;
                if self.levels.level[inner] >= self.levels.level[unit as usize] {
                    continue;
                }
                let expected = setting.earlier[self.units[inner]] * setting.step;
                let away = if side == 0 { Vec3::ZERO - it.normal } else { it.normal };
                let distance = (self.values[unit as usize] - expected).dot(away) + it.gap;
                if distance < 0.0 {
                    it.push(&mut self.values, -distance / it.shares[side]);
                }
            }
        }
    }

    /// Collects the contacts that affect velocities, and marks those of pairs.
    fn collect_impacts<M, W>(
        &mut self,
        setting: &Setting<'_, M, W>,
        touches: &mut Touches,
        walls: Option<f32>,
    ) {
        let impacts = &mut self.impacts.impacts;
        impacts.clear();
        // The correction of the move is that of the velocity over the step, if the hulls did not overlap before it.
        let rate = setting.step.recip();
        let reset = |it: &Constraint, gap| {
            let impulse = if it.gap >= -it.tolerance { it.impulse * rate } else { 0.0 };
            Constraint { gap, impulse, tolerance: it.tolerance * rate * TOLERANCE_OF_SPEED, ..*it }
        };
        let (pairs, rest) = self.projection.constraints.split_at(self.pairs.len());
        for (constraint, touch) in pairs.iter().zip(&self.pairs) {
            // Other contacts may have stopped one of the pair before it touched.
            let apart = constraint.distance(&self.values) > constraint.tolerance;
            let is_contact = constraint.impulse > 0.0 || (touches.all()[*touch].is_contact && !apart);
            touches.set_contact(*touch, is_contact);
            if is_contact {
                let restitution = setting.contact.restitution();
                impacts.push(Impact { constraint: reset(constraint, 0.0), restitution });
            }
        }
        let Some(restitution) = walls else { return };
        for (constraint, wall) in rest.iter().zip(&self.walls) {
            if constraint.impulse > 0.0 || wall.is_touched {
                let gap = -wall.normal.dot(wall.velocity);
                impacts.push(Impact { constraint: reset(constraint, gap), restitution });
            }
        }
    }
}

/// The units of an island in the order of their distance from obstacles, counted in contacts.
#[derive(Clone, Debug, Default)]
struct Levels {
    level: Vec<u32>,
    order: Vec<u32>,
    /// For each unit its last link: twice the index of a pair, plus the side of the unit.
    last: Vec<u32>,
    /// For each link the previous one of the same unit.
    previous: Vec<u32>,
}

/// The end of a list of links, and the level of units without a connection to an obstacle.
const NONE: u32 = u32::MAX;

impl Levels {
    fn find(&mut self, units: usize, pairs: &[Constraint], first: impl Iterator<Item = u32>) {
        for list in [&mut self.level, &mut self.last] {
            list.clear();
            list.resize(units, NONE);
        }
        self.order.clear();
        self.order.extend(first);
        self.order.dedup();
        self.order.iter().for_each(|unit| self.level[*unit as usize] = 0);
        self.previous.clear();
        if self.order.is_empty() {
            return;
        }
        for unit in pairs.iter().flat_map(|it| it.units) {
            let last = std::mem::replace(&mut self.last[unit as usize], self.previous.len() as u32);
            self.previous.push(last);
        }
        let mut done = 0;
        while let Some(&unit) = self.order.get(done) {
            done += 1;
            let mut link = self.last[unit as usize];
            while link != NONE {
                let other = pairs[link as usize / 2].units[1 - link as usize % 2];
                if self.level[other as usize] == NONE {
                    self.level[other as usize] = self.level[unit as usize] + 1;
                    self.order.push(other);
                }
                link = self.previous[link as usize];
            }
        }
    }

    /// The links of a unit.
    fn links(&self, unit: u32) -> impl Iterator<Item = usize> {
        let first = Some(self.last[unit as usize]).filter(|link| *link != NONE);
        let links = std::iter::successors(first, |link| {
            Some(self.previous[*link as usize]).filter(|link| *link != NONE)
        });
        links.map(|link| link as usize)
    }
}
