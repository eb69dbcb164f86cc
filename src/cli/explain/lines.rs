//! The source of a script with the values of one call beside its lines.

use std::fmt::Write as _;

use unicode_width::UnicodeWidthStr as _;

use crate::script::probe::{self, Line, Piece, Recording};

/// Where everything ends, columns.
pub(super) const WIDTH: usize = 100;
/// Where values begin at the latest.
const VALUES: usize = 62;
/// What a line number and the space behind it take.
const MARGIN: usize = 6;

pub(super) const DIM: &str = "\x1b[2m";
pub(super) const BOLD: &str = "\x1b[1m";
pub(super) const VALUE: &str = "\x1b[36m";
pub(super) const BAD: &str = "\x1b[31m";
pub(super) const PLAIN: &str = "\x1b[0m";

/// A file from its first line of code on, with values; `constants` stand beside their lines, too.
/// Nothing for an imported file of which nothing ran.
pub(super) fn source(recording: &Recording, file: usize, constants: &[(usize, String)]) -> Option<String> {
    let lines = probe::lines(recording, file);
    if lines.is_empty() {
        return None;
    }
    let widths = lines.iter().map(|line| MARGIN + line.text.width() + 2);
    let column = widths.filter(|width| *width <= VALUES).max().unwrap_or(VALUES);
    let mut page = String::new();
    for line in &lines {
        let _ = write!(page, "{DIM}{:>4}{PLAIN}  {}", line.number, dimmed(line));
        let constants = constants.iter().filter(|(of, _)| *of == line.number).map(|(_, value)| value);
        let beside: Vec<_> = constants.chain(&line.values).map(String::as_str).collect();
        let mut used = MARGIN + line.text.width();
        for row in rows(&beside, WIDTH - column) {
            if used + 2 > column {
                page.push('\n');
                used = 0;
            }
            let _ = write!(page, "{}{VALUE}{row}{PLAIN}", " ".repeat(column - used));
            used = WIDTH;
        }
        page.push('\n');
        if let Some(words) = line.failure {
            let words = cut(words, WIDTH - MARGIN);
            let _ = writeln!(page, "{}{BAD}{words}{PLAIN}", " ".repeat(MARGIN));
        }
    }
    Some(page)
}

/// A line whose pieces that were not reached are dim.
fn dimmed(line: &Line<'_>) -> String {
    let piece = |piece: &Piece<'_>| {
        if piece.left_out { format!("{DIM}{}{PLAIN}", piece.text) } else { piece.text.to_owned() }
    };
    line.pieces.iter().map(piece).collect()
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
