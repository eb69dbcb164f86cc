//! A text in the editor, and its relation to the file.

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use steerbox_core::diagnostics::{Fault, Severity};
use steerbox_project::reload::{Checked, SavedText, is_experiment};

use super::changes::{Changes, Joins};

/// Time after the last key until a text is checked, and until it runs in live mode.
pub(crate) const CHECKED_AFTER: Duration = Duration::from_millis(25);
pub(crate) const RUN_AFTER: Duration = Duration::from_millis(300);

/// A file that differs from the content from which a text was made.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Conflict {
    /// It has this content, and the text is unsaved.
    Changed(Arc<str>),
    /// It is gone.
    Deleted,
    /// It exists, and cannot be read.
    Unreadable(Fault),
}

/// A text in the editor.
#[derive(Clone, Debug)]
pub(crate) struct Buffer {
    /// Name of the file, as in messages.
    pub(crate) name: String,
    /// The text, with line feeds alone as line ends.
    text: String,
    changes: Changes,
    /// The content of the file as it is to be written.
    content: Arc<str>,
    /// True if the lines of the file end with a carriage return, too.
    has_returns: bool,
    /// The saved content from which the text was made; `None` if there is no such file.
    pub(crate) base: Option<Arc<str>>,
    /// The saved content when last compared.
    seen: SavedText,
    /// The state of the file that the user has to consider.
    pub(crate) conflict: Option<Conflict>,
    /// The reason why the last save wrote nothing.
    pub(crate) unwritten: Option<Fault>,
    /// The time of the last change.
    changed: Instant,
    /// True if the check of the present text is requested, and if it is to run once it is checked.
    is_sent: bool,
    pub(crate) runs_next: bool,
    /// The result of the last check.
    checked: Option<Checked>,
}

impl Buffer {
    /// A text that equals the saved content.
    pub(crate) fn new(name: &str, saved: Option<Arc<str>>) -> Self {
        let content = saved.clone().unwrap_or_else(|| "".into());
        let mut buffer = Self {
            name: name.to_owned(),
            text: String::new(),
            changes: Changes::default(),
            content: Arc::clone(&content),
            has_returns: false,
            base: saved.clone(),
            seen: saved.map(Ok),
            conflict: None,
            unwritten: None,
            changed: Instant::now(),
            is_sent: true,
            runs_next: false,
            checked: None,
        };
        buffer.load(content);
        buffer.changes = Changes::default();
        buffer
    }

    /// A text with changes to a saved content, which may differ from the present one.
    pub(crate) fn restored(name: &str, base: Option<Arc<str>>, text: &str, now: SavedText) -> Self {
        let mut buffer = Self::new(name, base);
        buffer.edit(text.to_owned(), Instant::now());
        buffer.compare(now);
        buffer
    }

    fn load(&mut self, content: Arc<str>) {
        let feeds = content.matches('\n').count();
        self.has_returns = feeds > 0 && content.matches("\r\n").count() == feeds;
        let text = if self.has_returns { content.replace("\r\n", "\n") } else { content.to_string() };
        self.changes.note(&self.text, &text, Joins::Never, Instant::now());
        (self.text, self.content) = (text, content);
        self.touch(Instant::now());
    }

    fn touch(&mut self, now: Instant) {
        (self.changed, self.is_sent, self.runs_next) = (now, false, false);
    }

    /// True for an experiment, which the running scene does not contain.
    pub(crate) fn is_experiment(&self) -> bool {
        is_experiment(Path::new(&self.name))
    }

    /// The text, with line feeds alone as line ends.
    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    /// The content to be run or written.
    pub(crate) fn content(&self) -> &Arc<str> {
        &self.content
    }

    /// Replaces the text, as a step of its own.
    pub(crate) fn edit(&mut self, text: String, now: Instant) {
        self.edit_joined(text, Joins::Never, now);
    }

    /// Replaces the text.
    pub(crate) fn edit_joined(&mut self, text: String, joins: Joins, now: Instant) {
        if text != self.text {
            self.changes.note(&self.text, &text, joins, now);
            self.set(text, now);
        }
    }

    fn set(&mut self, text: String, now: Instant) {
        self.content =
            if self.has_returns { text.replace('\n', "\r\n").into() } else { text.as_str().into() };
        self.text = text;
        self.touch(now);
    }

    /// Undoes the last step, or redoes the one that was undone last. Returns its place in the text, bytes; `None` if there is
    /// none.
    pub(crate) fn undo(&mut self, is_redo: bool, now: Instant) -> Option<usize> {
        let (mut text, changes) = (self.text.clone(), &mut self.changes);
        let place = if is_redo { changes.redo(&mut text) } else { changes.undo(&mut text) }?;
        self.set(text, now);
        Some(place)
    }

    /// True if there is a step to undo or to redo.
    pub(crate) fn has_changes(&self) -> bool {
        self.changes.exist()
    }

    /// True if the text differs from the content from which it was made. An empty text without a file does not count as unsaved.
    pub(crate) fn is_unsaved(&self) -> bool {
        self.base.as_deref().unwrap_or_default() != &*self.content
    }

    /// Compares with the saved content. A text without changes follows it; otherwise there is a conflict. Returns true if
    /// anything changed.
    pub(crate) fn compare(&mut self, saved: SavedText) -> bool {
        if self.seen == saved {
            return false;
        }
        self.seen.clone_from(&saved);
        self.conflict = match saved {
            Some(Err(fault)) => Some(Conflict::Unreadable(fault)),
            None => self.base.is_some().then_some(Conflict::Deleted),
            Some(Ok(content)) if content == self.content => {
                self.base = Some(content);
                None
            }
            Some(Ok(content)) if self.base.as_ref() == Some(&content) => None,
            Some(Ok(content)) if self.is_unsaved() => Some(Conflict::Changed(content)),
            Some(Ok(content)) => {
                self.base = Some(Arc::clone(&content));
                self.load(content);
                None
            }
        };
        true
    }

    /// Ends a conflict: with the text of the editor, or with that of the file. That with an unreadable file ends with the next
    /// content that can be read.
    pub(crate) fn resolve(&mut self, takes_file: bool) {
        match self.conflict.take() {
            Some(Conflict::Changed(content)) => {
                self.base = Some(Arc::clone(&content));
                if takes_file {
                    self.load(content);
                }
            }
            Some(Conflict::Deleted) => self.base = None,
            unreadable => self.conflict = unreadable,
        }
    }

    /// Returns to the saved content.
    pub(crate) fn revert(&mut self) {
        if let Some(base) = self.base.clone() {
            self.load(base);
        }
    }

    /// Notes that a content was written. A text without changes follows it.
    pub(crate) fn note_written(&mut self, content: Arc<str>) {
        if !self.is_unsaved() {
            self.load(Arc::clone(&content));
        }
        (self.base, self.seen) = (Some(Arc::clone(&content)), Some(Ok(content)));
        (self.conflict, self.unwritten) = (None, None);
    }

    /// Returns the content if its check is due.
    pub(crate) fn due(&mut self, now: Instant) -> Option<Arc<str>> {
        let delay = if self.runs_next { Duration::ZERO } else { CHECKED_AFTER };
        let is_due = !self.is_sent && now.saturating_duration_since(self.changed) >= delay;
        self.is_sent |= is_due;
        is_due.then(|| Arc::clone(&self.content))
    }

    /// Makes the check of the present text due again, as another file has changed.
    pub(crate) fn check_again(&mut self) {
        self.is_sent = false;
    }

    /// Stores the result of a check. Returns false if the text has changed since.
    pub(crate) fn note_checked(&mut self, checked: Checked) -> bool {
        let is_current = checked.text == self.content;
        if is_current {
            self.checked = Some(checked);
        }
        is_current
    }

    /// The faults of the present text; `None` while it is not checked.
    pub(crate) fn faults(&self) -> Option<&[Fault]> {
        let checked = self.checked.as_ref().filter(|checked| checked.text == self.content);
        checked.map(|checked| &*checked.faults)
    }

    /// True if the text passed its check and is to run now: in live mode, a while after the last key.
    pub(crate) fn is_ready(&self, is_live: bool, now: Instant) -> bool {
        let is_sound = |faults: &[Fault]| faults.iter().all(|fault| fault.severity != Severity::Error);
        let is_due = is_live && now.saturating_duration_since(self.changed) >= RUN_AFTER;
        (self.runs_next || is_due) && self.faults().is_some_and(is_sound)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn checked(text: &str, faults: Vec<Fault>) -> Checked {
        Checked { name: "a.rhai".to_owned(), text: text.into(), faults }
    }

    #[test]
    fn a_text_is_checked_once_and_runs_after_a_pause_if_it_is_sound() {
        let mut buffer = Buffer::new("a.rhai", Some("1".into()));
        let start = Instant::now();
        buffer.edit("2".to_owned(), start);
        assert_eq!(buffer.due(start + CHECKED_AFTER / 2), None);
        assert_eq!(buffer.due(start + CHECKED_AFTER).as_deref(), Some("2"));
        assert_eq!(buffer.due(start + CHECKED_AFTER), None);
        assert!(!buffer.is_ready(true, start + RUN_AFTER), "the result is missing");
        assert!(!buffer.note_checked(checked("1", Vec::new())), "of another text");
        assert!(buffer.note_checked(checked("2", Vec::new())));
        assert!(!buffer.is_ready(true, start + RUN_AFTER / 2));
        assert!(buffer.is_ready(true, start + RUN_AFTER) && !buffer.is_ready(false, start + RUN_AFTER));
        buffer.note_checked(checked("2", vec![Fault::of_file("a.rhai", "odd").warning()]));
        assert!(buffer.is_ready(true, start + RUN_AFTER));
        buffer.note_checked(checked("2", vec![Fault::of_file("a.rhai", "wrong")]));
        assert!(!buffer.is_ready(true, start + RUN_AFTER));
        buffer.edit("3".to_owned(), start);
        assert_eq!(buffer.faults(), None);
        buffer.runs_next = true;
        assert_eq!(buffer.due(start).as_deref(), Some("3"), "at once");
        buffer.note_checked(checked("3", Vec::new()));
        assert!(buffer.is_ready(false, start));
    }

    #[allow(clippy::unnecessary_wraps, reason = "the content of a file that exists and can be read")]
    fn text(text: &str) -> SavedText {
        Some(Ok(text.into()))
    }

    #[test]
    fn a_text_without_changes_follows_the_file_and_any_other_conflicts_with_it() {
        let mut buffer = Buffer::new("a.rhai", Some("1".into()));
        assert!(buffer.compare(text("2")) && buffer.text() == "2" && !buffer.is_unsaved());
        buffer.edit("3".to_owned(), Instant::now());
        assert!(buffer.compare(text("4")));
        assert_eq!((buffer.text(), &buffer.conflict), ("3", &Some(Conflict::Changed("4".into()))));
        buffer.resolve(false);
        assert_eq!((buffer.text(), buffer.base.as_deref(), buffer.is_unsaved()), ("3", Some("4"), true));
        buffer.compare(text("5"));
        buffer.resolve(true);
        assert_eq!((buffer.text(), buffer.is_unsaved()), ("5", false));
        buffer.edit("6".to_owned(), Instant::now());
        buffer.compare(text("6"));
        assert!(!buffer.is_unsaved() && buffer.conflict.is_none());
        buffer.compare(None);
        assert_eq!(buffer.conflict, Some(Conflict::Deleted));
        buffer.resolve(true);
        assert!(buffer.is_unsaved() && buffer.text() == "6", "nothing is lost");
    }

    #[test]
    fn an_unreadable_file_is_not_a_deleted_one_and_a_good_file_ends_both() {
        let fault = Fault::of_file("a.rhai", "too long");
        for (unsaved, back) in [(false, "1"), (false, "2"), (true, "1"), (true, "3")] {
            let mut buffer = Buffer::new("a.rhai", Some("1".into()));
            if unsaved {
                buffer.edit("3".to_owned(), Instant::now());
            }
            let before = buffer.text().to_owned();
            for (saved, conflict) in
                [(Some(Err(fault.clone())), Conflict::Unreadable(fault.clone())), (None, Conflict::Deleted)]
            {
                assert!(buffer.compare(saved));
                assert_eq!((buffer.text(), &buffer.conflict), (&*before, &Some(conflict)));
            }
            buffer.compare(Some(Err(fault.clone())));
            buffer.resolve(false);
            assert_eq!(buffer.conflict, Some(Conflict::Unreadable(fault.clone())), "it cannot be replaced");
            buffer.compare(text(back));
            assert_eq!(buffer.conflict, None);
            assert_eq!(buffer.text(), if unsaved { "3" } else { back });
        }
    }

    #[test]
    fn an_empty_text_without_a_file_is_not_unsaved() {
        let mut buffer = Buffer::new("a.rhai", None);
        assert!(!buffer.is_unsaved());
        assert!(!Buffer::restored("a.rhai", None, "", Some(Err(Fault::of_file("a.rhai", "?")))).is_unsaved());
        buffer.edit("1".to_owned(), Instant::now());
        assert!(buffer.is_unsaved());
        let mut emptied = Buffer::new("a.rhai", Some("1".into()));
        emptied.edit(String::new(), Instant::now());
        assert!(emptied.is_unsaved());
    }

    #[test]
    fn a_content_that_was_taken_from_the_file_can_be_undone() {
        let now = Instant::now();
        let mut buffer = Buffer::new("a.rhai", Some("1\r\n".into()));
        assert!(!buffer.has_changes() && buffer.undo(false, now).is_none());
        buffer.edit("2\n".to_owned(), now);
        buffer.compare(text("3\r\n"));
        buffer.resolve(true);
        assert_eq!((buffer.undo(false, now), &**buffer.content()), (Some(1), "2\r\n"));
        assert_eq!((buffer.undo(false, now), buffer.text(), buffer.is_unsaved()), (Some(1), "1\n", true));
        assert_eq!((buffer.undo(true, now), buffer.text()), (Some(1), "2\n"));
        buffer.note_written("2\r\n".into());
        assert!(!buffer.is_unsaved() && buffer.has_changes());
    }

    #[test]
    fn line_ends_of_the_file_are_restored() {
        let mut buffer = Buffer::new("a.rhai", Some("a\r\nb\r\n".into()));
        assert_eq!((buffer.text(), buffer.is_unsaved()), ("a\nb\n", false));
        buffer.edit("a\nc\n".to_owned(), Instant::now());
        assert_eq!(&**buffer.content(), "a\r\nc\r\n");
        let mixed = Buffer::new("a.rhai", Some("a\r\nb\n".into()));
        assert_eq!((mixed.text(), mixed.is_unsaved()), ("a\r\nb\n", false));
    }

    #[test]
    fn a_written_text_is_no_conflict_when_the_file_is_reported() {
        let mut buffer = Buffer::new("a.rhai", Some("1".into()));
        buffer.edit("2".to_owned(), Instant::now());
        buffer.note_written("2".into());
        buffer.edit("3".to_owned(), Instant::now());
        assert!(!buffer.compare(text("2")) && buffer.conflict.is_none());
    }
}
