//! The act phase: contributions are summed in a fixed order and bodies move.

use glam::Vec3;
use rayon::iter::{IndexedParallelIterator, IntoParallelIterator, ParallelIterator};

use super::crew::Crew;
use super::{Contribution, Failure, Reports};
use crate::dynamics::{self, Motion, Solver, Wish};
use crate::world::{Blend, Group, Units, World};

/// Fewest units that are worth a thread of their own.
const GRAIN: usize = 256;

/// Sums, moves, solves contacts and heeds the edges.
pub(super) fn act(world: &mut World, crews: &[Crew], solver: &mut Solver, reports: &mut Reports) {
    let touching = world.contacts.any();
    if touching {
        solver.remember(world);
    }
    advance(world, crews, reports);
    if touching {
        solver.solve(world);
    }
    settle(world, touching);
}

/// Moves every unit by its wish. One whose state would no longer be finite stays where it was, at
/// rest, and is reported.
fn advance(world: &mut World, crews: &[Crew], reports: &mut Reports) {
    let (groups, arena, controls) = (&world.groups, &world.arena, &world.controls);
    let (player, step) = (world.player, world.step);
    let move_one = |unit: usize, group: u16, motion: &mut Motion, marks: &mut u64| -> usize {
        let (group, crew) = (&groups[group as usize], &crews[group as usize]);
        let index = unit - group.units.start;
        *marks = crew.marks[index];
        let before = *motion;
        let wish = blend(group, crew, index);
        let controls = (player == Some(unit)).then_some(controls);
        dynamics::advance(&group.body, motion, &wish, controls, arena, step);
        if motion.is_finite() {
            return usize::MAX;
        }
        *motion = Motion {
            velocity: Vec3::ZERO,
            angular_velocity: Vec3::ZERO,
            ..before
        };
        unit
    };
    let lost = each_motion(&mut world.units, move_one);
    if lost != usize::MAX {
        report(groups, lost, world.steps + 1, reports);
    }
}

/// Turns units to where contacts have sent them, and heeds the edges.
fn settle(world: &mut World, touched: bool) {
    let (groups, arena) = (&world.groups, &world.arena);
    each_motion(&mut world.units, |_, group, motion, _| {
        if touched {
            dynamics::face(&groups[group as usize].body, motion, arena);
        }
        dynamics::confine(arena, motion);
        usize::MAX
    });
}

/// Works on the motion and marks of every unit, in parallel: index, group, motion, marks. Returns the
/// least number that `work` returns.
fn each_motion(
    units: &mut Units,
    work: impl Fn(usize, u16, &mut Motion, &mut u64) -> usize + Sync,
) -> usize {
    let rows = (
        &units.group,
        &mut units.position,
        &mut units.velocity,
        &mut units.heading,
        &mut units.up,
        &mut units.angular_velocity,
        &mut units.marks,
    );
    (rows.into_par_iter().enumerate().with_min_len(GRAIN))
        .map(
            |(unit, (group, position, velocity, heading, up, angular_velocity, marks))| {
                let mut motion = Motion {
                    position: *position,
                    velocity: *velocity,
                    heading: *heading,
                    up: *up,
                    angular_velocity: *angular_velocity,
                };
                let result = work(unit, *group, &mut motion, marks);
                *position = motion.position;
                *velocity = motion.velocity;
                *heading = motion.heading;
                *up = motion.up;
                *angular_velocity = motion.angular_velocity;
                result
            },
        )
        .reduce(|| usize::MAX, usize::min)
}

/// The wish of the `index`-th unit of a group: contributions times gains, in the order of the slots,
/// as far as the budget goes if there is one.
fn blend(group: &Group, crew: &Crew, index: usize) -> Wish {
    let mut wish = Wish::default();
    let mut left = match group.blend {
        Blend::Sum => f32::INFINITY,
        Blend::Priority { budget } => budget,
    };
    let per_force = group.body.steering_force().max(f32::MIN_POSITIVE).recip();
    for (slot, contribution) in crew.slots.iter().zip(crew.decided(index)) {
        let cost = match contribution {
            Contribution::None => continue,
            Contribution::Turn(turn) => turn.length() * slot.gain.abs(),
            Contribution::Push(push) => push.length() * slot.gain.abs() * per_force,
        };
        let served = if cost > left { left / cost } else { 1.0 };
        match contribution {
            Contribution::None => {}
            Contribution::Turn(turn) => wish.turn += *turn * (slot.gain * served),
            Contribution::Push(push) => wish.push += *push * (slot.gain * served),
        }
        left -= cost;
        if left <= 0.0 {
            break;
        }
    }
    wish
}

fn report(groups: &[Group], unit: usize, step: u64, reports: &mut Reports) {
    let message =
        "the forces on it are too great to compute: it was stopped where it was".to_owned();
    let failure = Failure {
        line: 0,
        column: 0,
        message,
        help: None,
        exhausted: false,
    };
    if let Some(group) = groups.iter().position(|group| group.units.contains(&unit)) {
        reports.add(group, "", unit, failure, step);
    }
}
