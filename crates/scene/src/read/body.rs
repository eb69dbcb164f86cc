//! Reading of bodies: every field is optional.

use glam::Vec3;
use steerbox_core::world::{Body, BodyDraw, BodyNumber, Distribution, DragScheme, Mover, Rigid};

use super::distribution::number as distribution;
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
    match Fields::case(reader, node, "a body") {
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
    default: f32,
) -> f32 {
    let bounds = fields.bounds(name);
    let found =
        fields.read(name, |reader, node| distribution(reader, node, (name, bounds), "a distribution"));
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
    let (default, mut draws) = (Rigid::DEFAULT, Vec::new());
    let mut drawn = |name, number, default| drawn(&mut fields, &mut draws, (name, number), default);
    let body = Rigid {
        mass: drawn("mass", BodyNumber::Mass, default.mass),
        length: drawn("length", BodyNumber::Length, default.length),
        width: drawn("width", BodyNumber::Width, default.width),
        inertia: fields.number("inertia"),
        height: fields.number("height"),
        thrust: fields.number("thrust"),
        steering_force: fields.number("steering_force"),
        drag: fields.number("drag"),
        angular_drag: fields.number("angular_drag"),
        density: fields.number("density"),
        center_of_drag: fields.number("center_of_drag"),
        drag_scheme: fields.word("drag_scheme", &DRAG_SCHEMES).unwrap_or(default.drag_scheme),
    };
    fields.finish();
    (Body::Rigid(body), draws)
}

/// Reads a mover. Defaults scale with the given fields: a body of any size and speed is as slender, and as agile for its
/// size, as the default one. They scale with the mean of a field that differs by unit.
fn mover(mut fields: Fields<'_, '_>, step: f32) -> DrawnBody {
    let mut draws = Vec::new();
    let mut drawn = |name, number, default| drawn(&mut fields, &mut draws, (name, number), default);
    let length = drawn("length", BodyNumber::Length, 1.0);
    let width = drawn("width", BodyNumber::Width, length / 2.0);
    let max_speed = drawn("max_speed", BodyNumber::MaxSpeed, LENGTHS_A_SECOND * length);
    let desired_speed = drawn("desired_speed", BodyNumber::DesiredSpeed, max_speed / 2.0);
    let change = max_speed * step / SECONDS_TO_MAX_SPEED;
    let max_velocity_change = fields.optional("max_velocity_change").unwrap_or(change);
    let axes = fields.read("axes", |reader, node| reader.numbers(node, "axes", Bounds::NotNegative));
    let axes = axes.flatten().map_or(Vec3::ONE, Vec3::from_array);
    fields.finish();
    (Body::Mover(Mover { length, width, max_speed, desired_speed, max_velocity_change, axes }), draws)
}
