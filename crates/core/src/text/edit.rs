//! Edits of a text.

use std::cmp::Ordering;
use std::ops::Range;

/// A replacement of a part of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextEdit {
    /// The replaced part, in bytes of the text before all edits; empty for an insertion.
    pub range: Range<usize>,
    /// The new text of that part.
    pub text: String,
}

impl TextEdit {
    /// Creates the replacement of a part.
    pub fn replace(range: Range<usize>, text: impl Into<String>) -> Self {
        Self { range, text: text.into() }
    }

    /// Creates an insertion before byte `at`.
    pub fn insert(at: usize, text: impl Into<String>) -> Self {
        Self::replace(at..at, text)
    }
}

impl Ord for TextEdit {
    fn cmp(&self, other: &Self) -> Ordering {
        let key = |edit: &Self| (edit.range.start, edit.range.end);
        key(self).cmp(&key(other)).then_with(|| self.text.cmp(&other.text))
    }
}

impl PartialOrd for TextEdit {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// Returns a text with all edits, in any order; insertions at the same position retain theirs. `None` if an edit is outside
/// the text, within a character or before the end of another.
pub fn apply(text: &str, edits: &[TextEdit]) -> Option<String> {
    let mut sorted: Vec<&TextEdit> = edits.iter().collect();
    sorted.sort_by_key(|edit| (edit.range.start, edit.range.end));
    let (mut edited, mut at) = (String::with_capacity(text.len() + 64), 0);
    for TextEdit { range, text: new } in sorted {
        text.get(range.clone())?;
        edited.push_str(text.get(at..range.start)?);
        edited.push_str(new);
        at = range.end;
    }
    edited.push_str(text.get(at..)?);
    Some(edited)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edits_are_applied_in_the_order_of_the_text() {
        let edits = [
            TextEdit::replace(4..5, "E"),
            TextEdit::insert(0, "<"),
            TextEdit::insert(0, ">"),
            TextEdit::replace(1..3, "é"),
        ];
        assert_eq!(apply("abcde", &edits).as_deref(), Some("<>aédE"));
    }

    #[test]
    fn edits_that_overlap_or_do_not_fit_are_refused_together() {
        for range in [2..4, 9..12, 3..3] {
            let edits = [TextEdit::replace(1..4, ""), TextEdit::replace(range.clone(), "x")];
            assert_eq!(apply("abcde", &edits), None, "{range:?}");
        }
        assert_eq!(apply("é", &[TextEdit::insert(1, "within a character")]), None);
    }
}
