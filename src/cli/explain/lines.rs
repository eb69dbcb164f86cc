//! The source of a script with the values of one call beside its lines.

use std::fmt::Write as _;

use unicode_width::UnicodeWidthStr as _;

use crate::script::probe::{ProbedFile, Recording, Span, values_by_line};

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
    let values = values_by_line(recording, file);
    if values.is_empty() && file > 0 {
        return None;
    }
    let ProbedFile { text, .. } = &recording.code.files[file];
    let left_out = recording.not_reached(file);
    let failure = recording.result.as_ref().err();
    let failure = failure.filter(|failure| recording.file_of(failure) == file);
    let beside = |line: usize| {
        let constant = constants.iter().filter(|(of, _)| *of == line).map(|(_, value)| value.clone());
        constant.chain(values.get(&line).into_iter().flatten().cloned()).collect::<Vec<_>>()
    };
    let lines: Vec<_> = text.lines().enumerate().map(|(at, line)| (at + 1, line)).collect();
    let is_head = |(_, line): &&(usize, &str)| line.trim().is_empty() || line.trim_start().starts_with("//");
    let first = lines.iter().take_while(is_head).count();
    let lines = &lines[first..];
    let widths = lines.iter().map(|(_, line)| MARGIN + line.width() + 2);
    let column = widths.filter(|width| *width <= VALUES).max().unwrap_or(VALUES);
    let mut page = String::new();
    for (number, line) in lines {
        let _ = write!(page, "{DIM}{number:>4}{PLAIN}  {}", dimmed(*number, line, &left_out));
        let mut used = MARGIN + line.width();
        for row in rows(&beside(*number), WIDTH - column) {
            if used + 2 > column {
                page.push('\n');
                used = 0;
            }
            let _ = write!(page, "{}{VALUE}{row}{PLAIN}", " ".repeat(column - used));
            used = WIDTH;
        }
        page.push('\n');
        if let Some(failure) = failure.filter(|failure| failure.line == *number) {
            let words = cut(&failure.message, WIDTH - MARGIN);
            let _ = writeln!(page, "{}{BAD}{words}{PLAIN}", " ".repeat(MARGIN));
        }
    }
    Some(page)
}

/// A line whose parts that were not reached are dim.
fn dimmed(number: usize, line: &str, left_out: &[Span]) -> String {
    let mut shown = String::new();
    let mut is_dim = false;
    for (at, letter) in line.chars().enumerate() {
        let place = (number, at + 1);
        let is_left_out = left_out.iter().any(|span| span.start <= place && place < span.end);
        if is_left_out != is_dim {
            shown.push_str(if is_left_out { DIM } else { PLAIN });
            is_dim = is_left_out;
        }
        shown.push(letter);
    }
    if is_dim {
        shown.push_str(PLAIN);
    }
    shown
}

/// Values side by side, in as many rows as it takes; one that is too long for a row is cut.
fn rows(values: &[String], width: usize) -> Vec<String> {
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
        let values = ["abc", "d", "ef", "ghijkl"].map(str::to_owned);
        assert_eq!(rows(&values, 6), ["abc; d", "ef", "ghijkl"]);
        assert_eq!(rows(&values, 5), ["abc", "d; ef", "ghij…"]);
    }

    #[test]
    fn what_was_not_reached_is_dim() {
        let span = |start, end| Span { start, end };
        let left_out = [span((1, 2), (1, 3)), span((1, 4), (2, 2))];
        assert_eq!(dimmed(1, "abcd", &left_out), format!("a{DIM}b{PLAIN}c{DIM}d{PLAIN}"));
        assert_eq!(dimmed(2, "ab", &left_out), format!("{DIM}a{PLAIN}b"));
    }
}
