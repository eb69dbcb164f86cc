//! A text with repairs of its syntax, whose positions convert back to those of the original text.

use std::borrow::Cow;
use std::ops::Range;

use steerbox_core::diagnostics::Fix;
use steerbox_core::text::TextEdit;

use crate::words::RangeFault;

/// The extent of what a repair removes from a scene.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Loss {
    /// Nothing: only punctuation changes.
    Nothing,
    /// A value. [`LOST`] is in its place.
    Value,
    /// A field or an entry with its name.
    Field,
}

/// The word in place of a lost value.
pub(crate) const LOST: &str = "_";

/// A repaired range.
#[derive(Clone, Debug)]
struct Repair {
    /// The range in the repaired text.
    part: Range<usize>,
    /// Its length in the original text.
    length: usize,
    loss: Loss,
}

/// A text with repairs. Lines retain their numbers.
#[derive(Clone)]
pub(crate) struct Repaired<'a> {
    pub(crate) text: Cow<'a, str>,
    /// Disjoint, in ascending order.
    repairs: Vec<Repair>,
}

impl<'a> Repaired<'a> {
    pub(crate) fn new(text: &'a str) -> Self {
        Self { text: Cow::Borrowed(text), repairs: Vec::new() }
    }

    /// Applies edits of the repaired text, which must be in ascending order.
    pub(crate) fn apply(&mut self, edits: &[(TextEdit, Loss)]) {
        for (TextEdit { range, text }, loss) in edits.iter().rev() {
            let lines = |text: &str| text.matches('\n').count();
            let lacking = lines(&self.text[range.clone()]).saturating_sub(lines(text));
            let new = format!("{text}{}", "\n".repeat(lacking));
            self.replace(range.clone(), &new, *loss);
        }
    }

    fn replace(&mut self, range: Range<usize>, new: &str, loss: Loss) {
        let original = self.original(&range);
        let inside = |repair: &Repair| repair.part.start < range.end && repair.part.end > range.start;
        let inner = self.repairs.iter().filter(|repair| inside(repair));
        let loss = inner.map(|repair| repair.loss).fold(loss, Loss::max);
        self.repairs.retain(|repair| !inside(repair));
        let shift = |at: usize| at - range.end + range.start + new.len();
        for repair in &mut self.repairs {
            if repair.part.start >= range.end {
                repair.part = shift(repair.part.start)..shift(repair.part.end);
            }
        }
        self.text.to_mut().replace_range(range.clone(), new);
        let part = range.start..range.start + new.len();
        let at = self.repairs.partition_point(|repair| repair.part.start < part.start);
        self.repairs.insert(at, Repair { part, length: original.len(), loss });
    }

    /// Returns the range of the original text.
    pub(crate) fn original(&self, range: &Range<usize>) -> Range<usize> {
        let start = self.original_offset(range.start, false);
        start..self.original_offset(range.end, range.end > range.start).max(start)
    }

    /// Converts an offset. One within a repaired part becomes the start or the end of that part.
    fn original_offset(&self, at: usize, is_end: bool) -> usize {
        let (mut removed, mut added) = (0, 0);
        for Repair { part, length, .. } in &self.repairs {
            if at < part.end || (at == part.end && part.is_empty() && !is_end) {
                if at <= part.start {
                    break;
                }
                let start = part.start + removed - added;
                return if is_end { start + length } else { start };
            }
            removed += length;
            added += part.len();
        }
        at + removed - added
    }

    /// Converts a fault of the repaired text to the original one. A fix of a repaired part is dropped.
    pub(crate) fn of_original(&self, found: RangeFault) -> RangeFault {
        if self.repairs.is_empty() {
            return found;
        }
        let edit = |edit: &TextEdit| {
            let is_repaired = self.repairs.iter().any(|repair| {
                let part = &repair.part;
                part.start < edit.range.end && part.end > edit.range.start && !part.is_empty()
            });
            let range = self.original(&edit.range);
            (!is_repaired).then(|| TextEdit::replace(range, edit.text.clone()))
        };
        let fix = |fix: &Fix| {
            let edits = fix.edits.iter().map(edit).collect::<Option<Vec<_>>>();
            edits.map(|edits| Fix::new(fix.title.clone(), edits))
        };
        let fixes = found.fixes.iter().filter_map(fix).collect();
        RangeFault { range: self.original(&found.range), fixes, ..found }
    }

    /// Returns true if a range contains a repair.
    pub(crate) fn is_repaired(&self, range: &Range<usize>) -> bool {
        let mut parts = self.repairs.iter().map(|repair| &repair.part);
        parts.any(|part| part.start >= range.start && part.end <= range.end)
    }

    /// Returns true if a range touches a part with a loss.
    pub(crate) fn has_lost(&self, range: &Range<usize>) -> bool {
        let lost = self.repairs.iter().filter(|repair| repair.loss > Loss::Nothing);
        lost.map(|repair| &repair.part).any(|part| part.start <= range.end && part.end >= range.start)
    }

    /// Returns true if a field with its name is lost in a range, but not within one of its values.
    pub(crate) fn has_lost_field(&self, range: &Range<usize>, values: &[Range<usize>]) -> bool {
        let lost = self.repairs.iter().filter(|repair| repair.loss == Loss::Field);
        lost.map(|repair| &repair.part).any(|part| {
            let is_within = |range: &Range<usize>| part.start >= range.start && part.end <= range.end;
            is_within(range) && !values.iter().any(is_within)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn offsets_convert_back_after_any_sequence_of_repairs() {
        let mut repaired = Repaired::new("(a: b c, d: §e\n, f)");
        repaired.apply(&[(TextEdit::insert(5, ","), Loss::Nothing)]);
        let field = repaired.text.find("d:").expect("there is a field");
        repaired.apply(&[(TextEdit::replace(field..field + 8, ""), Loss::Field)]);
        assert_eq!(repaired.text, "(a: b, c, \n f)");
        let value = repaired.text.find("b, c").expect("there is a value");
        repaired.apply(&[(TextEdit::replace(value..value + 4, LOST), Loss::Value)]);
        assert_eq!(repaired.text, "(a: _, \n f)");
        let of = |part: &str| {
            let at = repaired.text.find(part).expect("the part is there");
            repaired.original(&(at..at + part.len()))
        };
        assert_eq!((of("a"), of("_"), of("f"), of(")")), (1..2, 4..7, 18..19, 19..20));
        assert!(repaired.has_lost(&(4..5)) && !repaired.has_lost(&(1..2)));
        assert!(repaired.has_lost_field(&(0..11), std::slice::from_ref(&(4..5))));
    }

    #[test]
    fn a_fix_of_a_repaired_part_is_dropped() {
        let mut repaired = Repaired::new("a 12 b");
        repaired.apply(&[(TextEdit::replace(2..4, LOST), Loss::Value)]);
        let found = |range: Range<usize>| RangeFault::new(range.clone(), "m").write(range, "x");
        assert!(repaired.of_original(found(2..3)).fixes.is_empty());
        let after = repaired.of_original(found(4..5));
        assert_eq!((after.range, after.fixes[0].apply("a 12 b").as_deref()), (5..6, Some("a 12 x")));
    }
}
