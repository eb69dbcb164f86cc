//! Places of obstacles in a scene's text.

use std::collections::BTreeMap;

use glam::Vec3;

use super::layout::Splices;
use super::text::number;
use crate::scene::node::Node;
use crate::scene::shifted::plus;

/// Writes obstacles farther by `shifts`. What cannot be done is left: reading again tells.
pub(super) fn edit(splices: &mut Splices, text: &str, shifts: &BTreeMap<usize, Vec3>) {
    if shifts.is_empty() {
        return;
    }
    let listed = field(Node::root(text), "obstacles").and_then(Node::items);
    let listed = listed.unwrap_or_default();
    for (&at, &shift) in shifts {
        let words = listed.get(at).and_then(|node| node.word().1);
        for point in words.map(points).unwrap_or_default() {
            shift_point(splices, point, shift);
        }
    }
}

fn field<'a>(node: Node<'a>, name: &str) -> Option<Node<'a>> {
    let mut fields = node.fields()?.into_iter();
    fields
        .find(|(key, _)| key.text == name)
        .map(|(_, value)| value)
}

/// Every point among the fields of an obstacle.
fn points(fields: Node<'_>) -> Vec<Node<'_>> {
    let single = ["center", "from", "to"].map(|name| field(fields, name));
    let listed = field(fields, "points").and_then(Node::items);
    let single = single.into_iter().flatten();
    single.chain(listed.unwrap_or_default()).collect()
}

fn shift_point(splices: &mut Splices, point: Node<'_>, shift: Vec3) {
    let parts = point.tuple().unwrap_or_default();
    for (axis, by) in shift.to_array().into_iter().enumerate() {
        if by == 0.0 {
            continue;
        }
        if let Some(part) = parts.get(axis) {
            let value = part.leaf::<f32>().unwrap_or_default();
            splices.put(part.range(), number(plus(value, by), part.text));
        } else if let Some(last) = parts.last() {
            // In space a z of 0 may be left out.
            let end = last.range().end;
            splices.put(end..end, format!(", {}", number(by, last.text)));
        }
    }
}
