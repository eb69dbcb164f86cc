//! Moved obstacles in a scene's text.

use std::collections::BTreeMap;

use glam::Vec3;

use super::layout::Splices;
use super::text::number;
use crate::scene::node::Node;
use crate::scene::plan::Scene;
use crate::scene::shifted::plus;

/// Shifts the obstacles of `scene`. An edit that is not possible is left out: reading the result again
/// detects it.
pub(super) fn edit(splices: &mut Splices, scene: &Scene, shifts: &BTreeMap<usize, Vec3>) {
    for (&at, &shift) in shifts {
        for range in scene.spans.points.get(at).into_iter().flatten() {
            let text = &scene.source[range.clone()];
            let start = range.start;
            shift_point(splices, Node { text, start }, shift);
        }
    }
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
