//! Where something stands in a scene's text, found without rereading the text from its start.

use std::ops::Range;

/// A stretch of a scene's text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Span {
    /// Line, counted from 1.
    pub line: usize,
    /// Column in characters, counted from 1.
    pub column: usize,
    /// Characters from `column` on, within the line: at least 1, at most 240.
    pub width: usize,
    /// The same stretch, in full, as bytes of [`super::Scene::source`].
    pub range: Range<usize>,
}

/// Where parts of a scene stand, each by the name of its field; those that the file does not have are
/// at its first character.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Spans {
    /// For each group the field that names its view, or else its own name.
    pub groups: Vec<Span>,
    /// `contacts`.
    pub contacts: Span,
    /// `obstacles`, or else `scatter`.
    pub obstacles: Span,
}

/// A known point of the text: byte offset, line, column.
#[derive(Clone, Copy)]
struct Mark {
    offset: usize,
    line: usize,
    column: usize,
}

/// Lines and columns of a text. Asking is cheap whatever the length of the text or of its lines.
pub(super) struct Lines<'a> {
    text: &'a str,
    marks: Vec<Mark>,
}

/// Bytes between marks within a line.
const STRIDE: usize = 512;
/// Longest width, in characters.
const WIDEST: usize = 240;

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

    /// Line and column of a byte offset.
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
            .take(WIDEST)
            .take_while(|&c| c != '\n' && c != '\r')
            .count();
        Span { line, column, width: width.max(1), range }
    }

    /// The byte offset of a line and column, as close as the text allows.
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
    fn places_agree_with_the_plain_count_and_lead_back() {
        let text = format!("one\n\tçé{}x\n\nlast", "ö".repeat(3000));
        let lines = Lines::new(&text);
        for (offset, _) in text.char_indices() {
            let at = crate::diagnostics::line_and_column(&text, offset);
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
