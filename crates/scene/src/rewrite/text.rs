//! Formatting of values in the style of the existing text.

use glam::{DVec3, Vec3};
use steerbox_core::world::{ParamValue, absolute, relative};

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

/// Maximum number of characters in a line of points.
const LINE: usize = 90;

/// Writes points of a world.
#[derive(Clone, Copy)]
pub(super) struct Points {
    /// The coordinates of the position (0, 0, 0).
    pub(super) origin: DVec3,
    /// True to omit z.
    pub(super) is_plane: bool,
}

impl Points {
    /// Replaces the coordinates of a point. In space a z of 0 may be omitted.
    pub(super) fn put(self, splices: &mut Splices, node: Node<'_>, place: Vec3) -> Option<()> {
        let parts = node.tuple()?;
        for (axis, part) in parts.iter().enumerate().take(3) {
            if relative(part.leaf()?, self.origin[axis]) != place[axis] {
                splices.put(part.range(), self.coordinate(place, axis, part.text));
            }
        }
        let is_omitted = parts.len() == 2 && place.z != relative(0.0, self.origin.z);
        if let Some(last) = parts.last().filter(|_| is_omitted) {
            let end = last.range().end;
            splices.put(end..end, format!(", {}", self.coordinate(place, 2, last.text)));
        }
        Some(())
    }

    /// Formats a point.
    pub(super) fn one(self, place: Vec3) -> String {
        let axes = if self.is_plane { 2 } else { 3 };
        let parts = (0..axes).map(|axis| self.coordinate(place, axis, ""));
        format!("({})", parts.collect::<Vec<_>>().join(", "))
    }

    /// Formats a list of points, on several lines if it is long.
    pub(super) fn list(self, places: &[Vec3]) -> String {
        let mut lines = vec![String::new()];
        for (at, place) in places.iter().enumerate() {
            let comma = if at + 1 < places.len() { ", " } else { "" };
            let point = format!("{}{comma}", self.one(*place));
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

    /// Formats a coordinate in the style of an existing one.
    fn coordinate(self, place: Vec3, axis: usize, written: &str) -> String {
        if self.origin[axis] == 0.0 {
            return number(place[axis], written);
        }
        let text = format!("{:?}", absolute(place[axis], self.origin[axis]));
        let whole = text.strip_suffix(".0").filter(|_| !has_point(written));
        whole.unwrap_or(&text).to_owned()
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
