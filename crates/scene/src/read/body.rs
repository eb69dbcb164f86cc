//! Reading of bodies: every field is optional.

use glam::Vec3;
use steerbox_core::world::{Body, BodyDraw, BodyNumber, Distribution, DragScheme, Mover, Rigid};

use super::distribution::{DISTRIBUTION, number as distribution};
use crate::{bounds::Bounds, fields::Fields, node::Node, reader::Reader};

/// Default maximum speed of a mover, in lengths per second.
const LENGTHS_A_SECOND: f32 = 6.0;
/// Default duration in which a mover accelerates from rest to its maximum speed.
const SECONDS_TO_MAX_SPEED: f32 = 0.25;

/// The cases of `drag_scheme`.
const DRAG_SCHEMES: [(&str, DragScheme); 2] =
    [("Closed", DragScheme::Closed), ("Explicit", DragScheme::Explicit)];

/// Reads a body and its numbers that differ by unit; returns a default one if it is invalid. `step` is the time step of
/// the scene.
pub(super) fn body<'a>(reader: &mut Reader<'a>, node: Node<'a>, step: f32) -> DrawnBody {
    match Fields::case(reader, node, "a body", &["Rigid", "Mover"]) {
        Some(("Mover", fields)) => mover(fields, step),
        Some((_, fields)) => rigid(fields),
        None => (Body::Rigid(Rigid::default()), Vec::new()),
    }
}

/// A body, and its numbers that differ by unit.
pub(super) type DrawnBody = (Body, Vec<BodyDraw>);

/// Reads a number that may be a distribution, which is added to `draws`; returns the number, or the mean.
fn drawn(
    fields: &mut Fields<'_, '_>,
    draws: &mut Vec<BodyDraw>,
    (name, number): (&'static str, BodyNumber),
    bounds: Bounds,
    default: f32,
) -> f32 {
    #[cfg(test)]
    fields.record_default(name, default);
    let found = fields.read(name, |reader, node| distribution(reader, node, (name, bounds), DISTRIBUTION));
    match found.flatten() {
        Some(Distribution::Constant(number)) => number,
        Some(distribution) => {
            let mean = distribution.mean();
            draws.push(BodyDraw::new(name, number, distribution));
            mean
        }
        None => default,
    }
}

fn rigid(mut fields: Fields<'_, '_>) -> DrawnBody {
    use Bounds::{Above, Any, NotNegative};
    let (default, mut draws) = (Rigid::default(), Vec::new());
    let mass = drawn(&mut fields, &mut draws, ("mass", BodyNumber::Mass), Above, default.mass);
    let inertia = fields.number("inertia", Above, default.inertia);
    let length = drawn(&mut fields, &mut draws, ("length", BodyNumber::Length), Above, default.length);
    let width = drawn(&mut fields, &mut draws, ("width", BodyNumber::Width), Above, default.width);
    let mut number = |name, bounds, default| fields.number(name, bounds, default);
    let body = Rigid {
        mass,
        inertia,
        length,
        width,
        height: number("height", Above, default.height),
        thrust: number("thrust", NotNegative, default.thrust),
        steering_force: number("steering_force", NotNegative, default.steering_force),
        drag: number("drag", NotNegative, default.drag),
        angular_drag: number("angular_drag", NotNegative, default.angular_drag),
        density: number("density", NotNegative, default.density),
        center_of_drag: number("center_of_drag", Any, default.center_of_drag),
        drag_scheme: fields.choice("drag_scheme", &DRAG_SCHEMES, DragScheme::Closed),
    };
    fields.finish();
    (Body::Rigid(body), draws)
}

/// Reads a mover. Defaults scale with the given fields: a body of any size and speed is as slender, and as agile for its
/// size, as the default one. They scale with the mean of a field that differs by unit.
fn mover(mut fields: Fields<'_, '_>, step: f32) -> DrawnBody {
    use Bounds::{Above, NotNegative};
    let mut draws = Vec::new();
    let length = drawn(&mut fields, &mut draws, ("length", BodyNumber::Length), Above, 1.0);
    let width = drawn(&mut fields, &mut draws, ("width", BodyNumber::Width), Above, length / 2.0);
    let max_speed = LENGTHS_A_SECOND * length;
    let max_speed = drawn(&mut fields, &mut draws, ("max_speed", BodyNumber::MaxSpeed), Above, max_speed);
    let desired = ("desired_speed", BodyNumber::DesiredSpeed);
    let desired_speed = drawn(&mut fields, &mut draws, desired, NotNegative, max_speed / 2.0);
    let change = max_speed * step / SECONDS_TO_MAX_SPEED;
    let max_velocity_change = fields.number("max_velocity_change", NotNegative, change);
    let axes = fields.read("axes", |reader, node| reader.numbers(node, "axes", NotNegative));
    let axes = axes.flatten().map_or(Vec3::ONE, Vec3::from_array);
    fields.finish();
    (Body::Mover(Mover { length, width, max_speed, desired_speed, max_velocity_change, axes }), draws)
}
