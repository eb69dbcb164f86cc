//! Keys that write more than their letter: indentation, and brackets that end a block.

/// A step of indentation.
pub(crate) const STEP: &str = "    ";

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

/// Returns the matches of a searched text, as byte ranges in order; letters match in both cases unless one is a capital.
pub(crate) fn matches(text: &str, searched: &str) -> Vec<std::ops::Range<usize>> {
    if searched.is_empty() {
        return Vec::new();
    }
    if searched.chars().any(char::is_uppercase) {
        return text.match_indices(searched).map(|(at, found)| at..at + found.len()).collect();
    }
    // Only ASCII letters are folded: offsets stay those of the text.
    let (lower, searched) = (text.to_ascii_lowercase(), searched.to_ascii_lowercase());
    lower.match_indices(&*searched).map(|(at, found)| at..at + found.len()).collect()
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
    fn capitals_match_exactly() {
        assert_eq!(matches("Gain gain", "gain"), [0..4, 5..9]);
        assert_eq!(matches("Gain gain gain Gain", "Gain"), [0..4, 15..19]);
        assert_eq!(matches("a", ""), []);
    }
}
