//! Source excerpts: truncation and underlining of a line.

use std::ops::Range;

use unicode_width::UnicodeWidthChar as _;

/// Maximum length of lines that are processed, in bytes: a file may have many faults.
pub(super) const READABLE: usize = 1 << 16;
/// Maximum length of a complete excerpt, in characters.
const MAX_LENGTH: usize = 120;

/// Truncates a line whose fault is at `column`; returns the excerpt and the number of characters removed at the start.
pub(super) fn cut(line: &str, column: usize) -> (String, usize) {
    part(line, column, MAX_LENGTH)
}

/// Returns the part of a line around `column` (from 1), at most `longest` characters with a mark at each end where it is
/// cut, and by how many characters it is shifted.
pub fn part(line: &str, column: usize, longest: usize) -> (String, usize) {
    let count = line.chars().count();
    if count <= longest {
        return (line.to_owned(), 0);
    }
    let last = count - longest;
    let start = column.saturating_sub(longest / 2).min(last);
    let mut shown = String::new();
    // An ellipsis at the start replaces one character.
    let start = if start > 1 { start } else { 0 };
    if start > 0 {
        shown.push('…');
    }
    shown.extend(line.chars().skip(start).take(longest));
    if start + longest < count {
        shown.push('…');
    }
    (shown, start.saturating_sub(1))
}

/// Returns a line, and a second line with carets below some of its characters.
///
/// Tabs before the carets are preserved, so that both lines are aligned; wide characters count as two columns.
pub(super) fn underlined(line: &str, under: Range<usize>) -> String {
    let places = |c: char| c.width().unwrap_or(1);
    let mut below = String::new();
    for letter in line.chars().take(under.start) {
        match letter {
            '\t' => below.push('\t'),
            letter => below.extend(std::iter::repeat_n(' ', places(letter))),
        }
    }
    let carets: usize = (line.chars().skip(under.start).take(under.len())).map(places).sum();
    format!("{line}\n{below}{}", "^".repeat(carets.max(1)))
}

/// Returns the length in characters of the word, number, text or operator at `column`; 1 for anything else.
pub(super) fn width_of_word(line: &str, column: usize) -> usize {
    let rest = || line.chars().skip(column.saturating_sub(1));
    let run = |of: fn(char) -> bool| rest().take_while(|c| of(*c)).count();
    match rest().next() {
        Some(first) if first.is_ascii_digit() => run(|c| c.is_alphanumeric() || c == '.' || c == '_'),
        Some(first) if first.is_alphanumeric() || first == '_' => run(|c| c.is_alphanumeric() || c == '_'),
        Some(quote @ ('"' | '\'')) => match rest().skip(1).position(|c| c == quote) {
            Some(end) => end + 2,
            None => run(|_| true),
        },
        Some(first) if is_operator(first) => run(is_operator),
        _ => 1,
    }
}

fn is_operator(c: char) -> bool {
    "=+-*/%<>!&|^".contains(c)
}
