//! The source of a script with the values of one call beside its lines.

use steerbox_script::probe::Line;
use unicode_width::UnicodeWidthStr as _;

use crate::cli::page::{BAD, DIM, Page, VALUE};

/// Width of the page in columns.
pub(super) const WIDTH: usize = 100;
/// Maximum column at which values start.
const MAX_VALUE_COLUMN: usize = 62;
/// Width of a line number and the space after it.
const MARGIN: usize = 6;
/// The replacement of a tab in the source, so that values are aligned.
const TAB: &str = "    ";

/// Adds lines of source with values and `constants` beside them. Parts that did not run are dim; without color, a `-`
/// precedes such a line, and `[-` and `-]` enclose such a part of one.
pub(super) fn source(page: &mut Page, lines: &[Line<'_>], constants: &[(usize, String)], has_color: bool) {
    let shown: Vec<_> = lines.iter().map(|line| Shown::new(line, has_color)).collect();
    let widths = shown.iter().map(|shown| MARGIN + shown.width() + 2);
    let column = widths.filter(|width| *width <= MAX_VALUE_COLUMN).max().unwrap_or(MAX_VALUE_COLUMN);
    for (line, shown) in lines.iter().zip(&shown) {
        page.styled(DIM, format!("{:>4}", line.number)).text(shown.sign);
        for (text, is_dim) in &shown.pieces {
            if *is_dim {
                page.styled(DIM, text)
            } else {
                page.text(text)
            };
        }
        let constants = constants.iter().filter(|(of, _)| *of == line.number).map(|(_, value)| value);
        let beside: Vec<_> = constants.chain(&line.values).map(String::as_str).collect();
        let mut used = MARGIN + shown.width();
        for row in rows(&beside, WIDTH - column) {
            if used + 2 > column {
                page.end();
                used = 0;
            }
            page.text(" ".repeat(column - used)).styled(VALUE, row);
            used = WIDTH;
        }
        page.end();
        if let Some(words) = line.failure {
            page.text(" ".repeat(MARGIN)).styled(BAD, cut(words, WIDTH - MARGIN)).end();
        }
    }
}

/// A displayed line of source.
struct Shown {
    /// The text after the line number: a `-` if the whole line did not run.
    sign: &'static str,
    /// Parts of the line; true for those that are dim.
    pieces: Vec<(String, bool)>,
}

impl Shown {
    fn new(line: &Line<'_>, has_color: bool) -> Self {
        let is_code = |text: &str| text.contains(char::is_alphanumeric);
        let is_reached = line.pieces.iter().any(|piece| !piece.is_unreached && is_code(piece.text));
        let is_whole = !is_reached && line.pieces.iter().any(|piece| piece.is_unreached);
        let pieces = line.pieces.iter().map(|piece| {
            let text = piece.text.replace('\t', TAB);
            let is_marked = piece.is_unreached && !has_color && !is_whole && is_code(&text);
            let text = if is_marked { format!("[-{text}-]") } else { text };
            (text, piece.is_unreached)
        });
        Self { sign: if is_whole && !has_color { "- " } else { "  " }, pieces: pieces.collect() }
    }

    fn width(&self) -> usize {
        self.pieces.iter().map(|(text, _)| text.width()).sum()
    }
}

/// Joins values into rows of limited width; a longer value is truncated.
fn rows(values: &[&str], width: usize) -> Vec<String> {
    let mut rows: Vec<String> = Vec::new();
    for value in values {
        let value = cut(value, width);
        match rows.last_mut().filter(|row| row.width() + 2 + value.width() <= width) {
            Some(row) => row.extend(["; ", &value]),
            None => rows.push(value),
        }
    }
    rows
}

/// Truncates a text to a width.
pub(super) fn cut(text: &str, width: usize) -> String {
    if text.width() <= width {
        return text.to_owned();
    }
    let mut short = String::new();
    for letter in text.chars() {
        short.push(letter);
        if short.width() >= width {
            short.pop();
            break;
        }
    }
    short + "…"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_truncated_to_the_width() {
        assert_eq!(cut("abc", 3), "abc");
        assert_eq!(cut("abcd", 3), "ab…");
        assert_eq!(cut("字字字", 5), "字字…");
    }

    #[test]
    fn values_share_a_row_while_they_fit() {
        let values = ["abc", "d", "ef", "ghijkl"];
        assert_eq!(rows(&values, 6), ["abc; d", "ef", "ghijkl"]);
        assert_eq!(rows(&values, 5), ["abc", "d; ef", "ghij…"]);
    }
}
