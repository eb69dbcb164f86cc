//! Snapshots of the state for answers on other threads.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use gen_lsp_types::{Location, Position, Range, TextDocumentIdentifier, Uri};
use steerbox_core::text::TextEdit;
use steerbox_project::language::{self, Document, Workspace};
use steerbox_project::link::State;

use super::client::Client;
use super::lines::Lines;
use super::uri::{path_of, uri_of};

/// A document that the editor has opened.
#[derive(Clone, Debug)]
pub(super) struct Open {
    /// Its URI as the editor writes it.
    pub(super) uri: Uri,
    /// Its version.
    pub(super) version: i32,
}

/// The state at one moment. A clone shares all texts.
#[derive(Clone, Default)]
pub(super) struct Snapshot {
    pub(super) workspace: Workspace,
    pub(super) open: Arc<BTreeMap<PathBuf, Open>>,
    pub(super) client: Client,
    /// The state of the window, while one is connected.
    pub(super) live: Option<Arc<State>>,
}

/// A document with its lines.
pub(super) struct Text<'a> {
    pub(super) document: &'a Document,
    pub(super) lines: Lines<'a>,
}

impl Snapshot {
    /// Returns the document of a URI; `None` if it is not a known scene or script.
    pub(super) fn text(&self, id: &TextDocumentIdentifier) -> Option<Text<'_>> {
        self.text_at(&self.path(&id.uri)?)
    }

    /// Returns the path of a URI: of a file, or of an open buffer without a file.
    pub(super) fn path(&self, uri: &Uri) -> Option<PathBuf> {
        let buffer = || self.open.iter().find(|(_, open)| open.uri == *uri).map(|(path, _)| path.clone());
        path_of(&uri.0).or_else(buffer)
    }

    /// Returns the document at a path.
    pub(super) fn text_at(&self, path: &Path) -> Option<Text<'_>> {
        let document = self.workspace.document(path)?;
        Some(Text { document, lines: Lines::new(&document.text) })
    }

    /// Returns the URI of a path: that of the editor if the document is open.
    pub(super) fn uri(&self, path: &Path) -> Uri {
        self.open.get(path).map_or_else(|| Uri(uri_of(path)), |open| open.uri.clone())
    }

    /// Converts locations; those in unknown files are dropped.
    pub(super) fn locations(&self, locations: &[language::Location]) -> Vec<Location> {
        let (mut found, mut text): (Vec<_>, Option<Text<'_>>) = (Vec::new(), None);
        for location in locations {
            if text.as_ref().is_none_or(|text| text.document.path != location.path) {
                text = self.text_at(&location.path);
            }
            let range = text.as_ref().map(|text| text.lines.range(&location.range));
            found.extend(range.map(|range| Location { uri: self.uri(&location.path), range }));
        }
        found
    }
}

impl Text<'_> {
    /// Returns the path of the document.
    pub(super) fn path(&self) -> &Path {
        &self.document.path
    }

    /// Returns the byte of a position.
    pub(super) fn byte(&self, position: Position) -> usize {
        self.lines.byte(position)
    }

    /// Returns the range of bytes.
    pub(super) fn range(&self, bytes: &std::ops::Range<usize>) -> Range {
        self.lines.range(bytes)
    }

    /// Converts edits.
    pub(super) fn edits(&self, edits: &[TextEdit]) -> Vec<gen_lsp_types::TextEdit> {
        edits.iter().map(|edit| self.edit(edit)).collect()
    }

    /// Converts an edit.
    pub(super) fn edit(&self, edit: &TextEdit) -> gen_lsp_types::TextEdit {
        gen_lsp_types::TextEdit { range: self.range(&edit.range), new_text: edit.text.clone() }
    }
}
