//! The act phase: bodies move by their steering.

use std::ops::Range;
use std::sync::Arc;

use glam::Vec3;
use rayon::iter::{IndexedParallelIterator, IntoParallelIterator, ParallelIterator};
use rayon::slice::{ParallelSlice, ParallelSliceMut};

use super::decisions::UnitDecision;
use super::failure::Failure;
use super::group_behaviors::GroupBehaviors;
use super::report::Reports;
use crate::dynamics::{self, BLOCK, ContactSolver, GRAIN, Motion, MoverBlock, Steering};
use crate::perception::Grid;
use crate::world::{Body, Group, Units, World};

/// Maximum number of chunks of [`GRAIN`] units per parallel task: fewer increase the scheduling cost, more impair the
/// load balance.
const MAX_CHUNKS_PER_TASK: usize = 2;

/// Moves all units, resolves contacts and applies the edges. `grid` is over the positions before the moves. A unit
/// whose state would not be finite returns to its previous position with zero velocity and is reported.
pub(super) fn act(
    (world, grid): (&mut World, &Grid),
    behaviors: &[GroupBehaviors],
    contacts: &mut ContactSolver,
    reports: &mut Reports,
) {
    let lost = if world.contacts.any() {
        contacts.begin(world);
        let lost = advance(world, behaviors, false);
        lost.or(contacts.resolve(world, grid))
    } else {
        world.units.touching.clear();
        advance(world, behaviors, true)
    };
    set_signals(world, behaviors);
    if let Some(unit) = lost {
        report(&world.groups, unit, world.steps + 1, reports);
    }
}

/// Publishes the signals that behaviors set.
fn set_signals(world: &mut World, behaviors: &[GroupBehaviors]) {
    let signals = &mut world.units.signals;
    for (group, behaviors) in world.groups.iter().zip(behaviors) {
        let count = signals.count();
        (behaviors.buffers).store_signals(count, signals.of_units_mut(group.units.clone()));
    }
}

/// Advances every unit by its steering. With `edges`, edges are applied at once; otherwise contacts come first. Returns
/// the first unit whose state would not be finite.
fn advance(world: &mut World, behaviors: &[GroupBehaviors], edges: bool) -> Option<usize> {
    let (arena, controls) = (world.arena, world.controls);
    let (player, step) = (world.player, world.step);
    let bodies = Arc::clone(&world.bodies);
    let mut lost = None;
    for (group, behaviors) in world.groups.iter().zip(behaviors) {
        let first = group.units.start;
        let advance = |index: usize, motion: &mut Motion, steering: &Steering| {
            let before = *motion;
            let controls = (player == Some(first + index)).then_some(&controls);
            let body = bodies.get(first + index).unwrap_or(&group.body);
            dynamics::advance(body, motion, steering, controls, &arena, step);
            if edges {
                dynamics::confine(&arena, motion);
            }
            let finite = motion.is_finite();
            if !finite {
                *motion = Motion { velocity: Vec3::ZERO, angular_velocity: Vec3::ZERO, ..before };
            }
            finite
        };
        let is_led = player.is_some_and(|player| group.units.contains(&player));
        let stopped = match &group.body {
            Body::Mover(body) if arena.is_plane() && !is_led => {
                let varied = bodies.get(group.units.clone()).filter(|_| !group.drawn.is_empty());
                let varied = varied.unwrap_or(&[]);
                let block = |at: usize, block: &mut MoverBlock| {
                    let varied = varied.get(at..).unwrap_or(&[]);
                    block.advance((body, varied), &arena, edges, step);
                };
                let work = |chunk: Chunk<'_>| chunk.advance_by_blocks(block, advance);
                each_chunk(&mut world.units, group.units.clone(), behaviors, work)
            }
            _ => {
                let work = |chunk: Chunk<'_>| chunk.advance_one_by_one(advance);
                each_chunk(&mut world.units, group.units.clone(), behaviors, work)
            }
        };
        lost = lost.or(stopped.map(|index| first + index));
    }
    lost
}

/// Consecutive units of a group.
struct Chunk<'a> {
    /// The index in the group of the first unit.
    first: usize,
    /// The decision row of each unit. Rows are scattered in memory; a separate loop overlaps the cache misses.
    rows: &'a [u32],
    decisions: &'a [UnitDecision],
    position: &'a mut [Vec3],
    velocity: &'a mut [Vec3],
    heading: &'a mut [Vec3],
    up: &'a mut [Vec3],
    angular_velocity: &'a mut [Vec3],
    marks: &'a mut [u64],
}

impl Chunk<'_> {
    /// Advances units one by one. Returns the least index in the group for which `advance` fails, or `usize::MAX`.
    fn advance_one_by_one(mut self, advance: impl Fn(usize, &mut Motion, &Steering) -> bool) -> usize {
        let mut decisions = [UnitDecision::default(); GRAIN];
        for (decision, row) in decisions.iter_mut().zip(self.rows) {
            *decision = self.decisions[*row as usize];
        }
        let mut lost = usize::MAX;
        for (at, decision) in decisions.iter().enumerate().take(self.rows.len()) {
            lost = lost.min(self.advance_one(at, decision, &advance));
        }
        lost
    }

    /// [`Chunk::advance_one_by_one`] in blocks, from an index in the group on; units that `advance_block` leaves out are
    /// advanced one by one.
    fn advance_by_blocks(
        mut self,
        advance_block: impl Fn(usize, &mut MoverBlock),
        advance: impl Fn(usize, &mut Motion, &Steering) -> bool,
    ) -> usize {
        let (mut lost, mut block) = (usize::MAX, MoverBlock::default());
        for first in (0..self.rows.len()).step_by(BLOCK) {
            let count = BLOCK.min(self.rows.len() - first);
            // Scattered reads first, in a short loop, so that the cache misses overlap.
            for at in 0..count {
                let decision = &self.decisions[self.rows[first + at] as usize];
                self.marks[first + at] = decision.marks;
                block.steer(at, &decision.steering);
            }
            for at in 0..count {
                block.set(at, &self.motion(first + at));
            }
            advance_block(self.first + first, &mut block);
            for at in 0..count {
                let unit = first + at;
                if let Some([position, velocity, heading]) = block.get(at) {
                    (self.position[unit].x, self.position[unit].y) = position.into();
                    (self.velocity[unit].x, self.velocity[unit].y) = velocity.into();
                    (self.heading[unit].x, self.heading[unit].y) = heading.into();
                } else {
                    let decision = self.decisions[self.rows[unit] as usize];
                    lost = lost.min(self.advance_one(unit, &decision, &advance));
                }
            }
        }
        lost
    }

    fn motion(&self, at: usize) -> Motion {
        Motion {
            position: self.position[at],
            velocity: self.velocity[at],
            heading: self.heading[at],
            up: self.up[at],
            angular_velocity: self.angular_velocity[at],
        }
    }

    /// Advances one unit. Returns its index in the group if `advance` fails, else `usize::MAX`.
    fn advance_one(
        &mut self,
        at: usize,
        decision: &UnitDecision,
        advance: impl Fn(usize, &mut Motion, &Steering) -> bool,
    ) -> usize {
        let mut motion = self.motion(at);
        let is_finite = advance(self.first + at, &mut motion, &decision.steering);
        self.position[at] = motion.position;
        self.velocity[at] = motion.velocity;
        self.heading[at] = motion.heading;
        self.up[at] = motion.up;
        self.angular_velocity[at] = motion.angular_velocity;
        self.marks[at] = decision.marks;
        if is_finite { usize::MAX } else { self.first + at }
    }
}

/// Processes all units of a group in parallel chunks. Returns the least index that `work` returns, if any.
fn each_chunk(
    units: &mut Units,
    group: Range<usize>,
    behaviors: &GroupBehaviors,
    work: impl Fn(Chunk<'_>) -> usize + Sync,
) -> Option<usize> {
    let decisions = &*behaviors.buffers.decisions;
    let chunks = (
        behaviors.buffers.row_of.par_chunks(GRAIN),
        units.position[group.clone()].par_chunks_mut(GRAIN),
        units.velocity[group.clone()].par_chunks_mut(GRAIN),
        units.heading[group.clone()].par_chunks_mut(GRAIN),
        units.up[group.clone()].par_chunks_mut(GRAIN),
        units.angular_velocity[group.clone()].par_chunks_mut(GRAIN),
        units.marks[group].par_chunks_mut(GRAIN),
    );
    let lost = (chunks.into_par_iter().enumerate().with_max_len(MAX_CHUNKS_PER_TASK))
        .map(|(chunk, (rows, position, velocity, heading, up, angular_velocity, marks))| {
            let first = chunk * GRAIN;
            work(Chunk { first, rows, decisions, position, velocity, heading, up, angular_velocity, marks })
        })
        .reduce(|| usize::MAX, usize::min);
    (lost != usize::MAX).then_some(lost)
}

fn report(groups: &[Group], unit: usize, step: u64, reports: &mut Reports) {
    let message = "the forces on it are too large to compute: it was stopped in place";
    if let Some(group) = groups.iter().position(|group| group.units.contains(&unit)) {
        reports.add(group, "", unit, Failure::new(message), step);
    }
}
