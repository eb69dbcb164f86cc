//! The act phase: contributions are summed in a fixed order and bodies move.

use glam::Vec3;
use rayon::iter::{IndexedParallelIterator, IntoParallelIterator, ParallelIterator};

use super::crew::Crew;
use super::{Contribution, Failure, Reports};
use crate::dynamics::{self, Motion, Wish};
use crate::world::{Blend, Group, World};

/// Fewest units that are worth a thread of their own.
const GRAIN: usize = 256;

/// Sums and moves. A unit whose state would no longer be finite stays where it was, at rest, and is
/// reported.
pub(super) fn act(world: &mut World, crews: &[Crew], reports: &mut Reports) {
    let World {
        units,
        groups,
        arena,
        controls,
        ..
    } = world;
    let (groups, player, step) = (&*groups, world.player, world.step);
    let rows = (
        &units.group,
        &mut units.position,
        &mut units.velocity,
        &mut units.heading,
        &mut units.up,
        &mut units.angular_velocity,
        &mut units.marks,
    );
    let lost = (rows.into_par_iter().enumerate().with_min_len(GRAIN))
        .map(
            |(unit, (group, position, velocity, heading, up, angular_velocity, marks))| {
                let (group, crew) = (&groups[*group as usize], &crews[*group as usize]);
                let index = unit - group.units.start;
                *marks = crew.marks[index];
                let before = Motion {
                    position: *position,
                    velocity: *velocity,
                    heading: *heading,
                    up: *up,
                    angular_velocity: *angular_velocity,
                };
                let wish = blend(group, crew, index);
                let controls = (player == Some(unit)).then_some(&*controls);
                let mut motion = before;
                dynamics::advance(&group.body, &mut motion, &wish, controls, arena, step);
                let lost = !motion.is_finite();
                if lost {
                    motion = Motion {
                        velocity: Vec3::ZERO,
                        angular_velocity: Vec3::ZERO,
                        ..before
                    };
                }
                *position = motion.position;
                *velocity = motion.velocity;
                *heading = motion.heading;
                *up = motion.up;
                *angular_velocity = motion.angular_velocity;
                if lost { unit } else { usize::MAX }
            },
        )
        .reduce(|| usize::MAX, usize::min);
    if lost != usize::MAX {
        report(groups, lost, world.steps + 1, reports);
    }
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
