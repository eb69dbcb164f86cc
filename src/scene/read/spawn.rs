//! Reading of the initial positions of units.

use glam::Vec3;

use super::distribution;
use crate::{
    scene::{
        bounds::Bounds,
        fields::Fields,
        node::{Node, NodeKind},
        parts::Form,
        plan::{Spawn, Start},
        reader::Reader,
        words::shown,
    },
    world::{Arena, Domain},
};

const AT: &str = "for example At([(position: (0, 0), heading: 90)])";

/// The default spawn: the rectangle of a plane, or most of a ball.
pub(super) fn everywhere(arena: &Arena) -> Spawn {
    match arena.domain {
        Domain::Plane { size } => Spawn::Rect { center: arena.center(), size: size.extend(0.0), speed: None },
        Domain::Space { center, radius } => Spawn::Ball { center, radius: 0.8 * radius, speed: None },
    }
}

/// Reads a spawn; `None` if it is invalid.
pub(super) fn spawn<'a>(reader: &mut Reader<'a>, node: Node<'a>) -> Option<Spawn> {
    let is_plane = reader.plane == Some(true);
    let cases: &[_] =
        if is_plane { &["Disc", "Ring", "Rect", "At"] } else { &["Disc", "Ring", "Rect", "Ball", "At"] };
    if let (Node { text: "At", .. }, Some(arguments)) = node.word() {
        reader.record_choice(node, "a spawn", cases.iter().copied());
        return at(reader, arguments);
    }
    let (case, mut fields) = Fields::case(reader, node, "a spawn", cases)?;
    if case == "At" {
        reader.fault_help(node, "At needs a list of starts", AT);
        return None;
    }
    let center = fields.point("center");
    let (size, radius) = match case {
        "Rect" => (size(&mut fields), 0.0),
        _ => (Vec3::ZERO, fields.size("radius")),
    };
    let inner = if case == "Ring" { inner(&mut fields, radius) } else { 0.0 };
    let speed =
        fields.read("speed", |reader, node| distribution::number(reader, node, "speed", Bounds::NotNegative));
    let speed = speed.flatten();
    fields.finish();
    let nearest = match (case, reader.arena) {
        ("Rect", Some(arena)) => arena.center().clamp(center - size * 0.5, center + size * 0.5),
        _ => center,
    };
    reader.inside(node.word().0, "this spawn", nearest, radius);
    Some(match case {
        "Rect" => Spawn::Rect { center, size, speed },
        "Ball" => Spawn::Ball { center, radius, speed },
        "Ring" => Spawn::Ring { center, radius, inner, speed },
        _ => Spawn::Disc { center, radius, speed },
    })
}

/// Reads the inner radius of a ring; by default half the outer one.
fn inner(fields: &mut Fields<'_, '_>, radius: f32) -> f32 {
    let inner = fields.read("inner", |reader, node| {
        let inner = reader.number(node, "inner", Bounds::NotNegative)?;
        if inner > radius {
            reader.fault(node, "`inner` must not be above `radius`");
        }
        Some(inner)
    });
    inner.flatten().unwrap_or(0.5 * radius)
}

fn size(fields: &mut Fields<'_, '_>) -> Vec3 {
    let Some(node) = fields.need("size", "(100, 100)") else {
        return Vec3::ZERO;
    };
    let size = fields.reader.vector(node, "size").unwrap_or(Vec3::ZERO);
    if size.min_element() < 0.0 {
        fields.reader.fault(node, "`size` must not be negative");
    }
    size
}

fn at<'a>(reader: &mut Reader<'a>, arguments: Node<'a>) -> Option<Spawn> {
    let parts = arguments.tuple().unwrap_or_default();
    let [list] = parts[..] else {
        reader.fault_help(arguments.head(), "At needs one list of starts", AT);
        return None;
    };
    reader.record_form(list, Form::List);
    let Some(items) = list.items().filter(|_| list.kind() == NodeKind::List) else {
        let message = format!("At needs a list of starts, not {}", shown(list));
        reader.fault_help(list, message, AT);
        return None;
    };
    if items.is_empty() {
        reader.fault_help(list, "At needs at least one start", AT);
    }
    reader.record_collection(list, "At", items.iter().map(|item| (None, *item)));
    let starts = items.into_iter().map(|item| start(reader, item));
    Some(Spawn::At(starts.collect()))
}

fn start<'a>(reader: &mut Reader<'a>, node: Node<'a>) -> Start {
    let mut fields = Fields::of(reader, node, "a start");
    let position_key = fields.key("position").unwrap_or(fields.owner);
    let position = fields.point("position");
    let heading = fields.read("heading", heading_of).flatten();
    let velocity = fields.vector("velocity");
    fields.finish();
    reader.inside(position_key, "this start", position, 0.0);
    Start { position, heading, velocity }
}

/// Reads a heading: degrees from +x, or a direction.
fn heading_of<'a>(reader: &mut Reader<'a>, node: Node<'a>) -> Option<Vec3> {
    if node.kind() == NodeKind::Parentheses {
        let direction = reader.vector(node, "heading")?;
        if direction == Vec3::ZERO {
            reader.fault(node, "`heading` needs a direction, not zero");
        }
        // Scaled first: the squares of very long or short vectors overflow or underflow.
        return (direction / direction.abs().max_element()).try_normalize();
    }
    let degrees = reader.number(node, "heading", Bounds::Any)?;
    Some(direction(degrees))
}

/// Returns the unit vector at `degrees` counter-clockwise from +x, exact at right angles.
fn direction(degrees: f32) -> Vec3 {
    let turn = f64::from(degrees).rem_euclid(360.0);
    let (sine, cosine) = libm::sincos(turn.to_radians());
    let exact = |value: f64| {
        if value.abs() < 1e-12 { 0.0 } else { value as f32 }
    };
    Vec3::new(exact(cosine), exact(sine), 0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn directions_are_counter_clockwise_and_exact_at_right_angles() {
        assert_eq!(direction(0.0), Vec3::X);
        assert_eq!(direction(90.0), Vec3::Y);
        assert_eq!(direction(-180.0), Vec3::NEG_X);
        assert_eq!(direction(630.0), Vec3::NEG_Y);
        assert!((direction(30.0) - Vec3::new(0.866_025_4, 0.5, 0.0)).length() < 1e-6);
    }
}
