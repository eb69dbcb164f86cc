//! Moved and resized obstacles in a scene's text.

use std::collections::BTreeMap;

use glam::Vec3;

use super::layout::Splices;
use super::text::number;
use super::wanted::ObstacleChange;
use crate::scene::node::Node;
use crate::scene::plan::Scene;
use crate::scene::shifted::plus;

/// Moves and resizes obstacles of `scene`. An edit that is not possible is left out: reading the result again
/// detects it.
pub(super) fn edit(splices: &mut Splices, scene: &Scene, changes: &BTreeMap<usize, ObstacleChange>) {
    for (&at, change) in changes {
        let Some(spans) = scene.spans.shapes.get(at) else { continue };
        for range in &spans.points {
            let text = &scene.source[range.clone()];
            let start = range.start;
            shift_point(splices, Node { text, start }, change.shift);
        }
        if let (Some(range), Some(radius)) = (&spans.radius, change.radius) {
            splices.put(range.clone(), number(radius, &scene.source[range.clone()]));
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
