//! A rigid body: thrust, drag, rudder and bow thrusters; semi-implicit Euler.
//!
//! Loads and integration follow D. M. Bourg, "Physics for Game Developers", O'Reilly 2002, chapter 15, as used in the
//! flocking chapter of "AI for Game Developers" (2004), extended to three dimensions with one moment of inertia about
//! every axis.

use glam::{Quat, Vec3};

use super::motion::{Motion, Steering, perpendicular};
use crate::world::{Arena, Controls, Rigid, rotate};

/// Force of a bow thruster that a key fires, relative to the steering force.
const THRUSTER: f32 = 0.5;
/// Factor on a bow thruster's force, but not on its moment.
const THRUSTER_GAIN: f32 = 3.0;
/// Speed up to which drag is zero.
const STILL: f32 = 1e-6;

/// Force and moment in body axes.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Load {
    /// Force: x to starboard, y forward, z up.
    pub force: Vec3,
    /// Moment about the center of mass, same axes.
    pub moment: Vec3,
}

impl Load {
    fn at(point: Vec3, force: Vec3) -> Self {
        Self { force, moment: point.cross(force) }
    }

    fn add(&mut self, other: Self) {
        self.force += other.force;
        self.moment += other.moment;
    }
}

/// Returns the sum of all loads on a body in body axes, before the restriction to the plane.
pub fn loads(body: &Rigid, motion: &Motion, steering: &Steering, controls: Option<&Controls>) -> Load {
    let spin = motion.to_local(motion.angular_velocity);
    let thrust = Vec3::Y * body.thrust;
    let mut sum = Load { force: thrust, moment: Vec3::ZERO };
    sum.add(drag(body, motion.to_local(motion.velocity), spin, thrust));
    let rudder = steering.turn * body.steering_force;
    let bow = Vec3::Y * (body.length * 0.5);
    sum.add(Load::at(bow, Vec3::new(rudder.x, 0.0, rudder.y)));
    if let Some(controls) = controls {
        sum.add(thrusters(body, controls));
    }
    sum.force += motion.to_local(steering.push);
    sum.moment -= spin.normalize_or_zero()
        * (body.angular_drag * 0.5 * body.density * spin.length_squared() * body.area());
    sum
}

/// Returns the force of drag in body axes.
pub(super) fn drag_force(body: &Rigid, motion: &Motion) -> Vec3 {
    let spin = motion.to_local(motion.angular_velocity);
    drag(body, motion.to_local(motion.velocity), spin, Vec3::Y * body.thrust).force
}

/// Returns the force of the thrusters in body axes.
pub(super) fn thruster_force(body: &Rigid, controls: &Controls) -> Vec3 {
    thrusters(body, controls).force
}

/// Quadratic drag at the center of drag; doubled while the body moves along its thrust.
fn drag(body: &Rigid, velocity: Vec3, spin: Vec3, thrust: Vec3) -> Load {
    let center = Vec3::Y * (body.center_of_drag * body.length);
    let flow = velocity + spin.cross(center);
    let speed = flow.length();
    if speed <= STILL {
        return Load::default();
    }
    let factor = if flow.dot(thrust) > 0.0 { 2.0 } else { 1.0 };
    let size = body.drag * 0.5 * body.density * speed * speed * body.area() * factor;
    Load::at(center, flow * (-size / speed))
}

/// The thrusters push the bow to the side, up or down, through the long axis: no roll.
fn thrusters(body: &Rigid, controls: &Controls) -> Load {
    let push = Vec3::new(controls.turn, 0.0, controls.rise) * (THRUSTER * body.steering_force);
    let bow = Vec3::Y * (body.length * 0.5);
    Load { force: push * THRUSTER_GAIN, moment: bow.cross(push) }
}

/// Semi-implicit Euler: velocities first, then positions with the new velocities.
pub(super) fn advance(
    body: &Rigid,
    motion: &mut Motion,
    steering: &Steering,
    controls: Option<&Controls>,
    arena: &Arena,
    step: f32,
) {
    let load = loads(body, motion, steering, controls);
    let mut force = motion.to_world(load.force);
    let mut moment = motion.to_world(load.moment);
    if arena.is_plane() {
        force.z = 0.0;
        moment = Vec3::Z * moment.z;
    }
    motion.velocity += force / body.mass * step;
    motion.position += motion.velocity * step;
    motion.angular_velocity += moment / body.inertia * step;
    turn(motion, motion.angular_velocity * step, arena.is_plane());
}

/// Rotates the axes by a rotation vector in radians and re-orthonormalizes them.
fn turn(motion: &mut Motion, rotation: Vec3, plane: bool) {
    let rotation = Quat::from_scaled_axis(rotation);
    let heading = rotate(motion.heading, rotation);
    if plane {
        motion.heading = heading.with_z(0.0).normalize_or(motion.heading);
        return;
    }
    let up = rotate(motion.up, rotation);
    motion.heading = heading.normalize_or(motion.heading);
    motion.up = perpendicular(up, motion.heading).unwrap_or(motion.up);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::world::{Edges, testing::plane};
    use glam::Vec2;

    const STEADY: Steering = Steering { turn: Vec2::ZERO, push: Vec3::ZERO };

    fn moving(velocity: Vec3) -> Motion {
        Motion { position: Vec3::ZERO, velocity, heading: Vec3::Y, up: Vec3::Z, angular_velocity: Vec3::ZERO }
    }

    fn advanced(motion: &mut Motion, steering: &Steering, step: f32) {
        let plane = plane(800.0, 600.0, Edges::Wrap);
        advance(&Rigid::default(), motion, steering, None, &plane, step);
    }

    #[test]
    fn drag_forward_is_doubled_and_acts_aft() {
        let load = |velocity| loads(&Rigid::default(), &moving(velocity), &STEADY, None);
        let half = 0.3 * 0.5 * 0.002_376_9 * 100.0 * 24.0;
        let ahead = load(Vec3::Y * 10.0);
        assert!((ahead.force.y - (10.0 - 2.0 * half)).abs() < 1e-5);
        let abeam = load(Vec3::X * 10.0);
        assert!((abeam.force.x + half).abs() < 1e-5);
        let moment = abeam.moment.z;
        assert!((moment + 0.48 * half).abs() < 1e-5, "the stern goes to port: {abeam:?}");
    }

    #[test]
    fn a_turn_to_starboard_turns_clockwise_by_the_moment_of_the_bow() {
        let steering = Steering { turn: Vec2::X, ..STEADY };
        let mut motion = moving(Vec3::ZERO);
        let load = loads(&Rigid::default(), &motion, &steering, None);
        assert_eq!(load.moment, Vec3::new(0.0, 0.0, -12.0));
        advanced(&mut motion, &steering, 0.1);
        assert!((motion.angular_velocity.z + 0.12).abs() < 1e-6);
        assert!(motion.heading.x > 0.0 && motion.heading.z == 0.0);
    }

    #[test]
    fn a_thruster_counts_three_times_as_force_and_once_as_moment() {
        let (mut body, mut controls) = (Rigid::default(), Controls::default());
        (body.thrust, controls.turn) = (0.0, 1.0);
        let load = loads(&body, &moving(Vec3::ZERO), &STEADY, Some(&controls));
        assert_eq!(load.force, Vec3::new(9.0, 0.0, 0.0));
        assert_eq!(load.moment, Vec3::new(0.0, 0.0, -6.0));
        controls.rise = 1.0;
        let load = loads(&body, &moving(Vec3::ZERO), &STEADY, Some(&controls));
        assert_eq!(load.moment, Vec3::new(6.0, 0.0, -6.0), "the body rises without a roll");
    }

    #[test]
    fn it_reaches_its_top_speed() {
        let mut motion = moving(Vec3::Y * 10.0);
        (0..20_000).for_each(|_| advanced(&mut motion, &STEADY, 0.01));
        assert!((motion.velocity.y - Rigid::default().top_speed()).abs() < 1e-2);
    }
}
