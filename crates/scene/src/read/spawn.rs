//! Reading of the initial positions of units.

use glam::Vec3;
use steerbox_core::diagnostics::closest;
use steerbox_core::world::{Arena, Domain};

use super::{
    distribution::number,
    file::{file_text, report},
};
use crate::{
    about::cases_of,
    bounds::Bounds,
    fields::Fields,
    frame::{self, Moment, Space},
    node::{Node, NodeKind},
    parts::Form,
    points::{direction, unit},
    reader::Reader,
    starts::{Area, Heading, Spawn, Start},
    words::shown,
};

const FILE: &str = "for example File(\"first_frame.csv\"), relative to the folder of the scene";
const AT: &str = "for example At([(position: (0, 0), heading: 90)])";

/// The default spawn: the rectangle of a plane, or most of a ball.
pub(super) fn everywhere(arena: &Arena) -> Spawn {
    let area = match arena.domain {
        Domain::Plane { size } => Area::Rect { center: arena.center(), size: size.extend(0.0) },
        Domain::Space { center, radius } => Area::Ball { center, radius: 0.8 * radius },
    };
    Spawn::In { area, speed: None, heading: None }
}

/// Reads the spawn of a group; `None` if it is invalid.
pub(super) fn spawn<'a>(reader: &mut Reader<'a>, node: Node<'a>, group: &str) -> Option<Spawn> {
    if let (Node { text: case @ ("At" | "File"), .. }, Some(arguments)) = node.word() {
        reader.record_choice(node, "a spawn");
        return if *case == *"At" { at(reader, arguments) } else { file(reader, node, group) };
    }
    let (case, mut fields) = Fields::case(reader, node, "a spawn")?;
    if case == "At" {
        reader.fault_help(node, "At needs a list of starts", AT);
        return None;
    }
    if case == "File" {
        reader.fault_help(node, "File needs the name of a table", FILE);
        return None;
    }
    let center = fields.point("center");
    let (size, radius) = match case {
        "Rect" => (size(&mut fields), 0.0),
        _ => (Vec3::ZERO, fields.size("radius")),
    };
    let inner = if case == "Ring" { inner(&mut fields, radius) } else { 0.0 };
    let speed = ("speed", fields.bounds("speed"));
    let speed = fields.read("speed", |reader, node| number(reader, node, speed, "a distribution"));
    let speed = speed.flatten();
    let heading = fields.read("heading", heading_in_area).flatten();
    fields.finish();
    reader.near(node.word().0, "this spawn", center);
    let area = match case {
        "Rect" => Area::Rect { center, size },
        "Ball" => Area::Ball { center, radius },
        "Ring" => Area::Ring { center, radius, inner },
        _ => Area::Disc { center, radius },
    };
    Some(Spawn::In { area, speed, heading })
}

/// Reads the inner radius of a ring; by default half the outer one.
fn inner(fields: &mut Fields<'_, '_>, radius: f32) -> f32 {
    let node = fields.take("inner");
    let inner = node.and_then(|node| fields.limited(node, "inner"));
    if let (Some(node), Some(_)) = (node, inner.filter(|inner| *inner > radius)) {
        fields.reader.fault(node, "`inner` must not be above `radius`");
    }
    inner.unwrap_or(0.5 * radius)
}

fn size(fields: &mut Fields<'_, '_>) -> Vec3 {
    let Some(node) = fields.need("size") else {
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

/// Reads the table of `File("first_frame.csv", flip_y: true)`.
fn file<'a>(reader: &mut Reader<'a>, node: Node<'a>, group: &str) -> Option<Spawn> {
    let (value, mut fields) = Fields::after_value(reader, node, "a spawn", "File");
    let is_flipped = fields.switch("flip_y");
    let frame = fields.read("frame", |reader, node| {
        // A frame number may need more than 24 bits.
        reader.number(node, "frame", Bounds::Any)?;
        node.leaf::<f64>()
    });
    let frame = frame.flatten();
    let moment = Moment { frame, rate: fields.optional("fps").map(f64::from) };
    fields.finish();
    let (node, name, text) = file_text(reader, node, value, FILE)?;
    let Some(text) = text else {
        return Some(Spawn::File { name, starts: Vec::new(), columns: Vec::new(), used: 0 });
    };
    let period = reader.arena.and_then(|arena| arena.wrap());
    let space = Space { is_plane: reader.plane != Some(false), origin: reader.origin, period };
    match frame::read(text, space, moment) {
        Ok(mut frame) => {
            for (message, help) in &frame.remarks {
                reader.warn(node, format!("{name}: {message}"), help);
            }
            if let Some(arena) = reader.arena.filter(|_| is_flipped) {
                frame.starts.iter_mut().for_each(|start| *start = start.flip_y(&arena));
            }
            let outside = |(start, _): &(&Start, &usize)| {
                reader.arena.is_some_and(|arena| arena.distance_to(start.position) > 0.0)
            };
            if let Some((start, line)) = frame.starts.iter().zip(&frame.lines).find(outside) {
                let position = start.position;
                reader.inside(node, &format!("the start in {name}:{line}"), position, 0.0);
            }
            Some(frame.spawn(name, group))
        }
        Err(fault) => report(reader, node, &name, fault),
    }
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

/// Reads a heading: degrees or a direction, `Random`, or `Toward((x, y))`.
fn heading_in_area<'a>(reader: &mut Reader<'a>, node: Node<'a>) -> Option<Heading> {
    if node.kind() != NodeKind::Word {
        return heading_of(reader, node).map(Heading::Along);
    }
    reader.record_choice(node, "a heading");
    let (word, arguments) = node.word();
    let parts = arguments.and_then(Node::tuple);
    match (word.text, parts.as_deref()) {
        ("Random", None) => Some(Heading::Random),
        ("Toward", Some([point])) => Some(Heading::Toward(reader.point(*point, "Toward")?)),
        _ => {
            let message = format!(
                "`heading` must be degrees, a direction, Random or Toward((x, y)), not {}",
                shown(node)
            );
            reader.misspelled(word, message, closest(word.text, cases_of("a heading", None)));
            None
        }
    }
}

/// Reads a heading: degrees from +x, or a direction.
fn heading_of<'a>(reader: &mut Reader<'a>, node: Node<'a>) -> Option<Vec3> {
    if node.kind() == NodeKind::Parentheses {
        let direction = reader.vector(node, "heading")?;
        if direction == Vec3::ZERO {
            reader.fault(node, "`heading` needs a direction, not zero");
        }
        return unit(direction);
    }
    let degrees = reader.number(node, "heading", Bounds::Any)?;
    Some(direction(degrees))
}
