//! Keys that write more than their letter: indentation, and brackets that end a block.

use std::ops::Range;

/// A step of indentation.
pub(crate) const STEP: &str = "    ";

/// Returns true if `)` follows at a place, bytes, and closes a bracket of the line: typing it again replaces it.
pub(crate) fn is_closed(text: &str, at: usize) -> bool {
    let at = text.floor_char_boundary(at.min(text.len()));
    let start = text[..at].rfind('\n').map_or(0, |end| end + 1);
    let line = text[start..].lines().next().unwrap_or_default();
    let count = |bracket: char| line.matches(bracket).count();
    text[at..].starts_with(')') && count('(') == count(')')
}

/// Returns the text that Enter inserts at a byte offset: the indentation of the line, one step more after an opening
/// bracket.
pub(crate) fn new_line(text: &str, cursor: usize) -> String {
    let before = &text[..text.floor_char_boundary(cursor.min(text.len()))];
    let line = before.rsplit('\n').next().unwrap_or_default();
    let indent = &line[..line.len() - line.trim_start_matches([' ', '\t']).len()];
    let opens = line.trim_end().ends_with(['{', '(', '[']);
    format!("\n{indent}{}", if opens { STEP } else { "" })
}

/// Returns the number of spaces before the cursor that a closing bracket replaces: one step, if the line is blank so far.
pub(crate) fn outdent(text: &str, cursor: usize) -> usize {
    let before = &text[..text.floor_char_boundary(cursor.min(text.len()))];
    let line = before.rsplit('\n').next().unwrap_or_default();
    if !line.is_empty() && line.chars().all(|c| c == ' ') { STEP.len().min(line.len()) } else { 0 }
}

/// Returns the matches of a searched text, as byte ranges in order. Unless the case matters, capital ASCII letters are as small
/// ones.
pub(crate) fn matches(text: &str, searched: &str, matches_case: bool) -> Vec<Range<usize>> {
    if searched.is_empty() {
        return Vec::new();
    }
    if matches_case {
        return text.match_indices(searched).map(|(at, found)| at..at + found.len()).collect();
    }
    // Other letters may have another length in the other case; offsets stay those of the text.
    let (lower, searched) = (text.to_ascii_lowercase(), searched.to_ascii_lowercase());
    lower.match_indices(&*searched).map(|(at, found)| at..at + found.len()).collect()
}

/// Returns the index of the match that ends at the cursor: the one that a search has selected.
pub(crate) fn current(found: &[Range<usize>], cursor: usize) -> Option<usize> {
    found.binary_search_by_key(&cursor, |found| found.end).ok()
}

/// Returns the index of the match after or before the current one, or after or before the cursor; from the end, the search
/// continues at the start.
pub(crate) fn neighbor(found: &[Range<usize>], cursor: usize, forward: bool) -> Option<usize> {
    let after = found.partition_point(|found| found.start < cursor);
    let before = found.partition_point(|found| found.end < cursor);
    let last = found.len().checked_sub(1)?;
    Some(match forward {
        true if after > last => 0,
        true => after,
        false => before.checked_sub(1).unwrap_or(last),
    })
}

/// Returns a text with another one in place of the matches.
pub(crate) fn replaced(text: &str, found: &[Range<usize>], replacement: &str) -> String {
    let (mut result, mut at) = (String::with_capacity(text.len()), 0);
    for found in found {
        result.push_str(&text[at..found.start]);
        result.push_str(replacement);
        at = found.end;
    }
    result + &text[at..]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_new_line_is_indented_like_the_one_before_and_deeper_in_a_block() {
        assert_eq!(new_line("    let a = 1;", 14), "\n    ");
        assert_eq!(new_line("  if a {\n", 8), "\n      ");
        assert_eq!(new_line("äö (", 6), "\n    ");
        assert_eq!(new_line("", 9), "\n");
    }

    #[test]
    fn a_closing_bracket_moves_to_its_block_only_on_a_blank_line() {
        assert_eq!([outdent("{\n        ", 10), outdent("{\n  ", 4), outdent("{\n  a", 5)], [4, 2, 0]);
        assert_eq!(outdent("", 0), 0);
    }

    #[test]
    fn the_case_matters_on_request() {
        assert_eq!(matches("Gain gain GAIN", "gAin", false), [0..4, 5..9, 10..14]);
        assert_eq!(matches("Gain gain GAIN Gain", "Gain", true), [0..4, 15..19]);
        assert_eq!(matches("a", "", false), []);
        assert_eq!(matches("ä ÄÄ ä", "ä", false), [0..2, 8..10]);
    }

    #[test]
    fn the_current_match_is_at_the_cursor_and_the_search_continues_at_the_other_end() {
        let found = [1..3, 5..7];
        assert_eq!([3, 7, 1, 0].map(|cursor| current(&found, cursor)), [Some(0), Some(1), None, None]);
        let next = |cursor, forward| neighbor(&found, cursor, forward);
        assert_eq!([0, 3, 4, 7].map(|cursor| next(cursor, true)), [Some(0), Some(1), Some(1), Some(0)]);
        assert_eq!([0, 3, 4, 7].map(|cursor| next(cursor, false)), [Some(1), Some(1), Some(0), Some(0)]);
        assert_eq!((neighbor(&[], 0, true), neighbor(&[], 0, false)), (None, None));
        // Matches that touch.
        let found = [0..1, 1..2, 2..3];
        assert_eq!([1, 2, 3].map(|cursor| neighbor(&found, cursor, true)), [Some(1), Some(2), Some(0)]);
        assert_eq!([1, 2, 3].map(|cursor| neighbor(&found, cursor, false)), [Some(2), Some(0), Some(1)]);
    }

    #[test]
    fn all_matches_are_replaced() {
        assert_eq!(replaced("a b a", &[0..1, 4..5], "xy"), "xy b xy");
    }
}
