//! Bodies against references in double precision.

use glam::{DVec2, Vec2, Vec3};
use proptest::prelude::*;
use steerbox_core::dynamics::{Motion, Steering, advance, loads};
use steerbox_core::world::{Body, Controls, DragScheme, Edges, Mover, Rigid, testing};

/// A craft in the plane: position, velocity, heading and angular velocity, counter-clockwise.
#[derive(Clone, Copy, Debug)]
struct Craft {
    position: DVec2,
    velocity: DVec2,
    heading: f64,
    spin: f64,
}

impl Craft {
    fn forward(&self) -> DVec2 {
        DVec2::from_angle(self.heading)
    }

    fn starboard(&self) -> DVec2 {
        DVec2::new(self.heading.sin(), -self.heading.cos())
    }

    /// World axes to body axes: x to starboard, y forward.
    fn local(&self, v: DVec2) -> DVec2 {
        DVec2::new(v.dot(self.starboard()), v.dot(self.forward()))
    }

    fn motion(&self) -> Motion {
        Motion {
            position: self.position.as_vec2().extend(0.0),
            velocity: self.velocity.as_vec2().extend(0.0),
            heading: self.forward().as_vec2().extend(0.0),
            up: Vec3::Z,
            angular_velocity: Vec3::Z * self.spin as f32,
        }
    }
}

/// External loads on a craft: the summed steering force, a push in world axes, and the bow thrusters, positive to
/// starboard.
#[derive(Clone, Copy, Debug)]
struct Asked {
    turn: f64,
    push: DVec2,
    keys: f64,
}

/// The moment about z of a force at a point, both in body axes.
fn moment(at: DVec2, force: DVec2) -> f64 {
    at.x * force.y - at.y * force.x
}

/// Force in body axes and moment, from the rules of the classic demonstration.
fn reference(body: &Rigid, craft: &Craft, asked: &Asked) -> (DVec2, f64) {
    let number = f64::from;
    let area = number(body.length + body.width) * number(body.height);
    let density = number(body.density);
    let thrust = DVec2::new(0.0, number(body.thrust));

    let center_of_drag = DVec2::new(0.0, number(body.center_of_drag) * number(body.length));
    let rotation = DVec2::new(-craft.spin * center_of_drag.y, craft.spin * center_of_drag.x);
    let flow = craft.local(craft.velocity) + rotation;
    let mut drag = DVec2::ZERO;
    if flow.length() > 1e-6 {
        let factor = if flow.dot(thrust) > 0.0 { 2.0 } else { 1.0 };
        let size = number(body.drag) * 0.5 * density * flow.length_squared() * area * factor;
        drag = -flow.normalize() * size;
    }

    let bow = DVec2::new(0.0, number(body.length) / 2.0);
    let rudder = DVec2::new(asked.turn * number(body.steering_force), 0.0);

    // A turn to starboard fires the thruster on the port side, and vice versa.
    let side = -asked.keys.signum() * number(body.width) / 2.0;
    let seat = DVec2::new(side, number(body.length) / 2.0);
    let fired = DVec2::new(asked.keys * 0.5 * number(body.steering_force), 0.0);

    let spin_drag =
        craft.spin.signum() * (number(body.angular_drag) * 0.5 * density * craft.spin * craft.spin * area);
    let force = thrust + drag + rudder + fired * 3.0 + craft.local(asked.push);
    let moments = [moment(center_of_drag, drag), moment(bow, rudder), moment(seat, fired), -spin_drag];
    (force, moments.iter().sum())
}

/// Semi-implicit Euler.
fn integrate(body: &Rigid, craft: &Craft, asked: &Asked, step: f64) -> Craft {
    let (force, moment) = reference(body, craft, asked);
    let force = craft.starboard() * force.x + craft.forward() * force.y;
    let mut next = *craft;
    next.velocity += force / f64::from(body.mass) * step;
    next.position += next.velocity * step;
    next.spin += moment / f64::from(body.inertia) * step;
    next.heading += next.spin * step;
    next
}

/// Compares with a relative error of 1e-4, or an absolute one below 1.
fn close(name: &str, found: f32, expected: f64) {
    let error = (f64::from(found) - expected).abs();
    let bound = 1e-4 * expected.abs().max(1.0);
    assert!(error <= bound, "{name}: {found} instead of {expected}");
}

fn span(reach: f64) -> std::ops::Range<f64> {
    -reach..reach
}

fn craft() -> impl Strategy<Value = Craft> {
    let spin = prop_oneof![4 => span(3.0), 1 => Just(0.0)];
    let speed = prop_oneof![6 => 0.0..60.0, 1 => Just(0.0)];
    (span(400.0), span(400.0), span(3.2), speed, span(3.2), spin).prop_map(
        |(x, y, heading, speed, course, spin)| Craft {
            position: DVec2::new(x, y),
            velocity: DVec2::from_angle(course) * speed,
            heading,
            spin,
        },
    )
}

fn asked() -> impl Strategy<Value = Asked> {
    let keys = prop_oneof![Just(0.0), Just(1.0), Just(-1.0)];
    (span(3.0), span(20.0), span(20.0), keys).prop_map(|(turn, x, y, keys)| Asked {
        turn,
        push: DVec2::new(x, y),
        keys,
    })
}

fn hull() -> impl Strategy<Value = Rigid> {
    let own = (1.0_f32..30.0, 1.0_f32..30.0, 1.0_f32..8.0, 0.0_f32..20.0);
    let own = own.prop_map(|(mass, inertia, length, thrust)| Rigid {
        mass,
        inertia,
        length,
        thrust,
        ..Rigid::default()
    });
    prop_oneof![Just(Rigid::default()), own]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 256, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_craft_moves_by_its_loads(
        body in hull(),
        craft in craft(),
        asked in asked(),
        step in 0.001_f64..0.02,
    ) {
        let steering = Steering {
            turn: Vec2::new(asked.turn as f32, 0.0),
            push: asked.push.as_vec2().extend(0.0),
        };
        let controls = Controls { turn: asked.keys as f32, ..Controls::default() };
        let controls = (asked.keys != 0.0).then_some(&controls);
        let mut motion = craft.motion();

        let body = Rigid { drag_scheme: DragScheme::Explicit, ..body };
        let load = loads(&body, &motion, &steering, controls);
        let (force, moment) = reference(&body, &craft, &asked);
        close("force to starboard", load.force.x, force.x);
        close("force forward", load.force.y, force.y);
        close("moment", load.moment.z, moment);

        advance(&Body::Rigid(body), &mut motion, &steering, controls, &testing::plane(800.0, 600.0, Edges::Open), step as f32);
        let next = integrate(&body, &craft, &asked, step);
        close("x", motion.position.x, next.position.x);
        close("y", motion.position.y, next.position.y);
        close("velocity along x", motion.velocity.x, next.velocity.x);
        close("velocity along y", motion.velocity.y, next.velocity.y);
        close("spin", motion.angular_velocity.z, next.spin);
        close("heading along x", motion.heading.x, next.forward().x);
        close("heading along y", motion.heading.y, next.forward().y);
        prop_assert_eq!(motion.position.z, 0.0);
        prop_assert_eq!(motion.up, Vec3::Z);
    }

    #[test]
    fn a_mover_applies_pushes_as_changes_of_velocity(
        velocity in prop::array::uniform3(-8.0_f32..8.0),
        push in prop::array::uniform3(-2.0_f32..2.0),
        axes in prop::array::uniform3(0.0_f32..1.2),
        max_velocity_change in 0.0_f32..3.0,
        max_speed in 0.5_f32..10.0,
        step in 0.001_f32..0.5,
    ) {
        let (velocity, push) = (Vec3::from_array(velocity), Vec3::from_array(push));
        let heading = velocity.normalize_or(Vec3::X);
        let up = Vec3::Y.reject_from_normalized(heading);
        let mut motion = Motion {
            position: Vec3::ONE,
            velocity,
            heading,
            up: up.try_normalize().unwrap_or_else(|| heading.any_orthonormal_vector()),
            angular_velocity: Vec3::ZERO,
        };
        let axes = Vec3::from_array(axes);
        let body = Mover { max_velocity_change, max_speed, axes, ..Mover::default() };
        let steering = Steering { turn: Vec2::ZERO, push };
        advance(&Body::Mover(body), &mut motion, &steering, None, &testing::space(500.0, Edges::Open), step);

        let mut change = push.as_dvec3();
        if change.length() > f64::from(max_velocity_change) {
            change = change.normalize() * f64::from(max_velocity_change);
        }
        let mut expected = (velocity.as_dvec3() + change) * axes.as_dvec3();
        if expected.length() > f64::from(max_speed) {
            expected = expected.normalize() * f64::from(max_speed);
        }
        let place = Vec3::ONE.as_dvec3() + expected * f64::from(step);
        for axis in 0..3 {
            close("velocity", motion.velocity[axis], expected[axis]);
            close("position", motion.position[axis], place[axis]);
        }
        if expected.length() > 1e-3 {
            let forward = expected.normalize();
            for axis in 0..3 {
                close("heading", motion.heading[axis], forward[axis]);
            }
            // No roll: starboard is horizontal, and `up` is toward the zenith.
            close("starboard", motion.starboard().y, 0.0);
            prop_assert!(motion.up.y >= 0.0);
        }
        prop_assert!((motion.heading.length() - 1.0).abs() < 1e-5);
        prop_assert!(motion.heading.dot(motion.up).abs() < 1e-5);
    }

    #[test]
    fn the_axes_of_a_craft_in_space_remain_perpendicular(
        velocity in prop::array::uniform3(-40.0_f32..40.0),
        spin in prop::array::uniform3(-3.0_f32..3.0),
        turn in prop::array::uniform2(-2.0_f32..2.0),
    ) {
        let mut motion = Motion {
            position: Vec3::ZERO,
            velocity: Vec3::from_array(velocity),
            heading: Vec3::X,
            up: Vec3::Y,
            angular_velocity: Vec3::from_array(spin),
        };
        let steering = Steering { turn: Vec2::from_array(turn), push: Vec3::ZERO };
        for _ in 0..50 {
            advance(&Body::Rigid(Rigid::default()), &mut motion, &steering, None, &testing::space(500.0, Edges::Open), 0.005);
        }
        prop_assert!(motion.is_finite());
        prop_assert!((motion.heading.length() - 1.0).abs() < 1e-5);
        prop_assert!((motion.up.length() - 1.0).abs() < 1e-5);
        prop_assert!(motion.heading.dot(motion.up).abs() < 1e-5);
    }
}
