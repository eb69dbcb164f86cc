//! Breakdown of the motion of a body in one step, by the formulas of the step.

use glam::Vec3;

use super::motion::{Motion, Steering};
use super::{mover, rigid};
use crate::world::{Arena, Body, Controls};

/// The causes of a body's motion in one step, in world axes: forces on a rigid body, changes of a mover's velocity.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Breakdown {
    /// The steering of the behaviors, after gains and budget.
    pub steering: Vec3,
    /// The contribution of the player's keys.
    pub keys: Vec3,
    /// The sum of both after limits: a mover's maximum change, and the restriction to the plane.
    pub applied: Vec3,
    /// Thrust of a rigid body's engine.
    pub thrust: Vec3,
    /// Drag of a rigid body; for a mover the change of velocity by damping and the speed limit.
    pub drag: Vec3,
}

/// Computes the breakdown of the step that [`super::advance`] makes.
pub fn breakdown(
    body: &Body,
    motion: &Motion,
    steering: &Steering,
    controls: Option<&Controls>,
    arena: &Arena,
    step: f32,
) -> Breakdown {
    let in_arena = |v: Vec3| if arena.is_plane() { v.with_z(0.0) } else { v };
    match body {
        Body::Rigid(body) => {
            let requested = in_world(motion, steering, body.steering_force);
            let thrust = motion.to_world(Vec3::Y * body.thrust);
            let drag = rigid::drag_force(body, motion, steering, controls, arena, step);
            let keys = controls.map_or(Vec3::ZERO, |it| motion.to_world(rigid::thruster_force(body, it)));
            Breakdown {
                steering: requested,
                keys,
                applied: in_arena(requested + keys),
                thrust: in_arena(thrust),
                drag: in_arena(drag),
            }
        }
        Body::Mover(body) => {
            let requested = in_world(motion, steering, body.max_velocity_change);
            let (all, applied) = mover::change(body, motion, steering, controls, arena);
            let velocity = motion.velocity + applied;
            let drag = mover::damped(body, velocity) - velocity;
            let keys = if controls.is_some() { all - in_arena(requested) } else { Vec3::ZERO };
            Breakdown { steering: requested, keys, applied, thrust: Vec3::ZERO, drag }
        }
    }
}

/// Returns a steering as one vector in world axes; `force` is the effect of a turn of 1.
pub fn in_world(motion: &Motion, steering: &Steering, force: f32) -> Vec3 {
    let turn = steering.turn;
    steering.push + (motion.starboard() * turn.x + motion.up * turn.y) * force
}

#[cfg(test)]
mod tests {
    use glam::Vec2;

    use super::*;
    use crate::dynamics::advance;
    use crate::world::{DragScheme, Edges, Mover, Rigid, testing::space};

    fn motion() -> Motion {
        Motion {
            position: Vec3::ZERO,
            velocity: Vec3::new(1.5, 0.25, -0.5),
            heading: Vec3::X,
            up: Vec3::Y,
            angular_velocity: Vec3::ZERO,
        }
    }

    const STEERING: Steering = Steering { turn: Vec2::new(0.25, -0.5), push: Vec3::new(3.0, 0.5, 0.0) };

    #[test]
    fn the_parts_of_a_mover_add_up_to_its_new_velocity() {
        let body = Mover { axes: Vec3::new(1.0, 0.5, 1.0), max_speed: 1.25, ..Mover::default() };
        let (arena, before) = (space(50.0, Edges::Open), motion());
        let parts = breakdown(&Body::Mover(body), &before, &STEERING, None, &arena, 0.1);
        assert!((parts.applied.length() - body.max_velocity_change).abs() < 1e-6);
        assert!(parts.steering.length() > 3.0 && parts.keys == Vec3::ZERO);
        let mut after = before;
        advance(&Body::Mover(body), &mut after, &STEERING, None, &arena, 0.1);
        let sum = before.velocity + parts.applied + parts.drag;
        assert!(sum.abs_diff_eq(after.velocity, 1e-6), "{sum} {after:?}");
    }

    #[test]
    fn the_parts_of_a_rigid_body_add_up_to_its_acceleration() {
        for drag_scheme in [DragScheme::Closed, DragScheme::Explicit] {
            let body = Rigid { density: 0.5, drag_scheme, ..Rigid::default() };
            let (arena, before) = (space(50.0, Edges::Open), motion());
            let parts = breakdown(&Body::Rigid(body), &before, &STEERING, None, &arena, 0.5);
            let mut after = before;
            advance(&Body::Rigid(body), &mut after, &STEERING, None, &arena, 0.5);
            let sum = before.velocity + (parts.applied + parts.thrust + parts.drag) / body.mass * 0.5;
            assert!(sum.abs_diff_eq(after.velocity, 1e-5), "{sum} {after:?}");
            assert!(parts.thrust == Vec3::X * body.thrust && parts.drag.dot(before.velocity) < 0.0);
        }
    }
}
