//! Formatting of values in the style of the existing text.

use glam::Vec3;
use steerbox_core::world::ParamValue;

use super::layout::{INNER_LINE, OUTER_LINE, Splices};
use crate::node::Node;

/// Returns the shortest decimal that parses to `value`, with a decimal point if `written` has one or the value needs it.
pub(super) fn number(value: f32, written: &str) -> String {
    // Adding zero removes the sign of a negative zero.
    let text = format!("{:?}", value + 0.0);
    // Above 2²⁴ the shortest decimal is inexact and would parse to another integer.
    let whole = text.strip_suffix(".0");
    let whole = whole.filter(|whole| whole.parse() == Ok(value as i64));
    match whole {
        Some(whole) if !has_point(written) => whole.to_owned(),
        _ => text,
    }
}

/// Replaces a number in its style, unless it has the value already. `None` if the node is not a number.
pub(super) fn put_number(splices: &mut Splices, node: Node<'_>, value: f32) -> Option<()> {
    if node.leaf::<f32>()? != value {
        splices.put(node.range(), number(value, node.text));
    }
    Some(())
}

/// Replaces the coordinates of a point. In space a z of 0 may be omitted.
pub(super) fn put_point(splices: &mut Splices, node: Node<'_>, place: Vec3) -> Option<()> {
    let parts = node.tuple()?;
    for (part, value) in parts.iter().zip(place.to_array()) {
        put_number(splices, *part, value)?;
    }
    if let Some(last) = parts.last().filter(|_| parts.len() == 2 && place.z != 0.0) {
        let end = last.range().end;
        splices.put(end..end, format!(", {}", number(place.z, last.text)));
    }
    Some(())
}

/// Formats a point, in a plane without z.
pub(super) fn point(place: Vec3, is_plane: bool) -> String {
    let axes = if is_plane { 2 } else { 3 };
    let parts = place.to_array().into_iter().take(axes).map(|value| number(value, ""));
    format!("({})", parts.collect::<Vec<_>>().join(", "))
}

/// Maximum number of characters in a line of points.
const LINE: usize = 90;

/// Formats a list of points, on several lines if it is long.
pub(super) fn points(places: &[Vec3], is_plane: bool) -> String {
    let mut lines = vec![String::new()];
    for (at, place) in places.iter().enumerate() {
        let comma = if at + 1 < places.len() { ", " } else { "" };
        let point = format!("{}{comma}", point(*place, is_plane));
        match lines.last_mut() {
            Some(line) if line.is_empty() || line.len() + point.len() <= LINE => line.push_str(&point),
            _ => lines.push(point),
        }
    }
    match &lines[..] {
        [line] => format!("[{line}]"),
        lines => {
            let lines: Vec<_> = lines.iter().map(|line| line.trim_end()).collect();
            format!("[{INNER_LINE}{},{OUTER_LINE}]", lines.join(&INNER_LINE.to_string()))
        }
    }
}

/// Formats a parameter's value.
pub(super) fn param(value: &ParamValue, written: &str) -> String {
    match value {
        ParamValue::Number(value) => number(*value, written),
        ParamValue::Integer(value) if has_point(written) && value.abs() < 1 << 24 => {
            number(*value as f32, written)
        }
        ParamValue::Integer(value) => value.to_string(),
        ParamValue::Switch(on) => on.to_string(),
        ParamValue::Choice(word) => ron_text(word),
        ParamValue::Distribution(distribution) => distribution.to_string(),
    }
}

/// Returns true if a number has a decimal point or an exponent.
fn has_point(written: &str) -> bool {
    let is_number = written.starts_with(|c: char| c.is_ascii_digit() || "+-.".contains(c));
    is_number && !written.contains(['x', 'X']) && written.contains(['.', 'e', 'E'])
}

/// Formats a text in quotes.
pub(super) fn ron_text(text: &str) -> String {
    let mut quoted = String::from('"');
    for c in text.chars() {
        match c {
            '"' | '\\' => quoted.extend(['\\', c]),
            '\n' => quoted.push_str("\\n"),
            c if c.is_control() => quoted.extend(c.escape_unicode()),
            c => quoted.push(c),
        }
    }
    quoted.push('"');
    quoted
}
