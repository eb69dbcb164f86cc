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

/// A body; a default one stands in for one that cannot be read.
pub(super) fn body<'a>(reader: &mut Reader<'a>, node: Node<'a>) -> Body {
    match reader.case(node, "a body", &["Rigid", "Mover"], &[]) {
        Some(("Mover", fields)) => Body::Mover(mover(reader, fields)),
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

fn mover<'a>(reader: &mut Reader<'a>, mut fields: Fields<'a>) -> Mover {
    let default = Mover::default();
    let mut number = |name, bounds, default| fields.number(reader, name, bounds, default);
    let max_speed = number("max_speed", Bounds::Above, default.max_speed);
    let body = Mover {
        length: number("length", Bounds::Above, default.length),
        width: number("width", Bounds::Above, default.width),
        max_speed,
        // A file that lowers the limit alone does not mean to aim above it.
        desired_speed: number(
            "desired_speed",
            Bounds::NotNegative,
            default.desired_speed.min(max_speed),
        ),
        max_velocity_change: number(
            "max_velocity_change",
            Bounds::NotNegative,
            default.max_velocity_change,
        ),
        axes: default.axes,
    };
    let axes = fields.take("axes");
    let axes = axes.and_then(|node| reader.numbers(node, "axes", Bounds::NotNegative));
    fields.finish(reader);
    Mover {
        axes: axes.map_or(default.axes, Vec3::from_array),
        ..body
    }
}
