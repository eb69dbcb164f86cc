//! A rigid body: thrust, drag, rudder and bow thrusters; semi-implicit Euler, and quadratic drag in closed form.
//!
//! Loads and integration follow D. M. Bourg, "Physics for Game Developers", O'Reilly 2002, chapter 15, as used in the
//! flocking chapter of "AI for Game Developers" (2004), extended to three dimensions with one moment of inertia about
//! every axis.

use glam::{Quat, Vec3};

use super::motion::{Motion, Steering, perpendicular};
use crate::world::{Arena, Controls, DragScheme, Rigid, rotate};

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

/// Returns the sum of all loads on a body in body axes, before the restriction to the plane. Drag is the one of the
/// present velocities.
pub fn loads(body: &Rigid, motion: &Motion, steering: &Steering, controls: Option<&Controls>) -> Load {
    let spin = motion.to_local(motion.angular_velocity);
    let drag = drag(body, motion.to_local(motion.velocity), spin);
    let mut sum = driving_loads(body, motion, steering, controls, drag);
    sum.moment -= spin.normalize_or_zero()
        * (body.angular_drag * 0.5 * body.density * spin.length_squared() * body.area());
    sum
}

/// Returns the sum of all loads except for the drag of turning; `drag` is the one of moving.
fn driving_loads(
    body: &Rigid,
    motion: &Motion,
    steering: &Steering,
    controls: Option<&Controls>,
    drag: Load,
) -> Load {
    let mut sum = Load { force: Vec3::Y * body.thrust, moment: Vec3::ZERO };
    sum.add(drag);
    let rudder = steering.turn * body.steering_force;
    let bow = Vec3::Y * (body.length * 0.5);
    sum.add(Load::at(bow, Vec3::new(rudder.x, 0.0, rudder.y)));
    if let Some(controls) = controls {
        sum.add(thrusters(body, controls));
    }
    sum.force += motion.to_local(steering.push);
    sum
}

/// Returns the mean force of drag in a step in world axes, before the restriction to the plane.
pub(super) fn drag_force(
    body: &Rigid,
    motion: &Motion,
    steering: &Steering,
    controls: Option<&Controls>,
    arena: &Arena,
    step: f32,
) -> Vec3 {
    if body.drag_scheme == DragScheme::Explicit || step == 0.0 {
        let spin = motion.to_local(motion.angular_velocity);
        return motion.to_world(drag(body, motion.to_local(motion.velocity), spin).force);
    }
    let mut after = *motion;
    change_velocities(body, &mut after, steering, controls, arena, step);
    let driving = motion.to_world(driving_loads(body, motion, steering, controls, Load::default()).force);
    let driving = if arena.is_plane() { driving.with_z(0.0) } else { driving };
    (after.velocity - motion.velocity) * (body.mass / step) - driving
}

/// Returns the force of the thrusters in body axes.
pub(super) fn thruster_force(body: &Rigid, controls: &Controls) -> Vec3 {
    thrusters(body, controls).force
}

/// The center of drag, and its velocity in body axes.
fn flow(body: &Rigid, velocity: Vec3, spin: Vec3) -> (Vec3, Vec3) {
    let center = Vec3::Y * (body.center_of_drag * body.length);
    (center, velocity + spin.cross(center))
}

/// Drag is doubled while the body moves along its thrust.
fn doubling(body: &Rigid, flow: Vec3) -> f32 {
    if flow.dot(Vec3::Y * body.thrust) > 0.0 { 2.0 } else { 1.0 }
}

/// Quadratic drag at the center of drag.
fn drag(body: &Rigid, velocity: Vec3, spin: Vec3) -> Load {
    let (center, flow) = flow(body, velocity, spin);
    let speed = flow.length();
    if speed <= STILL {
        return Load::default();
    }
    let size = body.drag * 0.5 * body.density * speed * speed * body.area() * doubling(body, flow);
    Load::at(center, flow * (-size / speed))
}

/// Slows a body down by its drag, in closed form.
///
/// du/dt = −k |u| u has the solution u / (1 + k |u| t). At the center of drag, k is the drag over the mass along the
/// heading, and increased by center² / inertia across, as drag there also turns the body. Each part of the velocity of
/// that point is divided by a number above 1, so that drag never adds energy.
fn slow_down(body: &Rigid, motion: &mut Motion, arena: &Arena, step: f32) {
    let spin = motion.to_local(motion.angular_velocity);
    let (center, flow) = flow(body, motion.to_local(motion.velocity), spin);
    let speed = flow.length();
    if speed > STILL {
        let rate = body.drag_factor() * doubling(body, flow) * speed * step;
        let along = body.mass.recip();
        let across = along + center.y * center.y / body.inertia;
        let slowed = flow / (Vec3::ONE + Vec3::new(across, along, across) * rate);
        let impulse = slowed * -rate;
        let mut turn = motion.to_world(center.cross(impulse));
        let mut push = motion.to_world(impulse);
        if arena.is_plane() {
            push.z = 0.0;
            turn = Vec3::Z * turn.z;
        }
        motion.velocity += push * along;
        motion.angular_velocity += turn / body.inertia;
    }
    let rate = body.angular_drag_factor() / body.inertia * step;
    motion.angular_velocity /= 1.0 + rate * motion.angular_velocity.length();
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
    change_velocities(body, motion, steering, controls, arena, step);
    motion.position += motion.velocity * step;
    turn(motion, motion.angular_velocity * step, arena.is_plane());
}

/// Changes the velocities by all loads. In closed form, drag acts for one half of the step before the other loads and for
/// the other half after them (G. Strang, 1968), so that the top speed hardly depends on the step.
fn change_velocities(
    body: &Rigid,
    motion: &mut Motion,
    steering: &Steering,
    controls: Option<&Controls>,
    arena: &Arena,
    step: f32,
) {
    match body.drag_scheme {
        DragScheme::Closed => {
            let load = driving_loads(body, motion, steering, controls, Load::default());
            slow_down(body, motion, arena, step * 0.5);
            apply(body, motion, load, arena, step);
            slow_down(body, motion, arena, step * 0.5);
        }
        DragScheme::Explicit => apply(body, motion, loads(body, motion, steering, controls), arena, step),
    }
}

/// Changes the velocities by a load.
fn apply(body: &Rigid, motion: &mut Motion, load: Load, arena: &Arena, step: f32) {
    let mut force = motion.to_world(load.force);
    let mut moment = motion.to_world(load.moment);
    if arena.is_plane() {
        force.z = 0.0;
        moment = Vec3::Z * moment.z;
    }
    motion.velocity += force / body.mass * step;
    motion.angular_velocity += moment / body.inertia * step;
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
        let body = Rigid { density: 0.0, ..Rigid::default() };
        let load = loads(&body, &motion, &steering, None);
        assert_eq!(load.moment, Vec3::new(0.0, 0.0, -12.0));
        advance(&body, &mut motion, &steering, None, &plane(800.0, 600.0, Edges::Wrap), 0.1);
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
    fn it_reaches_its_top_speed_by_every_step() {
        for step in [0.01, 0.1, 1.0] {
            let mut motion = moving(Vec3::Y * 10.0);
            (0..(200.0 / step) as usize).for_each(|_| advanced(&mut motion, &STEADY, step));
            let top = Rigid::default().top_speed();
            assert!((motion.velocity.y / top - 1.0).abs() < 1e-2, "{step}: {}", motion.velocity.y);
        }
    }

    /// Bodies without thrust in SI units: a craft in air, and two fish in water.
    fn gliders() -> [(Rigid, f32); 3] {
        let fish = |mass: f32| Rigid {
            mass,
            inertia: 0.1,
            length: 0.3,
            width: 0.1,
            height: 0.1,
            thrust: 0.0,
            density: 1000.0,
            ..Rigid::default()
        };
        [(Rigid { thrust: 0.0, ..Rigid::default() }, 40.0), (fish(0.1), 3.0), (fish(1.0), 3.0)]
    }

    const STEPS: [f32; 5] = [1.0 / 240.0, 1.0 / 60.0, 0.05, 0.25, 1.0];

    #[test]
    fn drag_slows_down_as_its_differential_equation_for_every_step() {
        let arena = plane(800.0, 600.0, Edges::Open);
        for (body, speed) in gliders() {
            for step in STEPS {
                let mut motion = moving(Vec3::Y * speed);
                let factor =
                    body.drag * 0.5 * body.density * (body.length + body.width) * body.height / body.mass;
                for count in 1..=(10.0 / step) as usize {
                    advance(&body, &mut motion, &STEADY, None, &arena, step);
                    let exact = speed / (1.0 + factor * speed * count as f32 * step);
                    let ratio = motion.velocity.y / exact;
                    assert!((ratio - 1.0).abs() < 1e-3, "mass {}, step {step}, {count}: {ratio}", body.mass);
                }
            }
        }
    }

    #[test]
    fn drag_slows_turning_down_as_its_differential_equation_for_every_step() {
        let arena = plane(800.0, 600.0, Edges::Open);
        for (body, spin) in gliders() {
            let body = Rigid { center_of_drag: 0.0, ..body };
            for step in STEPS {
                let mut motion = Motion { angular_velocity: Vec3::Z * spin, ..moving(Vec3::ZERO) };
                let area = (body.length + body.width) * body.height;
                let factor = body.angular_drag * 0.5 * body.density * area / body.inertia;
                for count in 1..=(10.0 / step) as usize {
                    advance(&body, &mut motion, &STEADY, None, &arena, step);
                    let exact = spin / (1.0 + factor * spin * count as f32 * step);
                    let ratio = motion.angular_velocity.z / exact;
                    assert!((ratio - 1.0).abs() < 1e-3, "step {step}, {count}: {ratio}");
                }
            }
        }
    }

    #[test]
    fn drag_never_adds_energy() {
        let space = crate::world::testing::space(1e6, Edges::Open);
        for (body, speed) in gliders() {
            for (number, step) in (0..200).zip(STEPS.into_iter().cycle()) {
                let draw = |index| crate::world::random::draw(3, number, 0, 0, index) - 0.5;
                let mut motion = moving(Vec3::new(draw(0), draw(1), draw(2)) * speed);
                motion.angular_velocity = Vec3::new(draw(3), draw(4), draw(5)) * 9.0;
                let body = Rigid { center_of_drag: 3.0 * draw(6), ..body };
                let energy = |motion: &Motion| {
                    motion.velocity.length_squared() * body.mass
                        + motion.angular_velocity.length_squared() * body.inertia
                };
                let mut before = energy(&motion);
                for _ in 0..20 {
                    advance(&body, &mut motion, &STEADY, None, &space, step);
                    assert!(energy(&motion) <= before * (1.0 + 1e-5), "{motion:?}");
                    before = energy(&motion);
                }
            }
        }
    }

    #[test]
    fn the_explicit_scheme_uses_the_loads_at_the_start_and_reverses_beyond_its_limit() {
        let body = Rigid { drag_scheme: DragScheme::Explicit, ..Rigid::default() };
        let mut motion = moving(Vec3::new(1.0, 9.0, 0.0));
        let load = loads(&body, &motion, &STEADY, None);
        let arena = plane(800.0, 600.0, Edges::Open);
        let expected = motion.velocity + load.force / body.mass * 0.1;
        advance(&body, &mut motion, &STEADY, None, &arena, 0.1);
        assert_eq!(motion.velocity, expected);
        for (beyond, sign) in [(0.9, 1.0), (1.1, -1.0)] {
            // The limit is the one of a body that moves along its thrust.
            let body = Rigid { thrust: 1e-9, ..body };
            let [speed, spin] = body.explicit_limits(0.1);
            let mut motion = moving(Vec3::Y * speed * beyond);
            advance(&body, &mut motion, &STEADY, None, &arena, 0.1);
            assert_eq!(motion.velocity.y.signum(), sign);
            let body = Rigid { center_of_drag: 0.0, ..body };
            let mut motion = Motion { angular_velocity: Vec3::Z * spin * beyond, ..moving(Vec3::ZERO) };
            advance(&body, &mut motion, &STEADY, None, &arena, 0.1);
            assert_eq!(motion.angular_velocity.z.signum(), sign);
        }
    }
}
