//! The brackets of a text, for the parts in which names are visible.

use std::ops::Range;

use steerbox_core::diagnostics::closing;

use crate::syntax::lexemes::{Lexeme, LexemeKind};

/// The parts of a text between brackets, in the order of their start.
pub(super) struct Blocks {
    /// Bracket and range, from the opening to after the closing bracket.
    parts: Vec<(char, Range<usize>)>,
    length: usize,
}

impl Blocks {
    pub(super) fn new(text: &str, lexemes: &[Lexeme]) -> Self {
        let (mut parts, mut open) = (Vec::new(), Vec::new());
        for Lexeme { kind, range } in lexemes {
            match kind {
                LexemeKind::Open(bracket) => {
                    open.push(parts.len());
                    parts.push((*bracket, range.start..text.len()));
                }
                LexemeKind::Close(found) => {
                    // A bracket that is not closed ends with the one around it.
                    let matching =
                        open.iter().rposition(|part| closing((&parts[*part] as &(char, _)).0) == *found);
                    for part in open.drain(matching.unwrap_or(open.len())..) {
                        parts[part].1.end = range.end;
                    }
                }
                _ => {}
            }
        }
        Self { parts, length: text.len() }
    }

    /// Returns the end of the innermost block in braces around a place; that of the text outside of all blocks.
    pub(super) fn end_around(&self, at: usize) -> usize {
        let around = self.parts.iter().filter(|(bracket, range)| *bracket == '{' && range.contains(&at));
        around.map(|(_, range)| range.end).min().unwrap_or(self.length)
    }

    /// Returns the block in braces whose bracket is the first at or after a place.
    pub(super) fn from(&self, at: usize) -> Option<Range<usize>> {
        let mut after = self.parts.iter().filter(|(bracket, range)| *bracket == '{' && range.start >= at);
        after.next().map(|(_, range)| range.clone())
    }
}
