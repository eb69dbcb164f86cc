//! Reading bodies: every field is optional.

use glam::Vec3;

use crate::{
    scene::{
        fields::Fields,
        node::Node,
        reader::{Bounds, Reader},
    },
    world::{Body, Mover, Rigid},
};

/// Top speed of a mover that states none, in its lengths.
const LENGTHS_A_SECOND: f32 = 6.0;
/// How long a mover that does not state it takes from rest to its top speed.
const SECONDS_TO_MAX_SPEED: f32 = 0.25;

/// A body; a default one stands in for one that cannot be read. `step` is the scene's.
pub(super) fn body<'a>(reader: &mut Reader<'a>, node: Node<'a>, step: f32) -> Body {
    match reader.case(node, "a body", &["Rigid", "Mover"], &[]) {
        Some(("Mover", fields)) => Body::Mover(mover(reader, fields, step)),
        Some((_, fields)) => Body::Rigid(rigid(reader, fields)),
        None => Body::Rigid(Rigid::default()),
    }
}

fn rigid<'a>(reader: &mut Reader<'a>, mut fields: Fields<'a>) -> Rigid {
    let default = Rigid::default();
    let mut number = |name, bounds, default| fields.number(reader, name, bounds, default);
    let body = Rigid {
        mass: number("mass", Bounds::Above, default.mass),
        inertia: number("inertia", Bounds::Above, default.inertia),
        length: number("length", Bounds::Above, default.length),
        width: number("width", Bounds::Above, default.width),
        height: number("height", Bounds::Above, default.height),
        thrust: number("thrust", Bounds::NotNegative, default.thrust),
        steering_force: number(
            "steering_force",
            Bounds::NotNegative,
            default.steering_force,
        ),
        drag: number("drag", Bounds::NotNegative, default.drag),
        angular_drag: number("angular_drag", Bounds::NotNegative, default.angular_drag),
        density: number("density", Bounds::NotNegative, default.density),
        center_of_drag: number("center_of_drag", Bounds::Any, default.center_of_drag),
    };
    fields.finish(reader);
    body
}

/// What is not stated follows from what is: a body of any size and speed is as slender, and as nimble
/// for its size, as a default one.
fn mover<'a>(reader: &mut Reader<'a>, mut fields: Fields<'a>, step: f32) -> Mover {
    let mut number = |name, bounds, default| fields.number(reader, name, bounds, default);
    let length = number("length", Bounds::Above, 1.0);
    let width = number("width", Bounds::Above, length / 2.0);
    let max_speed = number("max_speed", Bounds::Above, LENGTHS_A_SECOND * length);
    let desired_speed = number("desired_speed", Bounds::NotNegative, max_speed / 2.0);
    let change = max_speed * step / SECONDS_TO_MAX_SPEED;
    let max_velocity_change = number("max_velocity_change", Bounds::NotNegative, change);
    let axes = fields.take("axes");
    let axes = axes.and_then(|node| reader.numbers(node, "axes", Bounds::NotNegative));
    fields.finish(reader);
    Mover {
        length,
        width,
        max_speed,
        desired_speed,
        max_velocity_change,
        axes: axes.map_or(Vec3::ONE, Vec3::from_array),
    }
}
