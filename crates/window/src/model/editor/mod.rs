//! The texts in the editor: buffers by file, the open one, and the state of the pane.

pub(crate) mod assist;
pub(crate) mod buffer;
pub(crate) mod changes;
pub(crate) mod diff;
pub(crate) mod draggable;
pub(crate) mod file_changes;
pub(crate) mod lines;
pub(crate) mod scan;
pub(crate) mod text_state;
pub(crate) mod typing;

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;
use std::time::{Duration, Instant};

use assist::Assist;
use buffer::Buffer;
use file_changes::FileChanges;
use serde::{Deserialize, Serialize};
use steerbox_core::diagnostics::Fault;
use steerbox_project::reload::{Place, SavedText};

/// Interval of reading files that no generation names.
const READ_EVERY: Duration = Duration::from_millis(500);

/// The search bar.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Find {
    pub(crate) text: String,
    pub(crate) replacement: String,
    /// True if the field of the replacement is shown.
    pub(crate) replaces: bool,
    /// True if capital and small letters differ.
    pub(crate) matches_case: bool,
}

impl Find {
    /// The matches in a text, as byte ranges in order.
    pub(crate) fn matches(&self, text: &str) -> Vec<Range<usize>> {
        typing::matches(text, &self.text, self.matches_case)
    }
}

/// A request to the pane, executed in its next frame.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Request {
    /// The text receives the keys, with the cursor at a line and column, both from 1.
    GoTo(usize, usize),
    /// A line, from 1, scrolls to the top.
    Show(usize),
    /// The text receives the keys.
    Focus,
    /// The window receives the keys.
    Leave,
    /// The search bar receives the keys.
    FocusFind,
    /// The field of a new name receives the keys, with all of it selected; a part of the text is selected, too, bytes.
    FocusName(std::ops::Range<usize>),
    /// A part of the text is selected, bytes.
    Select(Range<usize>),
    /// The language service answers for the cursor.
    Help(Help),
}

/// A request to the language service.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Help {
    Complete,
    Fix,
    Define,
    Rename,
}

/// An unsaved text, as stored for the next window.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(crate) struct Unsaved {
    /// Name of the file.
    pub(crate) name: String,
    /// The saved content from which it was made; `None` if there was no file.
    pub(crate) base: Option<String>,
    pub(crate) text: String,
}

/// The editor.
#[derive(Clone, Debug, Default)]
pub(crate) struct Editor {
    buffers: Vec<Buffer>,
    /// Name of the file that is shown.
    open: Option<String>,
    /// The reason why the shown file has no text.
    unreadable: Option<Fault>,
    /// The contents of files that no generation names, as last read.
    read: BTreeMap<String, SavedText>,
    /// The time of that.
    read_at: Option<Instant>,
    /// True if every text that passes the checks runs.
    pub(crate) live: bool,
    pub(crate) find: Option<Find>,
    pub(crate) request: Option<Request>,
    /// Unsaved texts of an earlier window, to be restored or discarded.
    pub(crate) offered: Vec<Unsaved>,
    /// True if the difference to the saved content is shown.
    pub(crate) shows_difference: bool,
    pub(crate) assist: Assist,
    /// Changes of several files.
    pub(crate) changes: FileChanges,
}

impl Unsaved {
    fn of(buffer: &Buffer) -> Self {
        let base = buffer.base.as_deref().map(str::to_owned);
        Self { name: buffer.name.clone(), base, text: buffer.text().to_owned() }
    }

    /// The text as it was; `saved` is the present content of the file.
    pub(crate) fn restored(&self, saved: SavedText) -> Buffer {
        Buffer::restored(&self.name, self.base.as_deref().map(Arc::from), &self.text, saved)
    }

    /// The first line that differs from the saved content, and its number from 1.
    pub(crate) fn first_change(&self) -> (usize, &str) {
        let base = self.base.as_deref().unwrap_or_default();
        let (mut before, mut lines) = (base.lines(), self.text.lines().enumerate());
        let changed = lines.find(|(_, line)| before.next() != Some(line));
        changed.map_or((self.text.lines().count() + 1, ""), |(number, line)| (number + 1, line))
    }
}

impl Editor {
    /// The identity of the text field of a file.
    pub(crate) fn field_of(name: &str) -> egui::Id {
        egui::Id::unique("text of the editor").with(name)
    }

    /// The identities of the fields for a searched text and its replacement.
    pub(crate) fn find_fields() -> [egui::Id; 2] {
        ["searched", "replacement"].map(|field| egui::Id::unique("search of the editor").with(field))
    }

    /// The matches of the search in a text, as byte ranges in order.
    pub(crate) fn matches(&self, text: &str) -> Vec<Range<usize>> {
        self.find.as_ref().map_or_else(Vec::new, |find| find.matches(text))
    }

    /// True if the text or its search receives the keys.
    pub(crate) fn has_focus(&self, context: &egui::Context) -> bool {
        let focused = context.memory(egui::Memory::focused);
        let field = self.open.as_deref().map(Self::field_of);
        focused.is_some()
            && (focused == field || self.find.is_some() && Self::find_fields().map(Some).contains(&focused))
    }

    /// The name of the file that is shown.
    pub(crate) fn open_name(&self) -> Option<&str> {
        self.open.as_deref()
    }

    /// The text that is shown, and the language service.
    pub(crate) fn shown_and_assist(&mut self) -> Option<(&Buffer, &mut Assist)> {
        let open = self.open.as_deref()?;
        Some((self.buffers.iter().find(|buffer| buffer.name == open)?, &mut self.assist))
    }

    /// The text that is shown.
    pub(crate) fn shown(&self) -> Option<&Buffer> {
        self.get(self.open.as_deref()?)
    }

    pub(crate) fn get(&self, name: &str) -> Option<&Buffer> {
        self.buffers.iter().find(|buffer| buffer.name == name)
    }

    pub(crate) fn get_mut(&mut self, name: &str) -> Option<&mut Buffer> {
        self.buffers.iter_mut().find(|buffer| buffer.name == name)
    }

    pub(crate) fn buffers(&self) -> &[Buffer] {
        &self.buffers
    }

    pub(crate) fn buffers_mut(&mut self) -> &mut [Buffer] {
        &mut self.buffers
    }

    /// The reason why the shown file has no text.
    pub(crate) fn unreadable(&self) -> Option<&Fault> {
        self.unreadable.as_ref()
    }

    /// Shows a file, or the reason why it cannot be read; `saved` is its saved content.
    pub(crate) fn open(&mut self, name: &str, saved: SavedText) {
        self.leave_shown();
        self.open = Some(name.to_owned());
        self.unreadable = self.add(name, saved).err();
    }

    /// Adds the text of a file, unless it is there.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub(crate) fn add(&mut self, name: &str, saved: SavedText) -> Result<(), Fault> {
        if self.get(name).is_none() {
            self.buffers.push(Buffer::new(name, saved.transpose()?));
        }
        Ok(())
    }

    /// The names of all files whose content matters here.
    pub(crate) fn names(&self) -> Vec<String> {
        let open = self.open.iter().filter(|open| self.get(open).is_none());
        self.buffers.iter().map(|buffer| &buffer.name).chain(open).cloned().collect()
    }

    /// Compares a text with the saved content. Returns true if anything changed.
    pub(crate) fn compare(&mut self, name: &str, saved: SavedText) -> bool {
        if let Some(buffer) = self.get_mut(name) {
            return buffer.compare(saved);
        }
        let before = self.unreadable.take();
        self.unreadable = self.add(name, saved).err();
        self.unreadable != before
    }

    /// True if files that no generation names are to be read now.
    pub(crate) fn is_read_due(&mut self, now: Instant) -> bool {
        let is_due = self.read_at.is_none_or(|at| now.saturating_duration_since(at) >= READ_EVERY);
        if is_due {
            self.read_at = Some(now);
        }
        is_due
    }

    /// As [`Editor::compare`], with a content that another program may be writing: it counts once it was read twice.
    pub(crate) fn compare_read(&mut self, name: &str, saved: SavedText) -> bool {
        let is_stable = self.read.get(name) == Some(&saved);
        if is_stable {
            return self.compare(name, saved);
        }
        self.read.insert(name.to_owned(), saved);
        false
    }

    /// Copies the texts to the language service.
    pub(crate) fn follow(&mut self) {
        self.assist.follow(&self.buffers);
    }

    /// Copies the texts to the language service, and reads the other files of the place.
    pub(crate) fn update(&mut self, place: &Place, now: Instant) {
        self.assist.update(place, &self.buffers, now);
    }

    /// Changes the name of a file, whether its text is here or not.
    pub(crate) fn rename(&mut self, old: &str, new: &str) {
        if let Some(buffer) = self.get_mut(old) {
            new.clone_into(&mut buffer.name);
        }
        if let Some(open) = self.open.as_mut().filter(|open| open.as_str() == old) {
            new.clone_into(open);
        }
    }

    /// Shows a text that replaces the one of the same file.
    pub(crate) fn open_buffer(&mut self, buffer: Buffer) {
        self.leave_shown();
        self.buffers.retain(|known| known.name != buffer.name);
        self.open = Some(buffer.name.clone());
        self.buffers.push(buffer);
    }

    /// All unsaved texts, those that are offered included.
    pub(crate) fn unsaved(&self) -> Vec<Unsaved> {
        let unsaved = self.buffers.iter().filter(|buffer| buffer.is_unsaved());
        unsaved.map(Unsaved::of).chain(self.offered.iter().cloned()).collect()
    }

    /// Removes an offered text, by its index.
    pub(crate) fn withdraw(&mut self, at: usize) -> Option<Unsaved> {
        (at < self.offered.len()).then(|| self.offered.remove(at))
    }

    /// Opens a text that was offered; an unsaved text of the same file is offered in exchange. `saved` is the present content.
    pub(crate) fn restore(&mut self, offered: &Unsaved, saved: SavedText) {
        let exchanged = self.get(&offered.name).filter(|buffer| buffer.is_unsaved()).map(Unsaved::of);
        self.offered.extend(exchanged);
        self.open_buffer(offered.restored(saved));
    }

    /// Hides the shown file. Unsaved text remains.
    pub(crate) fn close(&mut self) {
        self.leave_shown();
        (self.open, self.find) = (None, None);
        self.request = Some(Request::Leave);
    }

    fn leave_shown(&mut self) {
        (self.shows_difference, self.unreadable) = (false, None);
        self.read.clear();
        (self.assist.offer, self.assist.renaming, self.assist.signature) = (None, None, None);
        self.buffers.retain(|buffer| buffer.is_unsaved() || buffer.has_changes());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[allow(clippy::unnecessary_wraps, reason = "the content of a file that exists and can be read")]
    fn text(text: &str) -> SavedText {
        Some(Ok(text.into()))
    }

    #[test]
    fn unsaved_texts_remain_when_another_file_is_shown_or_the_pane_is_closed() {
        let mut editor = Editor::default();
        editor.open("a.rhai", text("1"));
        editor.open("b.rhai", text("1"));
        assert_eq!(editor.buffers().len(), 1);
        editor.get_mut("b.rhai").expect("it is shown").edit("2".to_owned(), Instant::now());
        editor.close();
        assert!(editor.shown().is_none() && editor.buffers().len() == 1);
        editor.open("b.rhai", text("1"));
        assert_eq!(editor.shown().map(Buffer::text), Some("2"));
    }

    #[test]
    fn a_restored_text_conflicts_with_a_file_that_changed_since_and_nothing_is_lost() {
        let unsaved = |text: &str| Unsaved {
            name: "a.rhai".to_owned(),
            base: Some("1".to_owned()),
            text: text.to_owned(),
        };
        let mut editor = Editor::default();
        editor.open("a.rhai", text("1"));
        editor.get_mut("a.rhai").expect("it is shown").edit("3".to_owned(), Instant::now());
        editor.restore(&unsaved("2"), text("4"));
        let shown = editor.shown().expect("it is shown");
        assert_eq!((shown.text(), &shown.conflict), ("2", &Some(buffer::Conflict::Changed("4".into()))));
        assert_eq!(editor.offered, [unsaved("3")]);
        assert_eq!(editor.unsaved(), [unsaved("2"), unsaved("3")]);
        assert_eq!((editor.withdraw(1), editor.withdraw(0)), (None, Some(unsaved("3"))));
    }

    #[test]
    fn an_offered_text_names_its_first_change() {
        let unsaved = |base: &str, text: &str| Unsaved {
            name: "a.rhai".to_owned(),
            base: Some(base.to_owned()),
            text: text.to_owned(),
        };
        assert_eq!(unsaved("a\r\nb\r\n", "a\nc\n").first_change(), (2, "c"));
        assert_eq!(unsaved("a\n", "a\nb").first_change(), (2, "b"));
        assert_eq!(unsaved("a\nb", "a\n").first_change(), (2, ""));
    }

    #[test]
    fn an_unreadable_file_has_no_text_until_it_can_be_read() {
        let fault = |why: &str| Fault::of_file("a.rhai", why);
        let mut editor = Editor::default();
        editor.open("a.rhai", Some(Err(fault("too long"))));
        assert!(editor.shown().is_none() && editor.unsaved().is_empty());
        assert_eq!(
            (editor.unreadable(), editor.names()),
            (Some(&fault("too long")), vec!["a.rhai".to_owned()])
        );
        assert!(!editor.compare("a.rhai", Some(Err(fault("too long")))));
        assert!(editor.compare("a.rhai", Some(Err(fault("not UTF-8")))));
        // A content that was read once may be half of it.
        assert!(!editor.compare_read("a.rhai", text("")) && !editor.compare_read("a.rhai", text("1")));
        assert!(editor.compare_read("a.rhai", text("1")));
        assert_eq!((editor.shown().map(Buffer::text), editor.unreadable()), (Some("1"), None));
        editor.open("b.rhai", Some(Err(fault("too long"))));
        editor.close();
        assert!(editor.unreadable().is_none() && editor.names().is_empty());
    }
}
