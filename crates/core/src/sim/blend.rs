//! Blending: combines contributions into one steering, in the order of the slots.

use super::contribution::Contribution;
use super::slot::Slot;
use crate::dynamics::Steering;
use crate::world::{Blend, Extrema, Group};

/// Combines contributions times gains by the group's blending rule.
#[inline]
pub(super) fn blend(group: &Group, slots: &[Slot], decided: impl Iterator<Item = Contribution>) -> Steering {
    match group.blend {
        Blend::Sum => sum(slots, decided),
        Blend::Priority { budget } => by_priority(group, slots, decided, budget),
    }
}

/// Sums contributions times gains.
#[inline]
pub(super) fn sum(slots: &[Slot], decided: impl Iterator<Item = Contribution>) -> Steering {
    let mut steering = Steering::default();
    for (slot, contribution) in slots.iter().zip(decided) {
        add(&mut steering, &contribution, slot.gain);
    }
    steering
}

/// Sums contributions times gains in order until the budget is used up: a turn consumes its length, a push its length
/// divided by the steering force.
fn by_priority(
    group: &Group,
    slots: &[Slot],
    decided: impl Iterator<Item = Contribution>,
    budget: f32,
) -> Steering {
    let (mut steering, mut left) = (Steering::default(), budget);
    let per_force = group.body.steering_force().greater(f32::MIN_POSITIVE).recip();
    for (slot, contribution) in slots.iter().zip(decided) {
        let cost = match contribution {
            Contribution::None => continue,
            Contribution::Turn(turn) => turn.length() * slot.gain.abs(),
            Contribution::Push(push) => push.length() * slot.gain.abs() * per_force,
        };
        let share = if cost > left { left / cost } else { 1.0 };
        add(&mut steering, &contribution, slot.gain * share);
        left -= cost;
        if left <= 0.0 {
            break;
        }
    }
    steering
}

#[inline]
fn add(steering: &mut Steering, contribution: &Contribution, gain: f32) {
    match contribution {
        Contribution::None => {}
        Contribution::Turn(turn) => steering.turn += *turn * gain,
        Contribution::Push(push) => steering.push += *push * gain,
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use glam::{Vec2, Vec3};

    use super::*;
    use crate::sim::{Behavior, Simulation, Slot, UnitContext};
    use crate::world::{Body, Mover, testing};

    /// Returns the velocity of a mover with a steering force of 2 after one step with these contributions and gains.
    fn moved(blend: Blend, contributions: &[(Contribution, f32)]) -> Vec3 {
        let mut world = testing::world(&[1], 1.0, |_, _| (Vec3::ZERO, Vec3::ZERO));
        world.groups[0].body =
            Body::Mover(Mover { max_velocity_change: 2.0, max_speed: 100.0, ..Mover::default() });
        world.groups[0].blend = blend;
        let slot = |(contribution, gain): &(Contribution, f32)| {
            let contribution = *contribution;
            let behavior: Arc<dyn Behavior> = Arc::new(move |_: &mut UnitContext| contribution);
            Slot { gain: *gain, ..Slot::new("test", 1, Some(behavior)) }
        };
        let mut simulation = Simulation::new(world, vec![contributions.iter().map(slot).collect()]);
        simulation.step();
        simulation.world().units.velocity[0]
    }

    const ONE_X: Contribution = Contribution::Push(Vec3::X);
    const ONE_Y: Contribution = Contribution::Push(Vec3::Y);

    #[test]
    fn a_sum_includes_all_contributions() {
        let all = [(ONE_X, 0.5), (Contribution::None, 1.0), (ONE_Y, 1.5)];
        assert_eq!(moved(Blend::Sum, &all), Vec3::new(0.5, 1.5, 0.0));
    }

    #[test]
    fn contributions_consume_the_budget_in_order() {
        let turn = Contribution::Turn(Vec2::new(0.5, 0.0));
        // A push of 1 costs half a steering force of 2.
        for (budget, first, second, expected, what) in [
            (1.0, (ONE_X, 1.0), (ONE_Y, 1.0), [1.0, 1.0], "there is enough for both"),
            (0.75, (ONE_X, 1.0), (ONE_Y, 1.0), [1.0, 0.5], "the second is limited to the remainder"),
            (0.5, (ONE_X, 1.0), (ONE_Y, 1.0), [1.0, 0.0], "nothing is left for the second"),
            (0.5, (ONE_Y, -4.0), (ONE_X, 1.0), [0.0, -1.0], "a gain counts, and its sign does not"),
            (0.75, (turn, 1.0), (ONE_X, 1.0), [0.5, -1.0], "a turn costs its length"),
        ] {
            let velocity = moved(Blend::Priority { budget }, &[first, second]);
            assert_eq!(velocity.truncate().to_array(), expected, "{what}");
        }
    }
}
