//! Lines and UTF-16 columns of a text.

use std::borrow::Cow;
use std::ops::Range as Bytes;

use gen_lsp_types::{Position, Range};
use line_index::{LineIndex, TextSize, WideEncoding, WideLineCol};

/// A text with the starts of its lines. A line ends with `\n` or `\r\n`.
pub(super) struct Lines<'a> {
    text: &'a str,
    index: LineIndex,
}

impl<'a> Lines<'a> {
    /// Finds the lines of a text.
    pub(super) fn new(text: &'a str) -> Self {
        Self { text, index: LineIndex::new(text) }
    }

    /// Returns the byte of a position: the nearest one if the line, the column or the character there does not exist.
    pub(super) fn byte(&self, position: Position) -> usize {
        let Some(line) = self.index.line(position.line) else {
            return self.text.len();
        };
        let start = usize::from(line.start());
        start + byte_in(&self.text[start..usize::from(line.end())], position.character)
    }

    /// Returns the bytes of a range.
    pub(super) fn bytes(&self, range: Range) -> Bytes<usize> {
        let (start, end) = (self.byte(range.start), self.byte(range.end));
        start.min(end)..start.max(end)
    }

    /// Returns the position of a byte: the nearest one if it is within a character or after the text.
    pub(super) fn position(&self, at: usize) -> Position {
        let at = self.text.floor_char_boundary(at.min(self.text.len()));
        let place = self.index.try_line_col(TextSize::new(at as u32));
        let place = place.and_then(|place| self.index.to_wide(WideEncoding::Utf16, place));
        let WideLineCol { line, col } = place.unwrap_or(WideLineCol { line: 0, col: 0 });
        Position { line, character: col }
    }

    /// Returns the range of bytes.
    pub(super) fn range(&self, bytes: &Bytes<usize>) -> Range {
        Range { start: self.position(bytes.start), end: self.position(bytes.end) }
    }

    /// Returns the number of lines.
    pub(super) fn count(&self) -> usize {
        self.text.matches('\n').count() + 1
    }

    /// Returns a line by its index, from 0, without its end.
    pub(super) fn line(&self, line: u32) -> Option<&'a str> {
        let line = self.index.line(line)?;
        let text = &self.text[usize::from(line.start())..usize::from(line.end())];
        Some(without_end(text))
    }
}

/// A text as lines for many changes, of which each costs the lines that it touches.
pub(super) struct EditedLines<'a>(Vec<Cow<'a, str>>);

impl<'a> EditedLines<'a> {
    /// Splits a text after its line ends. The last line has none, and may be empty.
    pub(super) fn new(text: &'a str) -> Self {
        let lines = text.split_inclusive('\n').map(Cow::Borrowed);
        let is_ended = text.is_empty() || text.ends_with('\n');
        Self(lines.chain(is_ended.then_some(Cow::Borrowed(""))).collect())
    }

    /// Replaces a range, whose positions are corrected as by [`Lines::byte`].
    pub(super) fn replace(&mut self, range: Range, text: &str) {
        let (start, end) = (self.place(range.start), self.place(range.end));
        let (start, end) = (start.min(end), start.max(end));
        let joined = [&self.0[start.0][..start.1], text, &self.0[end.0][end.1..]].concat();
        let lines = EditedLines::new(&joined).0.into_iter();
        let mut lines: Vec<_> = lines.map(|line| Cow::Owned(line.into_owned())).collect();
        // Only the last line of the text has no end.
        lines.truncate(lines.len() - usize::from(end.0 + 1 < self.0.len()));
        self.0.splice(start.0..=end.0, lines);
    }

    /// Returns the text.
    pub(super) fn text(&self) -> String {
        self.0.concat()
    }

    /// Returns the index of the line of a position, and the byte in it.
    fn place(&self, position: Position) -> (usize, usize) {
        let last = self.0.len() - 1;
        match self.0.get(position.line as usize) {
            Some(line) => (position.line as usize, byte_in(line, position.character)),
            None => (last, self.0[last].len()),
        }
    }
}

/// Returns the byte of a UTF-16 column in a line: the nearest one if the column or the character there does not exist.
fn byte_in(line: &str, mut units: u32) -> usize {
    let content = without_end(line);
    if content.is_ascii() {
        return content.len().min(units as usize);
    }
    for (at, letter) in content.char_indices() {
        match units.checked_sub(letter.len_utf16() as u32) {
            Some(rest) if units > 0 => units = rest,
            _ => return at,
        }
    }
    content.len()
}

/// Returns a line without its end.
fn without_end(line: &str) -> &str {
    let content = line.strip_suffix('\n');
    content.map_or(line, |content| content.strip_suffix('\r').unwrap_or(content))
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "aé\r\n\t🐟b\n\nlast";

    fn at(line: u32, character: u32) -> Position {
        Position { line, character }
    }

    #[test]
    fn every_character_has_a_position() {
        let lines = Lines::new(TEXT);
        for (byte, _) in TEXT.char_indices().filter(|(_, letter)| *letter != '\n') {
            assert_eq!(lines.byte(lines.position(byte)), byte);
        }
        assert_eq!(lines.position(TEXT.find('b').expect("a letter")), at(1, 3));
        assert_eq!(lines.position(TEXT.len()), at(3, 4));
    }

    #[test]
    fn other_positions_are_the_nearest() {
        let lines = Lines::new(TEXT);
        let nearest = |line, character| lines.byte(at(line, character));
        assert_eq!(nearest(0, 99), "aé".len());
        assert_eq!(nearest(0, u32::MAX), "aé".len());
        assert_eq!(nearest(1, 2), "aé\r\n\t".len(), "within a pair of surrogates");
        assert_eq!(nearest(9, 0), TEXT.len());
        assert_eq!(lines.position(999), at(3, 4));
        assert_eq!(lines.position(2), at(0, 1), "within a character");
        let carriage_returns = Lines::new("a\r\r\nb\r");
        assert_eq!(carriage_returns.byte(at(0, 9)), 2, "a return that ends no line is a character");
        assert_eq!(carriage_returns.byte(at(1, 2)), 6, "in the last line, too");
        assert_eq!(lines.bytes(Range { start: at(3, 1), end: at(0, 1) }), 1..TEXT.len() - 3);
    }
}
