//! Units against units: touches of two balls that both move, parted by their masses.

use glam::Vec3;
use rayon::iter::{IndexedParallelIterator, IntoParallelRefMutIterator, ParallelIterator};

use super::{GRAIN, Way, restitution};
use crate::perception::Grid;
use crate::world::{Arena, Contact, World};

/// Rounds of parting: each moves every unit out of all it overlaps, by their mean.
const ROUNDS: usize = 6;
/// Rounds after which nobody moves at all, where one that stays keeps making others stay.
const MOST_STAYS: usize = 256;

/// Finds and parts pairs; keeps its buffers from step to step.
#[derive(Clone, Debug, Default)]
pub(super) struct Pairs {
    grid: Grid,
    starts: Vec<Vec3>,
    shifts: Vec<Vec3>,
    stays: Vec<bool>,
    stayed: Vec<bool>,
}

/// A touch as one of the two sees it.
struct Touch {
    /// Toward the other.
    normal: Vec3,
    /// How far the two overlap along the normal at the end of their ways.
    overlap: f32,
    /// Whether they come nearer.
    closing: bool,
}

impl Pairs {
    /// Corrects the ways of all units that touch another.
    pub(super) fn solve(&mut self, ways: &mut [Way], world: &World) {
        let widest = ways.iter().map(|way| way.radius).fold(0.0, f32::max);
        let farthest = ways
            .iter()
            .map(|way| way.along.length())
            .fold(0.0, f32::max);
        if widest == 0.0 || !farthest.is_finite() {
            return;
        }
        self.starts.clear();
        self.starts.extend(ways.iter().map(|way| way.from));
        let edge = 2.0 * (widest + farthest);
        self.grid.sort(&self.starts, world.arena.period(), edge);
        let reach = widest + farthest;
        if world.contacts.units == Contact::Block {
            self.block(ways, &world.arena, reach);
        } else {
            self.part(ways, world, reach);
        }
    }

    /// Who would touch stays, and so does who would touch one that stays.
    fn block(&mut self, ways: &mut [Way], arena: &Arena, reach: f32) {
        let Self {
            grid,
            stays,
            stayed,
            ..
        } = self;
        stays.clear();
        stays.resize(ways.len(), false);
        for round in 0.. {
            stayed.clone_from(stays);
            let (ways, stayed) = (&*ways, &*stayed);
            let changed = (stays.par_iter_mut().enumerate().with_min_len(GRAIN))
                .filter(|(unit, stays)| {
                    let moved = |unit: usize| {
                        if stayed[unit] {
                            Vec3::ZERO
                        } else {
                            ways[unit].along
                        }
                    };
                    !**stays
                        && any_near(grid, ways, *unit, reach, |other| {
                            let touch =
                                touch(ways, arena, (*unit, other), (moved(*unit), moved(other)));
                            touch.is_some_and(|touch| touch.closing)
                        })
                })
                .map(|(_, stays)| *stays = true)
                .count();
            if changed == 0 {
                break;
            }
            if round == MOST_STAYS {
                stays.fill(true);
                break;
            }
        }
        for (way, stays) in ways.iter_mut().zip(stays) {
            if *stays {
                way.along = Vec3::ZERO;
            }
        }
    }

    /// Moves units out of each other, and takes or turns round what brought them together.
    fn part(&mut self, ways: &mut [Way], world: &World, reach: f32) {
        let arena = &world.arena;
        self.shifts.resize(ways.len(), Vec3::ZERO);
        self.change_velocities(ways, world, reach);
        for _ in 0..ROUNDS {
            let grid = &self.grid;
            let all = &*ways;
            let touched = (self.shifts.par_iter_mut().enumerate().with_min_len(GRAIN))
                .map(|(unit, shift)| {
                    let (mut sum, mut count) = (Vec3::ZERO, 0.0_f32);
                    each_touch(grid, all, arena, unit, reach, |other, touch| {
                        if touch.overlap > 0.0 {
                            sum -= touch.normal * (touch.overlap * share(all, unit, other));
                            count += 1.0;
                        }
                    });
                    // Between the sum, which overshoots, and the mean, which takes long.
                    *shift = sum / count.sqrt().max(1.0);
                    usize::from(count > 0.0)
                })
                .sum::<usize>();
            if touched == 0 {
                break;
            }
            for (way, shift) in ways.iter_mut().zip(&self.shifts) {
                way.along += *shift;
            }
        }
    }

    fn change_velocities(&mut self, ways: &mut [Way], world: &World, reach: f32) {
        let again = 1.0 + restitution(world.contacts.units);
        let (grid, all, arena) = (&self.grid, &*ways, &world.arena);
        (self.shifts.par_iter_mut().enumerate().with_min_len(GRAIN)).for_each(|(unit, change)| {
            *change = Vec3::ZERO;
            each_touch(grid, all, arena, unit, reach, |other, touch| {
                let closing = (all[other].velocity - all[unit].velocity).dot(touch.normal);
                *change += touch.normal * (closing.min(0.0) * again * share(all, unit, other));
            });
        });
        for (way, change) in ways.iter_mut().zip(&self.shifts) {
            way.velocity += *change;
        }
    }
}

/// The part of a correction that falls to `unit`: the lighter one moves more.
fn share(ways: &[Way], unit: usize, other: usize) -> f32 {
    ways[other].mass / (ways[unit].mass + ways[other].mass)
}

fn each_touch(
    grid: &Grid,
    ways: &[Way],
    arena: &Arena,
    unit: usize,
    reach: f32,
    mut visit: impl FnMut(usize, Touch),
) {
    let way = &ways[unit];
    let reach = reach + way.radius + way.along.length();
    grid.each_within(way.from, reach, |other, _, _| {
        if other != unit {
            let moves = (way.along, ways[other].along);
            if let Some(touch) = touch(ways, arena, (unit, other), moves) {
                visit(other, touch);
            }
        }
    });
}

/// Whether anybody that a unit may touch is what is looked for.
fn any_near(
    grid: &Grid,
    ways: &[Way],
    unit: usize,
    reach: f32,
    mut touches: impl FnMut(usize) -> bool,
) -> bool {
    let way = &ways[unit];
    let mut found = false;
    let reach = reach + way.radius + way.along.length();
    grid.each_within(way.from, reach, |other, _, _| {
        found = found || (other != unit && touches(other));
    });
    found
}

/// Whether two balls touch while they move, and how; seen from the first.
fn touch(
    ways: &[Way],
    arena: &Arena,
    (unit, other): (usize, usize),
    moves: (Vec3, Vec3),
) -> Option<Touch> {
    let (a, b) = (&ways[unit], &ways[other]);
    let start = arena.shortest(b.from - a.from);
    let drift = moves.1 - moves.0;
    let reach = a.radius + b.radius;
    let approach = start.dot(drift);
    let gap = start.length_squared() - reach * reach;
    let at = if gap <= 0.0 {
        start
    } else {
        let speed = drift.length_squared();
        let inside = approach * approach - speed * gap;
        if approach >= 0.0 || inside < 0.0 {
            return None;
        }
        let time = (-approach - inside.sqrt()) / speed;
        if time > 1.0 {
            return None;
        }
        start + drift * time
    };
    let normal = at
        .try_normalize()
        .unwrap_or_else(|| apart(unit, other, arena.is_plane()));
    Some(Touch {
        normal,
        overlap: reach - normal.dot(start + drift),
        closing: drift.dot(normal) < 0.0,
    })
}

/// Where two units that stand on one spot look for each other: opposite ways, another for each pair.
fn apart(unit: usize, other: usize, plane: bool) -> Vec3 {
    let (low, high) = (unit.min(other) as f32, unit.max(other) as f32);
    let sign = if unit < other { 1.0 } else { -1.0 };
    let angle = low * 2.399_963 + high * 1.618_034;
    let (sin, cos) = libm::sincosf(angle);
    let z = if plane { 0.0 } else { 0.5 };
    Vec3::new(cos, sin, z).normalize() * sign
}
