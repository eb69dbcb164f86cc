//! Edits of paths in a scene's text.

use glam::{DVec3, Vec3};
use steerbox_core::world::Path;

use super::behavior::range;
use super::items::{Items, value};
use super::layout::Splices;
use super::text::{Points, number, put_number, ron_text};
use crate::about::{Fallback, about_field};
use crate::edits::SceneEdits;
use crate::node::Node;

/// Changes, inserts and removes paths. Impossible edits are skipped; the final comparison detects them.
pub(super) fn edit(
    splices: &mut Splices,
    text: &str,
    fields: &[(Node<'_>, Node<'_>)],
    (origin, edits): (DVec3, &SceneEdits),
) {
    let entries = value(fields, "paths").and_then(Node::entries).unwrap_or_default();
    let at = |name: &str| entries.iter().position(|(key, _)| key.leaf::<String>().as_deref() == Some(name));
    let (mut removed, mut added) = (Vec::new(), Vec::new());
    for (name, was, is) in edits.paths() {
        match (at(name), was, is) {
            (Some(at), Some(was), Some(is)) => _ = set(splices, text, entries[at].1, (was, is), origin),
            (Some(at), Some(_), None) => removed.push(at),
            (None, None, Some(is)) => added.push(format!("{}: {}", ron_text(name), written(is, origin))),
            _ => {}
        }
    }
    if !removed.is_empty() || !added.is_empty() {
        let places = entries.iter().map(range).collect();
        let items = Items { name: "paths", brackets: ['{', '}'], fields, places };
        items.edit(splices, text, &removed, &added);
    }
}

fn set(
    splices: &mut Splices,
    text: &str,
    node: Node<'_>,
    (was, is): (&Path, &Path),
    origin: DVec3,
) -> Option<()> {
    let fields = node.fields()?;
    let pair = fields.iter().find(|(key, _)| key.text == "points")?;
    let (listed, new) = (pair.1.items()?, listed(is));
    let points = Points { origin, is_plane: is_flat(&new) };
    if listed.len() == new.len() {
        for (part, point) in listed.into_iter().zip(new) {
            points.put(splices, part, point)?;
        }
    } else {
        splices.put(pair.1.range(), points.list(&new));
    }
    let mut added = Vec::new();
    if was.is_closed() != is.is_closed() {
        match value(&fields, "closed") {
            Some(node) => splices.put(node.range(), is.is_closed().to_string()),
            None => added.push("closed: true".to_owned()),
        }
    }
    if was.radius() != is.radius() {
        match value(&fields, "radius") {
            Some(node) => put_number(splices, node, is.radius())?,
            None => added.push(format!("radius: {}", number(is.radius(), ""))),
        }
    }
    if !added.is_empty() {
        splices.add_after(text, &range(pair), &added);
    }
    Some(())
}

/// The points as listed in a scene: the first point of a closed path is not repeated.
fn listed(path: &Path) -> Vec<Vec3> {
    let points = path.points();
    points[..points.len() - usize::from(path.is_closed())].to_vec()
}

fn is_flat(points: &[Vec3]) -> bool {
    points.iter().all(|point| point.z == 0.0)
}

/// Formats a path.
fn written(path: &Path, origin: DVec3) -> String {
    let listed = listed(path);
    let closed = if path.is_closed() { ", closed: true" } else { "" };
    let default = about_field(("a path", "a path"), "radius").map(|about| about.default);
    let radius = Some(path.radius()).filter(|radius| default != Some(Fallback::Is(*radius)));
    let radius = radius.map_or(String::new(), |radius| format!(", radius: {}", number(radius, "")));
    let points = Points { origin, is_plane: is_flat(&listed) };
    format!("(points: {}{closed}{radius})", points.list(&listed))
}
