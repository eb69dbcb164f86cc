//! Changes of several files at once, such as a renaming, and those that can be undone and redone.

use steerbox_project::reload::Write;

use super::buffer::Buffer;

/// A renaming in several files: some are written together, other texts are edited and remain unsaved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct FilesChange {
    /// The old and the new name.
    pub(crate) names: [String; 2],
    pub(crate) writes: Vec<Write>,
    pub(crate) texts: Vec<UnsavedChange>,
}

/// A change of a text that remains unsaved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct UnsavedChange {
    /// Name of the file before and after.
    pub(crate) names: [String; 2],
    /// The text before and after.
    pub(crate) texts: [String; 2],
}

/// The origin of a change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Origin {
    New,
    Undo,
    Redo,
}

/// The changes of several files that were made and that were undone, the last one last.
#[derive(Clone, Debug, Default)]
pub(crate) struct FileChanges {
    done: Vec<FilesChange>,
    undone: Vec<FilesChange>,
    /// The change whose files are being written, and the number of files whose result is due.
    writing: Option<(FilesChange, Origin, usize)>,
}

impl FilesChange {
    /// The change back.
    pub(crate) fn reversed(&self) -> Self {
        let swapped = |[before, after]: &[String; 2]| [after.clone(), before.clone()];
        let text =
            |text: &UnsavedChange| UnsavedChange { names: swapped(&text.names), texts: swapped(&text.texts) };
        let (writes, texts) =
            (self.writes.iter().map(Write::reversed).collect(), self.texts.iter().map(text).collect());
        Self { names: swapped(&self.names), writes, texts }
    }

    /// True if a text is one of those before the change.
    fn begins_with(&self, buffer: &Buffer) -> bool {
        let mut writes = self.writes.iter().filter(|write| write.old_name() == buffer.name);
        let mut texts = self.texts.iter().filter(|text| text.names.contains(&buffer.name));
        writes.any(|write| {
            write.base.as_ref() != Some(&write.text) && write.base.as_ref() == Some(buffer.content())
        }) || texts.any(|text| text.texts[0] == buffer.text())
    }

    /// The name of a file whose text in the editor is neither the one before the change nor the one after it.
    pub(crate) fn changed_since(&self, buffers: &[Buffer]) -> Option<&str> {
        let get = |name: &str| buffers.iter().find(|buffer| buffer.name == name);
        // A file that is renamed alone may have unsaved text.
        let is_written = |write: &&Write| {
            let buffer = get(&write.old_name()).filter(|buffer| buffer.is_unsaved());
            write.base.as_ref() != Some(&write.text)
                && buffer.is_some_and(|buffer| *buffer.content() != write.text)
        };
        let is_edited = |text: &&UnsavedChange| {
            let buffer = get(&text.names[0]);
            buffer.is_some_and(|buffer| !text.texts.iter().any(|text| text == buffer.text()))
        };
        let written = self.writes.iter().find(is_written).map(|write| write.name.as_str());
        written.or_else(|| self.texts.iter().find(is_edited).map(|text| text.names[0].as_str()))
    }
}

impl FileChanges {
    /// The change of all files that undo or redo of one of their texts began: the text is that before the last change, or after
    /// the one that was undone last.
    pub(crate) fn begun_by(&self, buffer: &Buffer, is_redo: bool) -> Option<(FilesChange, Origin)> {
        if is_redo {
            let redo = self.undone.last().filter(|last| last.reversed().begins_with(buffer));
            redo.map(|last| (last.clone(), Origin::Redo))
        } else {
            let undo = self.done.last().filter(|last| last.begins_with(buffer));
            undo.map(|last| (last.reversed(), Origin::Undo))
        }
    }

    /// Stores that the files of a change are being written.
    pub(crate) fn begin(&mut self, change: FilesChange, origin: Origin) {
        let due = change.writes.len();
        self.writing = Some((change, origin, due));
    }

    /// Stores the result of a write. Returns the change once all its files are written; `done` is false if one was refused.
    pub(crate) fn note(&mut self, write: &Write, done: bool) -> Option<(FilesChange, Origin)> {
        let (change, _, due) = self.writing.as_mut()?;
        if !change.writes.contains(write) {
            return None;
        }
        *due -= usize::from(done && *due > 0);
        let is_over = !done || *due == 0;
        let (change, origin, _) = is_over.then(|| self.writing.take())??;
        done.then_some((change, origin))
    }

    /// Stores a complete change for undo and redo.
    pub(crate) fn complete(&mut self, change: FilesChange, origin: Origin) {
        match origin {
            Origin::New => {
                self.undone.clear();
                self.done.push(change);
            }
            Origin::Undo => {
                self.done.pop();
                self.undone.push(change.reversed());
            }
            Origin::Redo => {
                self.undone.pop();
                self.done.push(change);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn redo_of_a_text_to_that_before_a_change_is_no_undo_of_the_change() {
        let name = "a.rhai".to_owned();
        let texts = ["before".to_owned(), "after".to_owned()];
        let texts = vec![UnsavedChange { names: [name.clone(), name.clone()], texts }];
        let names = ["old".to_owned(), "new".to_owned()];
        let change = FilesChange { names, writes: Vec::new(), texts };
        let [before, after] = ["before", "after"].map(|text| Buffer::new(&name, Some(text.into())));
        let mut changes = FileChanges::default();
        changes.complete(change.clone(), Origin::New);
        assert_eq!(changes.begun_by(&before, true), None);
        assert_eq!(changes.begun_by(&before, false), Some((change.reversed(), Origin::Undo)));
        changes.complete(change.reversed(), Origin::Undo);
        assert_eq!(changes.begun_by(&after, false), None);
        assert_eq!(changes.begun_by(&after, true), Some((change, Origin::Redo)));
    }
}
