//! Fixes that a program can apply to a text.

use std::ops::Range;

use crate::text::{TextEdit, apply};

/// Edits of one file after which a fault is gone and no other is new.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Fix {
    /// The effect, as a command: "write `speed`".
    pub title: String,
    /// The edits, whose ranges do not overlap, in ascending order.
    pub edits: Vec<TextEdit>,
}

impl Fix {
    /// Creates a fix of edits in any order.
    pub fn new(title: impl Into<String>, mut edits: Vec<TextEdit>) -> Self {
        edits.sort_by_key(|edit| (edit.range.start, edit.range.end));
        Self { title: title.into(), edits }
    }

    /// Creates the replacement of one range.
    pub fn replace(title: impl Into<String>, range: Range<usize>, text: impl Into<String>) -> Self {
        Self::new(title, vec![TextEdit::replace(range, text)])
    }

    /// Creates an insertion.
    pub fn insert(title: impl Into<String>, at: usize, text: impl Into<String>) -> Self {
        Self::replace(title, at..at, text)
    }

    /// Returns the text with all edits; `None` if they do not fit, as [`apply`].
    pub fn apply(&self, text: &str) -> Option<String> {
        apply(text, &self.edits)
    }
}
