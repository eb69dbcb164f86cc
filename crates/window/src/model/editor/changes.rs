//! The changes of a text, to be undone and redone. Movements of the cursor are not changes.

use std::sync::Arc;
use std::time::{Duration, Instant};

/// Maximum time between two keys whose changes are one step.
const PAUSE: Duration = Duration::from_secs(1);
/// Maximum number of steps, and of bytes of their texts.
const MAX_STEPS: usize = 1000;
const MAX_BYTES: usize = 16 << 20;

/// The relation of a change to the one before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Joins {
    /// It is a step of its own.
    Never,
    /// It belongs to the same step if that ended at the same place a moment ago: letters of a word.
    Typing,
    /// It belongs to the same step: a value that is dragged.
    Always,
}

/// A replacement of a part of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Change {
    /// The start of the part, bytes.
    at: usize,
    removed: String,
    inserted: String,
}

/// Changes that are undone together, in order.
type Step = Vec<Change>;

/// The steps of a text.
#[derive(Clone, Debug, Default)]
pub(crate) struct Changes {
    done: Vec<Arc<Step>>,
    undone: Vec<Arc<Step>>,
    /// The time of the last change, unless it was undone or redone.
    last: Option<Instant>,
}

impl Change {
    /// The smallest replacement between two texts; `None` if they are equal.
    fn between(before: &str, after: &str) -> Option<Self> {
        if before == after {
            return None;
        }
        let (a, b) = (before.as_bytes(), after.as_bytes());
        let at = before.floor_char_boundary(a.iter().zip(b).take_while(|(a, b)| a == b).count());
        // Both texts are equal up to there, so that it is a boundary in both.
        let (a, b) = (&a[at..], &b[at..]);
        let rest = a.iter().rev().zip(b.iter().rev()).take_while(|(a, b)| a == b).count();
        let end = before.ceil_char_boundary(before.len() - rest);
        let rest = before.len() - end;
        let (removed, inserted) = (before[at..end].to_owned(), after[at..after.len() - rest].to_owned());
        Some(Self { at, removed, inserted })
    }

    fn reversed(&self) -> Self {
        Self { at: self.at, removed: self.inserted.clone(), inserted: self.removed.clone() }
    }

    fn apply(&self, text: &mut String) {
        let end = self.at + self.removed.len();
        if text.get(self.at..end) == Some(&*self.removed) {
            text.replace_range(self.at..end, &self.inserted);
        }
    }

    /// True if this change begins or ends at the part that an earlier one inserted, or within it.
    fn touches(&self, earlier: &Self) -> bool {
        self.at + self.removed.len() >= earlier.at && self.at <= earlier.at + earlier.inserted.len()
    }

    fn bytes(&self) -> usize {
        size_of::<Self>() + self.removed.len() + self.inserted.len()
    }
}

impl Changes {
    /// True if there is a step to undo or to redo.
    pub(crate) fn exist(&self) -> bool {
        !self.done.is_empty() || !self.undone.is_empty()
    }

    /// Stores the change from one text to another.
    pub(crate) fn note(&mut self, before: &str, after: &str, joins: Joins, now: Instant) {
        let Some(change) = Change::between(before, after) else {
            return;
        };
        self.undone.clear();
        let is_recent = self.last.is_some_and(|last| now.saturating_duration_since(last) < PAUSE);
        self.last = Some(now);
        let earlier = self.done.last_mut().filter(|earlier| match (joins, earlier.last()) {
            (Joins::Never, _) | (_, None) => false,
            (Joins::Typing, Some(earlier)) => is_recent && change.touches(earlier),
            (Joins::Always, Some(_)) => true,
        });
        match earlier {
            Some(earlier) => Arc::make_mut(earlier).push(change),
            None => self.done.push(Arc::new(vec![change])),
        }
        self.limit();
    }

    /// Removes the oldest steps.
    fn limit(&mut self) {
        let (mut bytes, mut kept) = (0, 0);
        for step in self.done.iter().rev() {
            bytes += step.iter().map(Change::bytes).sum::<usize>();
            if kept > 0 && (bytes > MAX_BYTES || kept == MAX_STEPS) {
                break;
            }
            kept += 1;
        }
        self.done.drain(..self.done.len() - kept);
    }

    /// Undoes the last step. Returns the place of its first change, bytes; `None` if there is none.
    pub(crate) fn undo(&mut self, text: &mut String) -> Option<usize> {
        let step = self.done.pop()?;
        self.last = None;
        for change in step.iter().rev() {
            change.reversed().apply(text);
        }
        let place = step.first().map(|change| change.at + change.removed.len());
        self.undone.push(step);
        place
    }

    /// Redoes the step that was undone last. Returns the place of its last change, bytes; `None` if there is none.
    pub(crate) fn redo(&mut self, text: &mut String) -> Option<usize> {
        let step = self.undone.pop()?;
        self.last = None;
        for change in &*step {
            change.apply(text);
        }
        let place = step.last().map(|change| change.at + change.inserted.len());
        self.done.push(step);
        place
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn change(before: &str, after: &str) -> (usize, String, String) {
        let change = Change::between(before, after).expect("they differ");
        (change.at, change.removed, change.inserted)
    }

    #[test]
    fn a_change_is_the_smallest_replacement_between_characters() {
        assert_eq!(change("abc", "axc"), (1, "b".to_owned(), "x".to_owned()));
        assert_eq!(change("aa", "aaa"), (2, String::new(), "a".to_owned()));
        // The two letters have one byte in common, at their start or at their end.
        assert_eq!(change("ä", "ö"), (0, "ä".to_owned(), "ö".to_owned()));
        assert_eq!(change("x¤", "xä"), (1, "¤".to_owned(), "ä".to_owned()));
        assert_eq!(Change::between("a", "a"), None);
    }

    /// Texts that follow each other at these seconds, with the relation of each to the one before.
    fn noted(texts: &[(&str, f32, Joins)]) -> (Changes, String) {
        let (mut changes, mut text, start) = (Changes::default(), String::new(), Instant::now());
        for (next, seconds, joins) in texts {
            changes.note(&text, next, *joins, start + Duration::from_secs_f32(*seconds));
            (*next).clone_into(&mut text);
        }
        (changes, text)
    }

    fn undone((mut changes, mut text): (Changes, String)) -> Vec<String> {
        let mut all = Vec::new();
        while changes.undo(&mut text).is_some() {
            all.push(text.clone());
        }
        all
    }

    #[test]
    fn letters_of_a_word_are_one_step_and_a_pause_or_another_place_begins_the_next() {
        use Joins::{Always, Never, Typing};
        let typed =
            noted(&[("a", 0.0, Typing), ("ab", 0.5, Typing), ("abc", 1.2, Typing), ("ab", 1.5, Typing)]);
        assert_eq!(undone(typed), [""]);
        let paused = noted(&[("a", 0.0, Typing), ("ab", 1.5, Typing)]);
        assert_eq!(undone(paused), ["a", ""]);
        let elsewhere =
            noted(&[("one two", 0.0, Typing), ("one two!", 0.1, Typing), ("?one two!", 0.2, Typing)]);
        assert_eq!(undone(elsewhere), ["one two!", ""]);
        let dragged = noted(&[("1", 0.0, Never), ("2", 0.1, Never), ("3", 5.0, Always), ("4", 9.0, Always)]);
        assert_eq!(undone(dragged), ["1", ""]);
    }

    #[test]
    fn a_step_that_was_undone_is_redone_until_the_text_changes() {
        let (mut changes, mut text) = noted(&[("ab", 0.0, Joins::Never), ("axb", 0.1, Joins::Never)]);
        assert_eq!((changes.undo(&mut text), &*text), (Some(1), "ab"));
        assert_eq!((changes.redo(&mut text), &*text), (Some(2), "axb"));
        assert_eq!((changes.redo(&mut text), changes.undo(&mut text)), (None, Some(1)));
        // A change after an undo is a step of its own.
        changes.note("ab", "aby", Joins::Typing, Instant::now());
        text = "aby".to_owned();
        assert_eq!((changes.redo(&mut text), changes.undo(&mut text), &*text), (None, Some(2), "ab"));
        assert!(changes.exist() && !Changes::default().exist());
    }

    #[test]
    fn the_number_and_the_size_of_steps_are_limited() {
        let (mut changes, now) = (Changes::default(), Instant::now());
        for _ in 0..MAX_STEPS {
            changes.note("a", "b", Joins::Never, now);
            changes.note("b", "a", Joins::Never, now);
        }
        assert_eq!(changes.done.len(), MAX_STEPS);
        let long = "x".repeat(MAX_BYTES / 2);
        changes.note("", &long, Joins::Never, now);
        changes.note(&long, "", Joins::Never, now);
        assert_eq!(changes.done.len(), 1, "the last step remains");
    }

    proptest! {
        #[test]
        fn undo_and_redo_return_every_text(texts in proptest::collection::vec("[ab ä¤\n]{0,6}", 1..12)) {
            let mut changes = Changes::default();
            let mut before = String::new();
            for text in &texts {
                changes.note(&before, text, Joins::Never, Instant::now());
                before.clone_from(text);
            }
            let mut steps = vec![String::new()];
            for text in texts {
                if steps.last() != Some(&text) {
                    steps.push(text);
                }
            }
            let mut text = before;
            for step in steps.iter().rev().skip(1) {
                prop_assert!(changes.undo(&mut text).is_some());
                prop_assert_eq!(&text, step);
            }
            prop_assert!(changes.undo(&mut text).is_none());
            for step in &steps[1..] {
                prop_assert!(changes.redo(&mut text).is_some());
                prop_assert_eq!(&text, step);
            }
        }
    }
}
