//! The texts in the editor: buffers by file, the open one, and the state of the pane.

pub(crate) mod assist;
pub(crate) mod buffer;
pub(crate) mod diff;
pub(crate) mod draggable;
pub(crate) mod file_changes;
pub(crate) mod lines;
pub(crate) mod scan;
pub(crate) mod text_state;
pub(crate) mod typing;

use std::sync::Arc;
use std::time::Instant;

use serde::{Deserialize, Serialize};

use crate::reload::Place;

use assist::Assist;
use buffer::Buffer;
use file_changes::FileChanges;

/// The search bar.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Find {
    pub(crate) text: String,
    pub(crate) replacement: String,
    /// True if the field of the replacement is shown.
    pub(crate) replaces: bool,
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
    Select(std::ops::Range<usize>),
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
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
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

    /// Shows a file; `saved` is its saved content.
    pub(crate) fn open(&mut self, name: &str, saved: Option<Arc<str>>) {
        self.leave_shown();
        if self.get(name).is_none() {
            self.buffers.push(Buffer::new(name, saved));
        }
        self.open = Some(name.to_owned());
    }

    /// Copies the texts to the language service.
    pub(crate) fn follow(&mut self) {
        self.assist.follow(&self.buffers);
    }

    /// Copies the texts to the language service, and reads the other files of the place.
    pub(crate) fn update(&mut self, place: &Place, now: Instant) {
        self.assist.update(place, &self.buffers, now);
    }

    /// Adds the text of a file without showing it.
    pub(crate) fn add(&mut self, name: &str, saved: Option<Arc<str>>) {
        self.buffers.push(Buffer::new(name, saved));
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

    /// Opens an offered text; an unsaved text of the same file is offered in exchange. `saved` is the present content.
    pub(crate) fn restore(&mut self, name: &str, saved: Option<Arc<str>>) {
        let Some(at) = self.offered.iter().position(|offered| offered.name == name) else {
            return;
        };
        let Unsaved { name, base, text } = self.offered.remove(at);
        let exchanged = self.get(&name).filter(|buffer| buffer.is_unsaved()).map(Unsaved::of);
        self.offered.extend(exchanged);
        self.open_buffer(Buffer::restored(&name, base.map(Arc::from), &text, saved));
    }

    /// Hides the shown file. Unsaved text remains.
    pub(crate) fn close(&mut self) {
        self.leave_shown();
        (self.open, self.find) = (None, None);
        self.request = Some(Request::Leave);
    }

    fn leave_shown(&mut self) {
        self.shows_difference = false;
        (self.assist.offer, self.assist.renaming) = (None, None);
        self.buffers.retain(Buffer::is_unsaved);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unsaved_texts_remain_when_another_file_is_shown_or_the_pane_is_closed() {
        let mut editor = Editor::default();
        editor.open("a.rhai", Some("1".into()));
        editor.open("b.rhai", Some("1".into()));
        assert_eq!(editor.buffers().len(), 1);
        editor.get_mut("b.rhai").expect("it is shown").edit("2".to_owned(), Instant::now());
        editor.close();
        assert!(editor.shown().is_none() && editor.buffers().len() == 1);
        editor.open("b.rhai", Some("1".into()));
        assert_eq!(editor.shown().map(Buffer::text), Some("2"));
    }

    #[test]
    fn a_restored_text_conflicts_with_a_file_that_changed_since_and_nothing_is_lost() {
        let text = |text: &str| Unsaved {
            name: "a.rhai".to_owned(),
            base: Some("1".to_owned()),
            text: text.to_owned(),
        };
        let mut editor = Editor { offered: vec![text("2")], ..Editor::default() };
        editor.open("a.rhai", Some("1".into()));
        editor.get_mut("a.rhai").expect("it is shown").edit("3".to_owned(), Instant::now());
        editor.restore("a.rhai", Some("4".into()));
        let shown = editor.shown().expect("it is shown");
        assert_eq!((shown.text(), &shown.conflict), ("2", &Some(buffer::Conflict(Some("4".into())))));
        assert_eq!(editor.offered, [text("3")]);
        assert_eq!(editor.unsaved(), [text("2"), text("3")]);
    }
}
