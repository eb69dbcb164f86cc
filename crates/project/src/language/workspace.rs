//! The files of a project, some of them replaced by unsaved buffers.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use steerbox_script::Library;

use super::document::{Document, DocumentKind};
use crate::reload::disk::{FileSystem as _, Fingerprint, RealFiles};
use crate::reload::{BuiltIn, Place, read_dir_sorted, read_lossy, script_in};

/// The subfolders of a project with scenes, scripts and experiments.
pub const FOLDERS: [&str; 5] = ["", "scenes", "scripts", "scripts/measures", "experiments"];

/// Age of a file, in nanoseconds, from which on every write changes its fingerprint.
const SETTLED: i128 = 1_000_000_000;

/// The files of a project and unsaved buffers. A clone is a snapshot: it shares all texts.
#[derive(Clone, Debug, Default)]
pub struct Workspace {
    files: BTreeMap<PathBuf, SavedDocument>,
    buffers: BTreeMap<PathBuf, Arc<Document>>,
}

/// A document as read from its file.
#[derive(Clone, Debug)]
struct SavedDocument {
    document: Arc<Document>,
    /// The fingerprint of the file, if every later write changes it.
    print: Option<Fingerprint>,
}

impl Workspace {
    /// Reads the documents of a folder and of the folders of a project in it. Unreadable files are skipped.
    pub fn open(root: &Path) -> Self {
        let mut workspace = Self::default();
        for folder in FOLDERS {
            workspace.read_folder(&root.join(folder));
        }
        workspace
    }

    /// Reads the scenes and scripts of a folder.
    pub fn read_folder(&mut self, folder: &Path) {
        let paths = read_dir_sorted(folder).unwrap_or_default();
        for path in paths.iter().filter(|path| DocumentKind::of(path).is_some()) {
            self.read_file(path);
        }
    }

    /// Reads a file again unless its fingerprint shows that it has not changed; a missing or unreadable one is removed.
    pub fn read_file(&mut self, path: &Path) {
        let print = RealFiles.stat(path).ok().map(|found| found.print);
        let known = self.files.get(path);
        if known.is_some_and(|known| known.print.is_some() && known.print == print) {
            return;
        }
        // Time stamps are too coarse to show a second write soon after the first.
        let print = print.filter(|print| RealFiles.clock() - print.changed.max(print.modified) > SETTLED);
        let text = read_lossy(path);
        let same = known.filter(|known| text.as_ref() == Some(&known.document.text));
        let document = same.map(|known| Arc::clone(&known.document));
        match document.or_else(|| Document::new(path, text?).map(Arc::new)) {
            Some(document) => _ = self.files.insert(path.to_owned(), SavedDocument { document, print }),
            None => _ = self.files.remove(path),
        }
    }

    /// Stores the text of an unsaved buffer, which hides the file. Returns false if the file is not a document.
    pub fn set_buffer(&mut self, path: &Path, text: Arc<str>) -> bool {
        let document = Document::new(path, text);
        let is_known = document.is_some();
        self.buffers.extend(document.map(|document| (path.to_owned(), Arc::new(document))));
        is_known
    }

    /// Removes a buffer; the file on disk is read again.
    pub fn close_buffer(&mut self, path: &Path) {
        self.buffers.remove(path);
        self.read_file(path);
    }

    /// Returns a document by its absolute path: the buffer, or else the file.
    pub fn document(&self, path: &Path) -> Option<&Arc<Document>> {
        self.buffers.get(path).or_else(|| Some(&self.files.get(path)?.document))
    }

    /// Returns all documents by path.
    pub fn documents(&self) -> impl Iterator<Item = &Arc<Document>> {
        let files = self.files.values().map(|saved| &saved.document);
        files.filter(|document| !self.buffers.contains_key(&document.path)).chain(self.buffers.values())
    }

    /// Returns the documents of a kind.
    pub fn of_kind(&self, kind: DocumentKind) -> impl Iterator<Item = &Arc<Document>> {
        self.documents().filter(move |document| document.kind == kind)
    }

    /// Returns the script that a scene calls `name`; `None` if it is built in or unknown.
    pub fn script_of(&self, scene: &Path, name: &str) -> Option<&Arc<Document>> {
        let folders = Place::of_scene(scene).folders;
        folders.iter().find_map(|folder| self.document(&folder.join(format!("{name}.rhai"))))
    }

    /// Returns the script that another script imports as `name`; `None` if it is built in or unknown.
    pub fn imported_by(&self, script: &Path, name: &str) -> Option<&Arc<Document>> {
        self.document(&script_in(script)?.0.join(format!("{name}.rhai")))
    }

    /// Returns the texts that the script at `path` can import.
    pub fn library(&self, path: &Path) -> impl Library {
        Imports { workspace: self.clone(), path: path.to_owned() }
    }
}

/// The scripts beside a script, then the built-in ones.
struct Imports {
    workspace: Workspace,
    path: PathBuf,
}

impl Library for Imports {
    fn text(&self, name: &str) -> Result<Arc<str>, String> {
        match self.workspace.imported_by(&self.path, name) {
            Some(document) => Ok(Arc::clone(&document.text)),
            None => BuiltIn.text(name),
        }
    }
}
