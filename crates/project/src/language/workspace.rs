//! The files of a project, some of them replaced by unsaved buffers.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use steerbox_script::Library;

use super::document::{Document, DocumentKind};
use crate::reload::{BuiltIn, Place, read_dir_sorted, read_lossy, script_in};

/// The subfolders of a project with scenes, scripts and experiments.
pub const FOLDERS: [&str; 5] = ["", "scenes", "scripts", "scripts/measures", "experiments"];

/// The files of a project and unsaved buffers. A clone is a snapshot: it shares all texts.
#[derive(Clone, Debug, Default)]
pub struct Workspace {
    files: BTreeMap<PathBuf, Arc<Document>>,
    buffers: BTreeMap<PathBuf, Arc<Document>>,
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

    /// Reads a file again after a change on disk; a missing or unreadable one is removed.
    pub fn read_file(&mut self, path: &Path) {
        match read_lossy(path).and_then(|text| Document::new(path, text)) {
            Some(document) => _ = self.files.insert(path.to_owned(), document.into()),
            None => _ = self.files.remove(path),
        }
    }

    /// Stores the text of an unsaved buffer, which hides the file. Returns false if the file is no document.
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
        self.buffers.get(path).or_else(|| self.files.get(path))
    }

    /// Returns all documents by path.
    pub fn documents(&self) -> impl Iterator<Item = &Arc<Document>> {
        let files = self.files.iter().filter(|(path, _)| !self.buffers.contains_key(*path));
        files.chain(&self.buffers).map(|(_, document)| document)
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
