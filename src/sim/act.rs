//! The act phase: bodies move by their steering.

use std::ops::Range;

use glam::Vec3;
use rayon::iter::{IndexedParallelIterator, IntoParallelIterator, ParallelIterator};
use rayon::slice::{ParallelSlice, ParallelSliceMut};

use super::decisions::UnitDecision;
use super::failure::Failure;
use super::group_behaviors::GroupBehaviors;
use super::report::Reports;
use crate::dynamics::{self, ContactSolver, GRAIN, Motion, Steering};
use crate::world::{Group, Units, World};

/// Most pieces of [`GRAIN`] units that a thread takes in one go. Fewer would cost more to hand out, and
/// with more of them a thread that is done early could not help the others.
const PIECES: usize = 2;

/// Moves all units, solves contacts and applies the edges. A unit whose state would no longer be finite
/// stays where it was, without velocity, and is reported.
pub(super) fn act(
    world: &mut World,
    behaviors: &[GroupBehaviors],
    contacts: &mut ContactSolver,
    reports: &mut Reports,
) {
    let lost = if world.contacts.any() {
        contacts.begin(world);
        let lost = advance(world, behaviors, false);
        lost.or(contacts.settle(world))
    } else {
        world.units.touching.clear();
        advance(world, behaviors, true)
    };
    set_signals(world, behaviors);
    if let Some(unit) = lost {
        report(&world.groups, unit, world.steps + 1, reports);
    }
}

/// Makes the signals that behaviors set visible.
fn set_signals(world: &mut World, behaviors: &[GroupBehaviors]) {
    let signals = &mut world.units.signals;
    for (group, behaviors) in world.groups.iter().zip(behaviors) {
        let count = signals.count();
        (behaviors.buffers).store_signals(count, signals.of_units_mut(group.units.clone()));
    }
}

/// Moves every unit by its steering. Edges count at once unless contacts come before them. Returns the
/// first unit whose state would not be finite.
fn advance(world: &mut World, behaviors: &[GroupBehaviors], edges: bool) -> Option<usize> {
    let (arena, controls) = (world.arena, world.controls);
    let (player, step) = (world.player, world.step);
    let mut lost = None;
    for (group, behaviors) in world.groups.iter().zip(behaviors) {
        let first = group.units.start;
        let stopped = each_motion(
            &mut world.units,
            group.units.clone(),
            behaviors,
            // Motions then stay in registers.
            #[inline(always)]
            |index, motion, steering| {
                let before = *motion;
                let controls = (player == Some(first + index)).then_some(&controls);
                dynamics::advance(&group.body, motion, steering, controls, &arena, step);
                if edges {
                    dynamics::confine(&arena, motion);
                }
                let finite = motion.is_finite();
                if !finite {
                    *motion = Motion { velocity: Vec3::ZERO, angular_velocity: Vec3::ZERO, ..before };
                }
                finite
            },
        );
        lost = lost.or(stopped.map(|index| first + index));
    }
    lost
}

/// Works on the motion of every unit of a group, in parallel: index in the group, motion, steering; and
/// shows its marks. Returns the first index for which `work` does not succeed.
fn each_motion(
    units: &mut Units,
    group: Range<usize>,
    behaviors: &GroupBehaviors,
    work: impl Fn(usize, &mut Motion, &Steering) -> bool + Sync,
) -> Option<usize> {
    let chunks = (
        behaviors.buffers.row_of.par_chunks(GRAIN),
        units.position[group.clone()].par_chunks_mut(GRAIN),
        units.velocity[group.clone()].par_chunks_mut(GRAIN),
        units.heading[group.clone()].par_chunks_mut(GRAIN),
        units.up[group.clone()].par_chunks_mut(GRAIN),
        units.angular_velocity[group.clone()].par_chunks_mut(GRAIN),
        units.marks[group].par_chunks_mut(GRAIN),
    );
    let lost = (chunks.into_par_iter().enumerate().with_max_len(PIECES))
        .map(|(chunk, (rows, position, velocity, heading, up, angular_velocity, marks))| {
            // Rows are far apart in memory. Fetched by themselves, they are fetched side by side.
            let mut decisions = [UnitDecision::default(); GRAIN];
            for (decision, row) in decisions.iter_mut().zip(rows) {
                *decision = behaviors.buffers.decisions[*row as usize];
            }
            let mut lost = usize::MAX;
            let units = position.iter_mut().zip(velocity).zip(heading).zip(up).zip(angular_velocity);
            for (at, (unit, (marks, decision))) in units.zip(marks.iter_mut().zip(&decisions)).enumerate() {
                let ((((position, velocity), heading), up), angular_velocity) = unit;
                let mut motion = Motion {
                    position: *position,
                    velocity: *velocity,
                    heading: *heading,
                    up: *up,
                    angular_velocity: *angular_velocity,
                };
                let index = chunk * GRAIN + at;
                if !work(index, &mut motion, &decision.steering) {
                    lost = lost.min(index);
                }
                *position = motion.position;
                *velocity = motion.velocity;
                *heading = motion.heading;
                *up = motion.up;
                *angular_velocity = motion.angular_velocity;
                *marks = decision.marks;
            }
            lost
        })
        .reduce(|| usize::MAX, usize::min);
    (lost != usize::MAX).then_some(lost)
}

fn report(groups: &[Group], unit: usize, step: u64, reports: &mut Reports) {
    let message = "the forces on it are too great to compute: it was stopped where it was";
    if let Some(group) = groups.iter().position(|group| group.units.contains(&unit)) {
        reports.add(group, "", unit, Failure::new(message), step);
    }
}
