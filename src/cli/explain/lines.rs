//! The source of a script with the values of one call beside its lines.

use unicode_width::UnicodeWidthStr as _;

use crate::cli::page::{BAD, DIM, Page, VALUE};
use crate::script::probe::Line;

/// Where everything ends, columns.
pub(super) const WIDTH: usize = 100;
/// Where values begin at the latest.
const VALUES: usize = 62;
/// What a line number and the space behind it take.
const MARGIN: usize = 6;
/// The replacement of a tab in the source, so that values are aligned.
const TAB: &str = "    ";

/// Adds lines of source with the values beside them; `constants` stand beside their lines, too. Parts that did not run
/// are dim; without color, a `-` precedes such a line, and `[-` and `-]` enclose such a part of one.
pub(super) fn source(page: &mut Page, lines: &[Line<'_>], constants: &[(usize, String)], has_color: bool) {
    let shown: Vec<_> = lines.iter().map(|line| Shown::of(line, has_color)).collect();
    let widths = shown.iter().map(|shown| MARGIN + shown.width() + 2);
    let column = widths.filter(|width| *width <= VALUES).max().unwrap_or(VALUES);
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

/// A line of source as it is shown.
struct Shown {
    /// The space behind the line number, with a `-` if nothing of the line ran.
    sign: &'static str,
    /// Parts of the line; true for those that are dim.
    pieces: Vec<(String, bool)>,
}

impl Shown {
    fn of(line: &Line<'_>, has_color: bool) -> Self {
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

/// Values side by side, in as many rows as it takes; one that is too long for a row is cut.
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

/// As much of a text as fits.
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
    fn a_text_is_cut_to_what_fits() {
        assert_eq!(cut("abc", 3), "abc");
        assert_eq!(cut("abcd", 3), "ab…");
        assert_eq!(cut("字字字", 5), "字字…");
    }

    #[test]
    fn values_stand_side_by_side_as_long_as_they_fit() {
        let values = ["abc", "d", "ef", "ghijkl"];
        assert_eq!(rows(&values, 6), ["abc; d", "ef", "ghijkl"]);
        assert_eq!(rows(&values, 5), ["abc", "d; ef", "ghij…"]);
    }
}
