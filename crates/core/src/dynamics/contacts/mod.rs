//! Contact resolution after all units have moved and before edges are applied.
//!
//! Obstacles are first, as they end some moves; then units against each other; then obstacles again, so that no unit is
//! pushed into one.
//!
//! Results depend neither on the order of units nor on the number of threads. Detection is continuous along the whole
//! move, so fast units cannot tunnel.

mod candidates;
mod free_ball;
mod impacts;
mod island_solver;
mod islands;
mod march;
mod obstacle_solver;
mod pair;
mod projection;
mod reentry;
#[cfg(test)]
mod tests;
mod touches;
mod unit_solver;

use glam::Vec3;
use rayon::iter::{IndexedParallelIterator, IntoParallelIterator, ParallelIterator};

use super::edges::confine;
use super::motion::{GRAIN, Motion};
use super::mover;
use crate::perception::Grid;
use crate::world::lengths::shortened;
use crate::world::{Arena, Body, Contact, Obstacles, World};
use candidates::MovingUnits;
use free_ball::FreeBall;
use island_solver::Setting;
use obstacle_solver::ObstacleSolver;
use unit_solver::UnitSolver;

/// Resolves the contacts of one step. Its buffers are reused; their contents do not affect later results.
#[derive(Clone, Debug, Default)]
pub struct ContactSolver {
    before: Vec<Vec3>,
    /// The velocities before the step.
    earlier: Vec<Vec3>,
    end: Vec<Vec3>,
    velocity: Vec<Vec3>,
    radius: Vec<f32>,
    /// For each unit a ball that is free of `obstacles`.
    free: Vec<FreeBall>,
    obstacles: Obstacles,
    units: UnitSolver,
}

impl ContactSolver {
    /// Stores the positions and velocities of all units before they move.
    pub fn begin(&mut self, world: &World) {
        self.before.clone_from(&world.units.position);
        self.earlier.clone_from(&world.units.velocity);
    }

    /// Corrects the moves since [`ContactSolver::begin`], then applies the edges. `grid` is over the positions before
    /// the moves. Returns the first unit whose state would not be finite; such units return to their previous
    /// positions with zero velocity.
    pub fn resolve(&mut self, world: &mut World, grid: &Grid) -> Option<usize> {
        // The world was replaced in between: no moves yet.
        if self.before.len() != world.units.len() {
            self.begin(world);
        }
        self.end.clone_from(&world.units.position);
        self.velocity.clone_from(&world.units.velocity);
        self.measure(world);
        self.renew_free(world);
        if world.contacts.units == Contact::None {
            world.units.touching.clear();
        } else {
            self.stop(world);
            let mut touching = std::mem::take(&mut world.units.touching);
            let moving = MovingUnits {
                arena: &world.arena,
                keys: &world.units.key,
                radius: &self.radius,
                before: &self.before,
                grid,
            };
            let solver = ObstacleSolver::new(&world.arena, &world.obstacles, world.contacts.obstacles);
            let units = &world.units;
            let setting = Setting {
                moving,
                contact: world.contacts.units,
                step: world.step,
                earlier: &self.earlier,
                mass: |unit| world.body_of(unit).mass(),
                obstacles: |unit: usize, at: Vec3, gap: f32| {
                    let solver = solver.for_ball(self.radius[unit], self.free[unit]);
                    let solver = solver.for_carrier(world.carriers.seen_by(units.key[unit]));
                    let is_free = !solver.is_needed() || solver.free.contains(at, solver.radius + gap);
                    (!is_free).then_some(solver)
                },
            };
            self.units.solve(&setting, (&mut self.end, &mut self.velocity), &mut touching);
            world.units.touching = touching;
        }
        self.write(world)
    }

    fn measure(&mut self, world: &World) {
        self.radius.clear();
        let reach = world.contacts.reach;
        let radius = |unit: usize| world.body_of(unit).radius() * reach;
        self.radius.extend((0..world.units.len()).map(radius));
    }

    /// Updates the free ball of each unit whose move is not inside it.
    fn renew_free(&mut self, world: &World) {
        let solver = ObstacleSolver::new(&world.arena, &world.obstacles, world.contacts.obstacles);
        match world.obstacles.movement_since(&self.obstacles) {
            Some(0.0) => {}
            Some(by) => self.free.iter_mut().for_each(|free| free.shrink(by)),
            None => self.free.clear(),
        }
        self.obstacles.clone_from(&world.obstacles);
        self.free.resize(self.before.len(), FreeBall::default());
        if solver.is_needed() {
            let rows = (&mut self.free, &self.before, &self.end, &self.radius);
            let rows = rows.into_par_iter().enumerate().with_min_len(GRAIN);
            rows.for_each(|(unit, (free, before, end, radius))| {
                if world.carries(unit) {
                    // Its ball would contain obstacles that other units touch.
                    *free = FreeBall::default();
                } else {
                    free.renew(solver.obstacles, *before, before.distance(*end) + radius);
                }
            });
        }
    }

    /// Stops moves at obstacles.
    fn stop(&mut self, world: &World) {
        let solver = ObstacleSolver::new(&world.arena, &world.obstacles, world.contacts.obstacles);
        if !solver.is_needed() {
            return;
        }
        let keys = &world.units.key;
        let rows = (&self.before, &self.radius, &self.free, &mut self.end, &mut self.velocity);
        let rows = rows.into_par_iter().enumerate().with_min_len(GRAIN);
        rows.for_each(|(unit, (before, radius, free, end, velocity))| {
            let solver = solver.for_ball(*radius, *free).for_carrier(world.carriers.seen_by(keys[unit]));
            if solver.is_free(*before, *end) {
                return;
            }
            let moved = Motion {
                position: *end,
                velocity: *velocity,
                heading: Vec3::X,
                up: Vec3::Z,
                angular_velocity: Vec3::ZERO,
            };
            match solver.travel_among(*before, moved) {
                Some((stopped, _)) => (*end, *velocity) = (stopped.position, stopped.velocity),
                None => *end = *before,
            }
        });
    }

    /// Applies obstacles and edges to each unit and writes the result to the world.
    fn write(&self, world: &mut World) -> Option<usize> {
        let (groups, bodies) = (&world.groups, &world.bodies);
        let (arena, units) = (&world.arena, &mut world.units);
        let (carriers, keys) = (&world.carriers, &units.key);
        let solver = ObstacleSolver::new(arena, &world.obstacles, world.contacts.obstacles);
        let solved = (&self.before, &self.end, &self.velocity, &self.radius, &self.free);
        let fixed = (&units.group, &units.angular_velocity);
        let (position, velocity) = (&mut units.position, &mut units.velocity);
        let moving = (position, velocity, &mut units.heading, &mut units.up);
        let rows = (solved.into_par_iter(), fixed.into_par_iter(), moving.into_par_iter());
        let lost = (rows.into_par_iter().enumerate().with_min_len(GRAIN)).map(
            |(unit, (solved, (group, spin), (position, velocity, heading, up)))| {
                let (before, end, solved_velocity, radius, free) = solved;
                let solver = solver.for_ball(*radius, *free).for_carrier(carriers.seen_by(keys[unit]));
                let moved = Motion {
                    position: *end,
                    velocity: *solved_velocity,
                    heading: *heading,
                    up: *up,
                    angular_velocity: *spin,
                };
                let body = bodies.get(unit).unwrap_or(&groups[*group as usize].body);
                let mut motion = resolved(&solver, arena, *before, moved);
                if let (true, Body::Mover(body)) = (motion.velocity != *velocity, body) {
                    motion.velocity = shortened(motion.velocity, body.max_speed);
                    mover::face(&mut motion, arena);
                }
                let lost = !motion.is_finite();
                if lost {
                    (motion.position, motion.velocity) = (*before, Vec3::ZERO);
                    (motion.heading, motion.up) = (*heading, *up);
                }
                *position = motion.position;
                *velocity = motion.velocity;
                *heading = motion.heading;
                *up = motion.up;
                if lost { unit } else { usize::MAX }
            },
        );
        let lost = lost.reduce(|| usize::MAX, usize::min);
        (lost != usize::MAX).then_some(lost)
    }
}

/// Maximum number of edge crossings in one move; beyond it a unit does not move.
const MAX_CROSSINGS: usize = 4;

/// Returns a unit's motion after obstacles and edges. If it re-enters across an edge, the rest of its path is checked
/// as well.
fn resolved(solver: &ObstacleSolver<'_>, arena: &Arena, before: Vec3, moved: Motion) -> Motion {
    let (mut from, mut motion) = (before, moved);
    for _ in 0..MAX_CROSSINGS {
        let Some((reached, corner)) = solver.travel(from, motion) else {
            return Motion { position: before, ..moved };
        };
        motion = reached;
        confine(arena, &mut motion);
        // In a seamless arena, the way beyond the edge has met the images of obstacles there.
        if motion.position == reached.position || solver.contact == Contact::None || arena.period().is_some()
        {
            if arena.is_plane() {
                motion.position.z = 0.0;
                motion.velocity.z = 0.0;
            }
            return motion;
        }
        from = reentry::entry(arena, corner, reached.position, motion.position);
    }
    Motion { position: before, ..motion }
}
