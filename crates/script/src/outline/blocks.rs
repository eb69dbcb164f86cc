//! The braces of a text, for the parts in which names are visible.

use std::collections::BTreeMap;
use std::ops::Range;

use steerbox_core::diagnostics::closing;

use crate::syntax::lexemes::{Lexeme, LexemeKind};

/// The parts of a text between braces, in the order of their start, from the opening to after the closing brace.
pub(super) struct Blocks {
    braces: Vec<Range<usize>>,
    length: usize,
}

impl Blocks {
    pub(super) fn new(text: &str, lexemes: &[Lexeme]) -> Self {
        // The index of the part for braces, and the closing bracket.
        let (mut braces, mut open) = (Vec::new(), Vec::<(Option<usize>, char)>::new());
        let mut unclosed = BTreeMap::<char, usize>::new();
        for Lexeme { kind, range } in lexemes {
            match kind {
                LexemeKind::Open(bracket) => {
                    open.push(((*bracket == '{').then_some(braces.len()), closing(*bracket)));
                    *unclosed.entry(closing(*bracket)).or_default() += 1;
                    if *bracket == '{' {
                        braces.push(range.start..text.len());
                    }
                }
                // A bracket that is not closed ends with the one around it.
                LexemeKind::Close(found) if unclosed.get(found).is_some_and(|count| *count > 0) => {
                    while let Some((part, end)) = open.pop() {
                        unclosed.entry(end).and_modify(|count| *count -= 1);
                        if let Some(part) = part {
                            braces[part].end = range.end;
                        }
                        if end == *found {
                            break;
                        }
                    }
                }
                _ => {}
            }
        }
        Self { braces, length: text.len() }
    }

    /// Returns the end of the innermost block around a place; that of the text outside of all blocks.
    pub(super) fn end_around(&self, at: usize) -> usize {
        let around = self.braces.iter().filter(|range| range.contains(&at));
        around.map(|range| range.end).min().unwrap_or(self.length)
    }

    /// Returns the block whose brace is the first at or after a place.
    pub(super) fn from(&self, at: usize) -> Option<Range<usize>> {
        self.braces.get(self.braces.partition_point(|range| range.start < at)).cloned()
    }
}
