//! Reading of bodies: every field is optional.

use glam::Vec3;

use crate::{
    scene::{bounds::Bounds, fields::Fields, node::Node, reader::Reader},
    world::{Body, Mover, Rigid},
};

/// Default maximum speed of a mover, in lengths per second.
const LENGTHS_A_SECOND: f32 = 6.0;
/// Default duration in which a mover accelerates from rest to its maximum speed.
const SECONDS_TO_MAX_SPEED: f32 = 0.25;

/// Reads a body; returns a default one if it is invalid. `step` is the scene's time step.
pub(super) fn body<'a>(reader: &mut Reader<'a>, node: Node<'a>, step: f32) -> Body {
    match Fields::case(reader, node, "a body", &["Rigid", "Mover"]) {
        Some(("Mover", fields)) => Body::Mover(mover(fields, step)),
        Some((_, fields)) => Body::Rigid(rigid(fields)),
        None => Body::Rigid(Rigid::default()),
    }
}

fn rigid(mut fields: Fields<'_, '_>) -> Rigid {
    use Bounds::{Above, Any, NotNegative};
    let default = Rigid::default();
    let mut number = |name, bounds, default| fields.number(name, bounds, default);
    let body = Rigid {
        mass: number("mass", Above, default.mass),
        inertia: number("inertia", Above, default.inertia),
        length: number("length", Above, default.length),
        width: number("width", Above, default.width),
        height: number("height", Above, default.height),
        thrust: number("thrust", NotNegative, default.thrust),
        steering_force: number("steering_force", NotNegative, default.steering_force),
        drag: number("drag", NotNegative, default.drag),
        angular_drag: number("angular_drag", NotNegative, default.angular_drag),
        density: number("density", NotNegative, default.density),
        center_of_drag: number("center_of_drag", Any, default.center_of_drag),
    };
    fields.finish();
    body
}

/// Reads a mover. Defaults scale with the given fields: a body of any size and speed is as slender, and as agile for its
/// size, as the default one.
fn mover(mut fields: Fields<'_, '_>, step: f32) -> Mover {
    use Bounds::{Above, NotNegative};
    let length = fields.number("length", Above, 1.0);
    let width = fields.number("width", Above, length / 2.0);
    let max_speed = fields.number("max_speed", Above, LENGTHS_A_SECOND * length);
    let desired_speed = fields.number("desired_speed", NotNegative, max_speed / 2.0);
    let change = max_speed * step / SECONDS_TO_MAX_SPEED;
    let max_velocity_change = fields.number("max_velocity_change", NotNegative, change);
    let axes = fields.read("axes", |reader, node| reader.numbers(node, "axes", NotNegative));
    let axes = axes.flatten().map_or(Vec3::ONE, Vec3::from_array);
    fields.finish();
    Mover { length, width, max_speed, desired_speed, max_velocity_change, axes }
}
