//! Rigid bodies: loads and integration.

use glam::DVec2;

use super::aidemo4::{Craft, STEERING_FORCE};

pub(crate) const MASS: f64 = 10.0;
pub(crate) const INERTIA: f64 = 10.0;
const LENGTH: f64 = 4.0;
const WIDTH: f64 = 2.0;
const HEIGHT: f64 = 4.0;
const AREA: f64 = (LENGTH + WIDTH) * HEIGHT;
const DENSITY: f64 = 0.002_376_9;
const DRAG: f64 = 0.3;
const ANGULAR_DRAG: f64 = 5000.0;
const CENTER_OF_DRAG: DVec2 = DVec2::new(0.0, -0.12 * LENGTH);
const BOW: DVec2 = DVec2::new(0.0, LENGTH / 2.0);
/// Force of a bow thruster that a key fires, relative to the steering force.
const THRUSTER: f64 = 0.5;

/// The moment of a force at a point, counter-clockwise, both in the body frame.
fn moment(at: DVec2, force: DVec2) -> f64 {
    at.x * force.y - at.y * force.x
}

fn thrust(craft: &Craft) -> DVec2 {
    DVec2::new(0.0, if craft.interceptor { 15.0 } else { 10.0 })
}

fn drag(craft: &Craft) -> DVec2 {
    let spin = DVec2::new(-craft.spin * CENTER_OF_DRAG.y, craft.spin * CENTER_OF_DRAG.x);
    let v = craft.local(craft.velocity) + spin;
    let factor = if v.dot(thrust(craft)) > 0.0 { 2.0 } else { 1.0 };
    -v.normalize_or_zero() * DRAG * 0.5 * DENSITY * v.length_squared() * AREA * factor
}

/// Force and moment in the body frame. `steering` is the summed steering force, positive to starboard; `keys` is −1, 0
/// or +1 for Right.
pub(crate) fn loads(craft: &Craft, steering: f64, keys: f64) -> (DVec2, f64) {
    let rudder = DVec2::new(steering, 0.0);
    let thruster = DVec2::new(keys * THRUSTER * STEERING_FORCE, 0.0);
    // Right pushes the bow to starboard from the port side, Left the other way.
    let seat = DVec2::new(-keys * WIDTH / 2.0, LENGTH / 2.0);
    let force = thrust(craft) + drag(craft) + rudder + 3.0 * thruster;
    let turning = moment(CENTER_OF_DRAG, drag(craft)) + moment(BOW, rudder) + moment(seat, thruster);
    let spin = craft.spin;
    let spin_drag = spin.signum() * ANGULAR_DRAG * 0.5 * DENSITY * spin * spin * AREA;
    (force, turning - spin_drag)
}

/// Semi-implicit Euler, then wrapping at the edges of the window.
pub(crate) fn advance(craft: &Craft, load: (DVec2, f64), step: f64, window: DVec2) -> Craft {
    let (force, moment) = load;
    let force = craft.starboard() * force.x + craft.heading * force.y;
    let mut next = *craft;
    next.velocity += force / MASS * step;
    next.position += next.velocity * step;
    next.position = next.position.rem_euclid(window);
    next.spin += moment / INERTIA * step;
    next.heading = DVec2::from_angle(next.spin * step).rotate(craft.heading);
    next
}
