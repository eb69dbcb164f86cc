//! Positions in a scene's text, computed without scanning the text from its start.

use std::ops::Range;

/// A range of a scene's text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Span {
    /// Line, counted from 1.
    pub line: usize,
    /// Column in characters, counted from 1.
    pub column: usize,
    /// Number of characters from `column` on, within the line: 1 to 240.
    pub width: usize,
    /// The complete range in bytes of [`super::Scene::source`].
    pub range: Range<usize>,
}

/// Positions of parts of a scene, by the names of their fields; missing fields are at the first character.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Spans {
    /// For each group the position of its view's name, or else of its own name.
    pub groups: Vec<Span>,
    /// For each group the position of its spawn, or else of its name.
    pub spawns: Vec<Span>,
    /// For each group the offset of its first field.
    pub group_fields: Vec<usize>,
    /// The offset after the first bracket of the scene.
    pub fields: usize,
    /// `contacts`.
    pub contacts: Span,
    /// `obstacles`, or else `scatter`.
    pub obstacles: Span,
}

/// A known position in the text: byte offset, line, column.
#[derive(Clone, Copy)]
struct Mark {
    offset: usize,
    line: usize,
    column: usize,
}

/// Lines and columns of a text. The cost of a query is independent of the length of the text and its lines.
pub(super) struct Lines<'a> {
    text: &'a str,
    marks: Vec<Mark>,
}

/// Bytes between marks within a line.
const STRIDE: usize = 512;
/// Maximum width in characters.
const MAX_WIDTH: usize = 240;

impl<'a> Lines<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        let mut here = Mark { offset: 0, line: 1, column: 1 };
        let mut marks = vec![here];
        let mut last = 0;
        for (at, character) in text.char_indices() {
            here.offset = at + character.len_utf8();
            here.column += 1;
            if character == '\n' {
                here.line += 1;
                here.column = 1;
            }
            if here.column == 1 || here.offset - last >= STRIDE {
                marks.push(here);
                last = here.offset;
            }
        }
        Self { text, marks }
    }

    /// Returns line and column of a byte offset.
    pub(super) fn at(&self, offset: usize) -> (usize, usize) {
        let offset = self.text.floor_char_boundary(offset);
        let after = self.marks.partition_point(|mark| mark.offset <= offset);
        let mark = self.marks[after - 1];
        let between = self.text[mark.offset..offset].chars().count();
        (mark.line, mark.column + between)
    }

    pub(super) fn span(&self, range: Range<usize>) -> Span {
        let (line, column) = self.at(range.start);
        let width = self
            .text
            .get(range.clone())
            .unwrap_or_default()
            .chars()
            .take(MAX_WIDTH)
            .take_while(|&c| c != '\n' && c != '\r')
            .count();
        Span { line, column, width: width.max(1), range }
    }

    /// Returns the byte offset of a line and column, or the nearest valid one.
    pub(super) fn offset(&self, (line, column): (usize, usize)) -> usize {
        let after = self.marks.partition_point(|mark| (mark.line, mark.column) <= (line, column));
        let mark = self.marks[after.saturating_sub(1)];
        self.text[mark.offset..]
            .char_indices()
            .nth(column.saturating_sub(mark.column))
            .map_or(self.text.len(), |(at, _)| mark.offset + at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_equal_those_of_a_full_scan_and_convert_back() {
        let text = format!("one\n\tçé{}x\n\nlast", "ö".repeat(3000));
        let lines = Lines::new(&text);
        for (offset, _) in text.char_indices() {
            let at = steerbox_core::diagnostics::line_and_column(&text, offset);
            assert_eq!(lines.at(offset), at, "{offset}");
            assert_eq!(lines.offset(at), offset);
        }
    }

    #[test]
    fn a_width_ends_with_the_line() {
        let lines = Lines::new("ab\ncd");
        assert_eq!(lines.span(1..5).width, 1);
        assert_eq!(lines.span(3..5).width, 2);
        assert_eq!(lines.span(5..5).width, 1);
    }
}
