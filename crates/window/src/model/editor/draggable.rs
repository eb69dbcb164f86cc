//! Values in a text that a drag changes: a number, a vector, a color of a scene.

use std::ops::Range;

use steerbox_scene::{Color, outline};
use steerbox_script::{PieceKind as Kind, pieces};

use super::scan::{dragged, matching, number_at};

/// Points over which the hue of a dragged color runs through all hues, and its brightness from black to full.
const HUES: f32 = 360.0;
const BRIGHTNESS: f32 = 200.0;

/// A value that can be dragged.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Draggable {
    /// Its text, bytes.
    pub(crate) range: Range<usize>,
    kind: DraggedKind,
}

#[derive(Clone, Debug, PartialEq)]
enum DraggedKind {
    Number,
    /// The ranges of the components, x and y first, relative to the text.
    Vector(Vec<Range<usize>>),
    Color(Color),
}

impl Draggable {
    /// Returns the value at an offset of a text, bytes: a number; at the name or the brackets of a vector, all of it; in a
    /// scene, a color.
    pub(crate) fn at(text: &str, offset: usize, is_scene: bool) -> Option<Self> {
        if let Some(range) = number_at(text, offset) {
            return Some(Self { range, kind: DraggedKind::Number });
        }
        if is_scene && let Some((range, color)) = color_at(text, offset) {
            return Some(Self { range, kind: DraggedKind::Color(color) });
        }
        vector_at(text, offset)
    }

    /// True if a vertical drag changes it, too.
    pub(crate) fn is_flat(&self) -> bool {
        self.kind == DraggedKind::Number
    }

    /// The color, if it is one.
    pub(crate) fn color(&self) -> Option<Color> {
        match self.kind {
            DraggedKind::Color(color) => Some(color),
            DraggedKind::Number | DraggedKind::Vector(_) => None,
        }
    }

    /// Replaces the color.
    pub(crate) fn set_color(&mut self, color: Color) {
        self.kind = DraggedKind::Color(color);
    }

    /// Returns the text of the value after a drag over some points, rightwards and upwards; `original` is its text before.
    pub(crate) fn moved(&self, original: &str, [right, up]: [f32; 2]) -> Option<String> {
        match &self.kind {
            DraggedKind::Number => dragged(original, right),
            DraggedKind::Color(color) => Some(color_text(turned(*color, right / HUES, up / BRIGHTNESS))),
            DraggedKind::Vector(parts) => {
                let mut text = original.to_owned();
                for (part, points) in parts.iter().zip([right, up]).rev() {
                    text.replace_range(part.clone(), &dragged(original.get(part.clone())?, points)?);
                }
                Some(text)
            }
        }
    }
}

/// Returns the text of a color in a scene, in quotes.
pub(crate) fn color_text(color: Color) -> String {
    let Color { r, g, b, a } = color;
    let alpha = if a == u8::MAX { String::new() } else { format!("{a:02x}") };
    format!("\"#{r:02x}{g:02x}{b:02x}{alpha}\"")
}

/// The color of a scene at an offset.
fn color_at(text: &str, offset: usize) -> Option<(Range<usize>, Color)> {
    let is_text = pieces(text).iter().any(|(range, kind)| *kind == Kind::Text && range.contains(&offset));
    let colors = is_text.then(|| outline(text).colors)?;
    colors
        .into_iter()
        .find(|(range, _)| range.contains(&offset))
        .and_then(|(range, color)| Some((range, color?)))
}

/// The vector whose name or bracket is at an offset: two or three numbers in brackets, with the name `vec` or none.
fn vector_at(text: &str, offset: usize) -> Option<Draggable> {
    let pieces = pieces(text);
    let at = pieces.iter().position(|(range, _)| range.contains(&offset))?;
    let word = |index: usize| pieces.get(index).filter(|(_, kind)| *kind == Kind::Word);
    let is_vec = |index: usize| word(index).is_some_and(|(range, _)| &text[range.clone()] == "vec");
    let bracket = if is_vec(at) { pieces.get(at + 1)?.0.start } else { pieces[at].0.start };
    let is_bracket = matches!(text.as_bytes().get(bracket), Some(b'(' | b')'));
    let [open, close] = is_bracket.then(|| matching(text, &pieces, bracket + 1))??;
    let opening = pieces.iter().position(|(range, _)| range.contains(&open))?;
    let start = match opening.checked_sub(1) {
        Some(name) if is_vec(name) => pieces[name].0.start,
        Some(name) if word(name).is_some() => return None,
        _ => open,
    };
    let (mut parts, mut from) = (Vec::new(), open + 1);
    for part in text.get(open + 1..close)?.split(',') {
        let number = part.trim();
        let first = from + (part.len() - part.trim_start().len());
        from += part.len() + 1;
        if number.is_empty() && from > close {
            break;
        }
        number.replace('_', "").parse::<f64>().ok()?;
        parts.push(first - start..first - start + number.len());
    }
    let range = start..close + 1;
    (2..=3).contains(&parts.len()).then_some(Draggable { range, kind: DraggedKind::Vector(parts) })
}

/// A color with another hue and brightness: shares of all hues and of full brightness are added. A gray one receives the hue
/// red as its saturation grows.
fn turned(color: Color, hue: f32, brightness: f32) -> Color {
    let [r, g, b] = [color.r, color.g, color.b].map(|part| f32::from(part) / 255.0);
    let mut hsv = egui::ecolor::Hsva::from_srgb([color.r, color.g, color.b]);
    if r == g && g == b {
        hsv.s = hue.abs().min(1.0);
    } else {
        hsv.h = (hsv.h + hue).rem_euclid(1.0);
    }
    hsv.v = (hsv.v + brightness).clamp(0.0, 1.0);
    let [r, g, b] = hsv.to_srgb();
    Color { r, g, b, a: color.a }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn moved(text: &str, at: &str, by: [f32; 2], is_scene: bool) -> Option<String> {
        let offset = text.find(at).expect("it is in the text");
        let found = Draggable::at(text, offset, is_scene)?;
        let changed = found.moved(&text[found.range.clone()], by)?;
        Some(format!("{}{changed}{}", &text[..found.range.start], &text[found.range.end..]))
    }

    #[test]
    fn a_vector_is_dragged_at_its_name_and_its_brackets_in_both_directions() {
        let text = "let a = vec( 3.0, -4.5 ) + vec(1, 2, 3);";
        let changed = "let a = vec( 3.2, -4.4 ) + vec(1, 2, 3);";
        for at in ["vec( 3", "( 3", ") +"] {
            assert_eq!(moved(text, at, [6.0, 3.0], false).as_deref(), Some(changed), "{at}");
        }
        assert_eq!(
            moved(text, "vec(1", [3.0, -3.0], false).as_deref(),
            Some(&*text.replace("vec(1, 2", "vec(2, 1"))
        );
        assert_eq!(moved(text, "4.5", [3.0, 99.0], false).as_deref(), Some(&*text.replace("4.5", "4.4")));
        let scene = "(position: (400, 300),)";
        assert_eq!(moved(scene, "(400", [3.0, -6.0], true).as_deref(), Some("(position: (401, 298),)"));
    }

    #[test]
    fn arguments_and_other_brackets_are_no_vectors() {
        for text in
            ["param(1.0, 0.0)", "vec(a, 2)", "(1)", "(1, 2, 3, 4)", "vec", "vec(", "(,)", ")", "[1, 2]"]
        {
            assert_eq!(
                Draggable::at(text, text.find(['(', ')', '[', 'v']).expect("one"), false),
                None,
                "{text}"
            );
        }
    }

    #[test]
    fn a_color_of_a_scene_changes_hue_and_brightness_and_retains_its_opacity() {
        let text = "(world: Plane(size: (9, 9)), obstacle_color: \"#ff000080\", title: \"red\")";
        let color = |by| moved(text, "#ff", by, true);
        assert_eq!(color([120.0, 0.0]).as_deref(), Some(&*text.replace("ff000080", "00ff0080")));
        assert_eq!(color([0.0, -500.0]).as_deref(), Some(&*text.replace("ff000080", "00000080")));
        assert_eq!(moved(text, "red", [9.0, 0.0], true), None, "a title");
        assert_eq!(moved(text, "#ff", [9.0, 0.0], false), None, "a text of a script");
        assert_eq!(turned(Color::WHITE, 0.5, 0.0), Color::rgb(255, 188, 188));
    }

    proptest! {
        #[test]
        fn any_text_can_be_dragged_at_any_place(text in "[ -~äé\n\"`/*(){}vec,0-9.e_-]{0,80}") {
            for offset in 0..=text.len() {
                if let Some(found) = Draggable::at(&text, offset, false) {
                    found.moved(&text[found.range.clone()], [7.0, -3.0]);
                }
            }
        }
    }
}
