//! A mover: steering changes the velocity, and the heading follows the velocity.

use glam::Vec3;

use super::motion::{Motion, Steering, perpendicular};
use crate::world::lengths::{direction, shortened};
use crate::world::{Arena, Controls, Mover};

/// Speed up to which the heading is unchanged.
pub(super) const STILL: f32 = 1e-6;

/// Returns true if a velocity leaves the heading unchanged.
pub(crate) fn is_still(velocity: Vec3) -> bool {
    velocity.length() <= STILL
}

/// velocity += clamped steering; velocity ·= axes; velocity clamped to the maximum speed; position += velocity · step.
#[allow(clippy::inline_always, reason = "a few nanoseconds of every unit")]
#[inline(always)]
pub(super) fn advance(
    body: &Mover,
    motion: &mut Motion,
    steering: &Steering,
    controls: Option<&Controls>,
    arena: &Arena,
    step: f32,
) {
    motion.velocity += change(body, motion, steering, controls, arena).1;
    motion.velocity = damped(body, motion.velocity);
    motion.position += motion.velocity * step;
    face(motion, arena);
}

/// Returns the requested change of velocity by steering and keys, and the same clamped to the maximum change.
#[allow(clippy::inline_always, reason = "a few nanoseconds of every unit")]
#[inline(always)]
pub(super) fn change(
    body: &Mover,
    motion: &Motion,
    steering: &Steering,
    controls: Option<&Controls>,
    arena: &Arena,
) -> (Vec3, Vec3) {
    let mut turn = steering.turn;
    let mut push = steering.push;
    if let Some(controls) = controls {
        turn += glam::Vec2::new(controls.turn, controls.rise);
        push += motion.heading * (controls.power * body.max_velocity_change);
    }
    if !arena.is_plane() {
        turn.y = climb(body, motion, arena, turn.y);
    }
    push += (motion.starboard() * turn.x + motion.up * turn.y) * body.max_velocity_change;
    if arena.is_plane() {
        push.z = 0.0;
    }
    (push, shortened(push, body.max_velocity_change))
}

/// Limits a turn up or down of a moving unit so that it ends at the vertical: beyond it the up axis, which has no roll,
/// would be the opposite one, and the same turn would lead back.
fn climb(body: &Mover, motion: &Motion, arena: &Arena, turn: f32) -> f32 {
    let rise = motion.heading.dot(arena.zenith());
    let speed = motion.velocity.length();
    if turn * rise <= 0.0 || speed <= STILL {
        return turn;
    }
    // The turn reduces the horizontal speed by turn · rise · change.
    let level = (motion.heading - arena.zenith() * rise).length() * speed;
    let most = level / body.max_velocity_change;
    if turn * rise > most { most / rise } else { turn }
}

/// Returns a velocity after damping and the speed limit.
#[allow(clippy::inline_always, reason = "a few nanoseconds of every unit")]
#[inline(always)]
pub(super) fn damped(body: &Mover, velocity: Vec3) -> Vec3 {
    shortened(velocity * body.axes, body.max_speed)
}

/// Aligns the heading with the velocity, without roll: the up axis is as close to the zenith as possible.
#[allow(clippy::inline_always, reason = "a few nanoseconds of every unit")]
#[inline(always)]
pub(super) fn face(motion: &mut Motion, arena: &Arena) {
    let speed = motion.velocity.length();
    if speed <= STILL {
        return;
    }
    motion.heading = motion.velocity / speed;
    if speed == f32::INFINITY {
        motion.heading = direction(motion.velocity).unwrap_or(motion.heading);
    }
    if arena.is_plane() {
        motion.up = Vec3::Z;
        return;
    }
    // For a vertical heading "no roll" is undefined; the up axis then changes as little as possible.
    motion.up = perpendicular(arena.zenith(), motion.heading)
        .or_else(|| perpendicular(motion.up, motion.heading))
        .unwrap_or_else(|| motion.heading.any_orthonormal_vector());
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::world::{Edges, testing::space};
    use glam::Vec2;

    /// Returns a body at rest after a step with this velocity and steering.
    fn moved(body: &Mover, velocity: Vec3, steering: Steering, step: f32) -> Motion {
        let mut motion = Motion {
            position: Vec3::ZERO,
            velocity,
            heading: Vec3::X,
            up: Vec3::Y,
            angular_velocity: Vec3::ZERO,
        };
        advance(body, &mut motion, &steering, None, &space(50.0, Edges::Open), step);
        motion
    }

    #[test]
    fn the_change_is_clamped_then_damped_by_axis_then_the_speed_is_clamped() {
        let body = Mover { axes: Vec3::new(1.0, 0.5, 1.0), max_speed: 3.0, ..Mover::default() };
        let (mut push, mut turn) = (Steering::default(), Steering::default());
        push.push = Vec3::X * 9.0;
        let motion = moved(&body, Vec3::new(2.0, 1.0, 0.0), push, 0.5);
        assert!(motion.velocity.abs_diff_eq(Vec3::new(2.4, 0.5, 0.0), 1e-6));
        assert!(motion.position.abs_diff_eq(Vec3::new(1.2, 0.25, 0.0), 1e-6));
        turn.turn.x = 0.5;
        let velocity = moved(&body, Vec3::X * 3.0, turn, 0.0).velocity;
        assert!(velocity.z > 0.0 && velocity.length() <= 3.0 + 1e-6);
    }

    #[test]
    fn huge_pushes_are_clamped_and_huge_velocities_have_a_heading() {
        let body = Mover { max_speed: 3.0, ..Mover::default() };
        let push = Steering { push: Vec3::new(3e20, 4e20, 0.0), ..Steering::default() };
        let velocity = moved(&body, Vec3::ZERO, push, 0.5).velocity;
        assert!(velocity.abs_diff_eq(Vec3::new(0.24, 0.32, 0.0), 1e-6), "{velocity}");
        let body = Mover { max_speed: f32::MAX, ..body };
        let motion = moved(&body, Vec3::new(6e25, 8e25, 0.0), Steering::default(), 0.5);
        assert!(motion.heading.abs_diff_eq(Vec3::new(0.6, 0.8, 0.0), 1e-6), "{motion:?}");
    }

    #[test]
    fn a_turn_up_or_down_ends_at_the_vertical_and_rests_there() {
        let arena = space(1e6, Edges::Open);
        for (change, turn) in [(0.5, 1.0), (0.5, -1.0), (3.0, 0.7), (0.01, 1.0), (25.0, 1.0)] {
            let body = Mover { max_speed: 20.0, max_velocity_change: change, ..Mover::default() };
            let steering = Steering { turn: Vec2::Y * turn, push: Vec3::ZERO };
            let mut motion = moved(&body, Vec3::new(19.0, 0.0, 0.0), Steering::default(), 0.1);
            for _ in 0..8000 {
                advance(&body, &mut motion, &steering, None, &arena, 0.01);
            }
            assert!(motion.heading.y * turn.signum() > 0.9999, "{change}: {motion:?}");
            let before = motion.heading;
            advance(&body, &mut motion, &steering, None, &arena, 0.01);
            assert!(motion.heading.abs_diff_eq(before, 1e-5), "{change}: {before} {motion:?}");
            // The turn in the other direction leads away.
            let steering = Steering { turn: -steering.turn, ..steering };
            (0..20).for_each(|_| advance(&body, &mut motion, &steering, None, &arena, 0.01));
            assert!(motion.heading.y * turn.signum() < 0.99999, "{change}: {motion:?}");
        }
    }

    #[test]
    fn axes_are_perpendicular_for_a_vertical_heading() {
        let motion = moved(&Mover::default(), Vec3::Y * 2.0, Steering::default(), 0.1);
        assert_eq!(motion.heading, Vec3::Y);
        assert!(motion.up.dot(motion.heading).abs() < 1e-6 && motion.up.is_normalized());
    }
}
