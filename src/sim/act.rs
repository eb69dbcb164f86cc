//! The act phase: contributions are summed in a fixed order and bodies move.

use glam::Vec3;
use rayon::iter::{IndexedParallelIterator, IntoParallelIterator, ParallelIterator};

use super::crew::Crew;
use super::{Contribution, Failure, Reports};
use crate::dynamics::{self, ContactSolver, GRAIN, Motion, Wish};
use crate::world::{Blend, Group, Units, World};

/// Sums, moves, solves contacts and heeds the edges. A unit whose state would no longer be finite
/// stays where it was, at rest, and is reported.
pub(super) fn act(
    world: &mut World,
    crews: &[Crew],
    contacts: &mut ContactSolver,
    reports: &mut Reports,
) {
    let lost = if world.contacts.any() {
        contacts.begin(world);
        let lost = advance(world, crews, false);
        lost.or(contacts.settle(world))
    } else {
        advance(world, crews, true)
    };
    if let Some(unit) = lost {
        report(&world.groups, unit, world.steps + 1, reports);
    }
}

/// Moves every unit by its wish. Edges count at once unless contacts come before them. The answer is
/// the first unit whose state would not be finite.
fn advance(world: &mut World, crews: &[Crew], edges: bool) -> Option<usize> {
    let (groups, arena, controls) = (&world.groups, &world.arena, &world.controls);
    let (player, step) = (world.player, world.step);
    each_motion(&mut world.units, |unit, group, motion, marks| {
        let (group, crew) = (&groups[group as usize], &crews[group as usize]);
        let index = unit - group.units.start;
        *marks = crew.marks[index];
        let before = *motion;
        let wish = blend(group, crew, index);
        let controls = (player == Some(unit)).then_some(controls);
        dynamics::advance(&group.body, motion, &wish, controls, arena, step);
        if edges {
            dynamics::confine(arena, motion);
        }
        let finite = motion.is_finite();
        if !finite {
            *motion = Motion {
                velocity: Vec3::ZERO,
                angular_velocity: Vec3::ZERO,
                ..before
            };
        }
        finite
    })
}

/// Works on the motion and marks of every unit, in parallel: index, group, motion, marks. Returns the
/// first unit for which `work` does not succeed.
fn each_motion(
    units: &mut Units,
    work: impl Fn(usize, u16, &mut Motion, &mut u64) -> bool + Sync,
) -> Option<usize> {
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
                let mut motion = Motion {
                    position: *position,
                    velocity: *velocity,
                    heading: *heading,
                    up: *up,
                    angular_velocity: *angular_velocity,
                };
                let finite = work(unit, *group, &mut motion, marks);
                *position = motion.position;
                *velocity = motion.velocity;
                *heading = motion.heading;
                *up = motion.up;
                *angular_velocity = motion.angular_velocity;
                if finite { usize::MAX } else { unit }
            },
        )
        .reduce(|| usize::MAX, usize::min);
    (lost != usize::MAX).then_some(lost)
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

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use glam::Vec2;

    use super::*;
    use crate::sim::{Behavior, Senses, Simulation, Slot};
    use crate::world::{Body, Mover, unit_key};

    /// The velocity that a mover with a steering force of 2 has after one step of these
    /// contributions and gains.
    fn moved(blend: Blend, asked: &[(Contribution, f32)]) -> Vec3 {
        let mut world = World {
            groups: vec![Group {
                body: Body::Mover(Mover {
                    max_velocity_change: 2.0,
                    max_speed: 100.0,
                    ..Mover::default()
                }),
                blend,
                units: 0..1,
                ..Group::default()
            }],
            ..World::default()
        };
        let axes = (Vec3::X, Vec3::Z);
        let key = unit_key("a", 0);
        world.units.push(Vec3::ZERO, Vec3::ZERO, axes, 0, key);
        let slot = |(contribution, gain): &(Contribution, f32)| {
            let contribution = *contribution;
            let behavior: Arc<dyn Behavior> = Arc::new(move |_: &mut Senses| contribution);
            Slot {
                gain: *gain,
                ..Slot::new("test", 1, Some(behavior))
            }
        };
        let mut simulation = Simulation::new(world, vec![asked.iter().map(slot).collect()]);
        simulation.step();
        simulation.world().units.velocity[0]
    }

    const ONE_X: Contribution = Contribution::Push(Vec3::X);
    const ONE_Y: Contribution = Contribution::Push(Vec3::Y);

    #[test]
    fn a_sum_is_of_all() {
        let sum = moved(
            Blend::Sum,
            &[(ONE_X, 0.5), (Contribution::None, 1.0), (ONE_Y, 1.5)],
        );
        assert_eq!(sum, Vec3::new(0.5, 1.5, 0.0));
    }

    #[test]
    fn a_budget_serves_in_order_until_it_is_used_up() {
        let budget = |budget| Blend::Priority { budget };
        // A push of 1 costs half a steering force of 2.
        assert_eq!(
            moved(budget(1.0), &[(ONE_X, 1.0), (ONE_Y, 1.0)]),
            Vec3::new(1.0, 1.0, 0.0)
        );
        assert_eq!(
            moved(budget(0.75), &[(ONE_X, 1.0), (ONE_Y, 1.0)]),
            Vec3::new(1.0, 0.5, 0.0),
            "the second is cut to what is left"
        );
        assert_eq!(
            moved(budget(0.5), &[(ONE_X, 1.0), (ONE_Y, 1.0)]),
            Vec3::X,
            "nothing is left for the second"
        );
        assert_eq!(
            moved(budget(0.5), &[(ONE_Y, -4.0), (ONE_X, 1.0)]),
            Vec3::NEG_Y,
            "a gain counts, and its sign does not"
        );
        let turn = Contribution::Turn(Vec2::new(0.5, 0.0));
        assert_eq!(
            moved(budget(0.75), &[(turn, 1.0), (ONE_X, 1.0)]),
            Vec3::new(0.5, -1.0, 0.0),
            "a turn costs its length"
        );
    }
}
