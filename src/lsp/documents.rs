//! Documents that the editor has opened, and the files of its folders.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use gen_lsp_types::{LanguageKind, TextDocumentContentChangeEvent as Change, Uri};
use steerbox_project::language::{DocumentKind, FOLDERS, Workspace};
use steerbox_project::reload::Place;
use steerbox_script::MEASURES;

use super::client::Client;
use super::lines::EditedLines;
use super::snapshot::{Open, Snapshot};
use super::uri::path_of;

/// The documents at this moment.
#[derive(Default)]
pub(super) struct Documents {
    /// The state for answers; its clones are snapshots.
    pub(super) now: Snapshot,
    /// The folders of the editor.
    roots: BTreeSet<PathBuf>,
    /// The folders whose scenes and scripts are read.
    folders: BTreeSet<PathBuf>,
}

impl Documents {
    /// Creates an empty set for an editor.
    pub(super) fn new(client: Client) -> Self {
        Self { now: Snapshot { client, ..Snapshot::default() }, ..Self::default() }
    }

    /// Returns the folders whose scenes and scripts are read.
    pub(super) fn folders(&self) -> &BTreeSet<PathBuf> {
        &self.folders
    }

    /// Reads a folder of the editor.
    pub(super) fn add_root(&mut self, root: &Path) {
        self.roots.insert(root.to_owned());
        self.read_project(root);
    }

    /// Removes a folder of the editor; its open documents stay.
    pub(super) fn remove_root(&mut self, root: &Path) {
        self.roots.remove(root);
        self.folders.clear();
        let texts: Vec<_> = self.open_paths().filter_map(|path| self.now.workspace.document(path)).collect();
        let mut workspace = Workspace::default();
        for document in texts {
            workspace.set_buffer(&document.path, Arc::clone(&document.text));
        }
        self.now.workspace = workspace;
        for root in self.roots.clone() {
            self.read_project(&root);
        }
        let open: Vec<_> = self.open_paths().cloned().collect();
        for path in open {
            self.read_project_of(&path);
        }
    }

    /// Opens a document. Returns its path if it is a scene or a script.
    pub(super) fn open(
        &mut self,
        uri: Uri,
        language: &LanguageKind,
        version: i32,
        text: &str,
    ) -> Option<PathBuf> {
        let path = path_of(&uri.0).or_else(|| self.path_of_buffer(&uri.0, language))?;
        self.now.workspace.set_buffer(&path, text.into()).then_some(())?;
        Arc::make_mut(&mut self.now.open).insert(path.clone(), Open { uri, version });
        self.read_project_of(&path);
        Some(path)
    }

    /// Returns the path at which a buffer that was never saved, such as `untitled:Untitled-1`, counts as a file of the project:
    /// its imports and rules are found from there.
    fn path_of_buffer(&self, uri: &str, language: &LanguageKind) -> Option<PathBuf> {
        let (folder, extension) = match &*String::from(language.clone()) {
            "rhai" | "steerbox" => ("scripts", "rhai"),
            "ron" | "steerbox-scene" => ("scenes", "ron"),
            _ => return None,
        };
        let name = uri.strip_prefix("untitled:")?.rsplit('/').next()?;
        let root = self.roots.first().cloned().or_else(|| std::env::current_dir().ok())?;
        Some(root.join(folder).join(name).with_extension(extension))
    }

    /// Applies changes in their order. Returns the path if the document is open.
    pub(super) fn change(&mut self, uri: &Uri, version: i32, changes: Vec<Change>) -> Option<PathBuf> {
        let path = self.now.path(uri)?;
        let open = Arc::make_mut(&mut self.now.open).get_mut(&path)?;
        open.version = version;
        let document = self.now.workspace.document(&path)?;
        let text = changed(&document.text, changes);
        self.now.workspace.set_buffer(&path, text.into());
        Some(path)
    }

    /// Closes a document; its file counts again. Returns its path if it was open.
    pub(super) fn close(&mut self, uri: &Uri) -> Option<PathBuf> {
        let path = self.now.path(uri)?;
        Arc::make_mut(&mut self.now.open).remove(&path)?;
        self.now.workspace.close_buffer(&path);
        Some(path)
    }

    /// Reads a file again after a change on disk. Returns its path if it is in a known folder. A table is not a document:
    /// the checks of its experiments read it.
    pub(super) fn read_again(&mut self, uri: &Uri) -> Option<PathBuf> {
        let path = path_of(&uri.0)?;
        let is_known = path.parent().is_some_and(|folder| self.folders.contains(folder));
        let is_table = path.extension().is_some_and(|found| found == "csv");
        let is_read = is_known && (is_table || DocumentKind::of(&path).is_some()) && !is_hidden(&path);
        is_read.then(|| self.now.workspace.read_file(&path))?;
        Some(path)
    }

    /// Reads all files again, for an editor that does not report changes. Returns the paths of changed files.
    pub(super) fn read_all_again(&mut self) -> Vec<PathBuf> {
        let before = self.now.workspace.clone();
        for document in before.documents() {
            self.now.workspace.read_file(&document.path);
        }
        for folder in self.folders.clone() {
            self.now.workspace.read_folder(&folder);
        }
        let version = |of: &Workspace, path: &Path| of.document(path).map(Arc::as_ptr);
        let all = before.documents().chain(self.now.workspace.documents());
        let paths: BTreeSet<_> = all.map(|document| &document.path).collect();
        let is_new = |path: &&&PathBuf| version(&before, path) != version(&self.now.workspace, path);
        paths.iter().filter(is_new).map(|&path| path.clone()).collect()
    }

    /// Returns true if a script is open.
    pub(super) fn shows_scripts(&self) -> bool {
        self.open_paths().any(|path| DocumentKind::of(path) == Some(DocumentKind::Script))
    }

    fn open_paths(&self) -> impl Iterator<Item = &PathBuf> {
        self.now.open.keys()
    }

    /// Reads the project of a file: its folder, and the folders of scenes and scripts beside it.
    fn read_project_of(&mut self, path: &Path) {
        let Some(folder) = path.parent() else { return };
        self.read_folder(folder);
        if DocumentKind::of(path) == Some(DocumentKind::Scene) {
            for scripts in Place::of_scene(path).folders {
                self.read_folder(&scripts);
                self.read_folder(&scripts.join(MEASURES));
            }
        }
        let mut nested = FOLDERS.iter().filter(|known| !known.is_empty() && folder.ends_with(known));
        let depth = nested.next().map(|known| Path::new(known).components().count());
        if let Some(root) = depth.and_then(|depth| folder.ancestors().nth(depth)) {
            self.read_project(root);
        }
    }

    fn read_project(&mut self, root: &Path) {
        for folder in FOLDERS {
            // A path with a slash at its end would differ from the parents of its files.
            let folder = if folder.is_empty() { root.to_owned() } else { root.join(folder) };
            self.read_folder(&folder);
        }
    }

    fn read_folder(&mut self, folder: &Path) {
        let folder: PathBuf = folder.components().collect();
        if self.folders.insert(folder.clone()) {
            self.now.workspace.read_folder(&folder);
        }
    }
}

/// Returns true for files that no listing contains.
fn is_hidden(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(b"."))
}

/// Returns a text with changes applied in their order.
fn changed(text: &str, mut changes: Vec<Change>) -> String {
    let whole =
        changes.iter().rposition(|one| matches!(one, Change::TextDocumentContentChangeWholeDocument(_)));
    let parts = changes.split_off(whole.map_or(0, |at| at + 1));
    let mut lines = EditedLines::new(match changes.last() {
        Some(Change::TextDocumentContentChangeWholeDocument(whole)) => &whole.text,
        _ => text,
    });
    for part in parts {
        if let Change::TextDocumentContentChangePartial(part) = part {
            lines.replace(part.range, &part.text);
        }
    }
    lines.text()
}

#[cfg(test)]
mod tests {
    use gen_lsp_types::{
        Position, Range, TextDocumentContentChangePartial, TextDocumentContentChangeWholeDocument,
    };
    use proptest::prelude::*;

    use super::*;

    const URI: &str = "untitled-folder/a.rhai";

    /// The text of an editor: lines of UTF-16.
    #[derive(Default)]
    struct Editor(Vec<Vec<u16>>);

    impl Editor {
        fn new(text: &str) -> Self {
            Self(text.split('\n').map(|line| line.encode_utf16().collect()).collect())
        }

        fn text(&self) -> String {
            let lines: Vec<_> = self.0.iter().map(|line| String::from_utf16_lossy(line)).collect();
            lines.join("\n")
        }

        /// Returns the nearest position that is neither within a character nor between `\r` and `\n`.
        fn place(&self, line: usize, column: usize) -> Position {
            let line = line % self.0.len();
            let units = &self.0[line];
            let is_last = line + 1 == self.0.len();
            let end = if is_last { units.len() } else { units.len() - usize::from(units.ends_with(&[13])) };
            let mut column = column % (end + 1);
            if units.get(column).is_some_and(|unit| (0xDC00..0xE000).contains(unit)) {
                column -= 1;
            }
            Position { line: line as u32, character: column as u32 }
        }

        fn replace(&mut self, range: Range, text: &str) {
            let [start, end] = [range.start, range.end].map(|at| (at.line as usize, at.character as usize));
            let before = self.0[start.0][..start.1].to_vec();
            let after = self.0[end.0][end.1..].to_vec();
            let mut new = Self::new(text).0;
            new[0].splice(0..0, before);
            new.last_mut().expect("a line").extend(after);
            self.0.splice(start.0..=end.0, new);
        }
    }

    fn uri() -> Uri {
        Uri(format!("file:///{URI}"))
    }

    #[allow(deprecated, reason = "a deprecated field of the protocol has to be set")]
    fn partial(range: Range, text: String) -> TextDocumentContentChangePartial {
        TextDocumentContentChangePartial { range, range_length: None, text }
    }

    fn text(documents: &Documents) -> String {
        let path = path_of(&uri().0).expect("a path");
        documents.now.workspace.document(&path).expect("the document").text.to_string()
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn the_text_is_that_of_the_editor_after_any_edits(
            first in "[a\té🐟\n]{0,20}(\r\n[a🐟]{0,3}){0,3}",
            edits in prop::collection::vec((0..9_usize, 0..9_usize, 0..9_usize, 0..9_usize, "[b\té🐟\n]{0,4}"), 1..12),
        ) {
            let mut documents = Documents::default();
            documents.open(uri(), &LanguageKind::new("rhai"), 0, &first);
            let mut editor = Editor::new(&first);
            for (version, (line, column, lines, columns, text)) in edits.into_iter().enumerate() {
                let (a, b) = (editor.place(line, column), editor.place(line + lines, columns));
                let range = Range { start: a.min(b), end: a.max(b) };
                editor.replace(range, &text);
                let change = partial(range, text);
                documents.change(&uri(), version as i32, vec![change.into()]);
            }
            prop_assert_eq!(text(&documents), editor.text());
        }
    }

    #[test]
    fn many_changes_cost_the_lines_that_they_touch() {
        let line = format!("// {}\n", "x".repeat(46));
        let text = line.repeat(20_000);
        let mut documents = Documents::default();
        documents.open(uri(), &LanguageKind::new("rhai"), 0, &text);
        let at = |line, character| Position { line, character };
        let part = |line| partial(Range { start: at(line, 3), end: at(line, 4) }, "yy".to_owned()).into();
        documents.change(&uri(), 1, (0..20_000).map(part).collect());
        assert_eq!(self::text(&documents), line.replacen('x', "yy", 1).repeat(20_000));
    }

    #[test]
    fn changes_apply_one_after_the_other() {
        let mut documents = Documents::default();
        documents.open(uri(), &LanguageKind::new("rhai"), 0, "old");
        let at = |character| Position { line: 0, character };
        let range = Range { start: at(1), end: at(2) };
        let whole = TextDocumentContentChangeWholeDocument { text: "a🐟".to_owned() };
        let part = partial(range, "b".to_owned());
        documents.change(&uri(), 1, vec![whole.into(), part.into()]);
        assert_eq!(text(&documents), "ab🐟", "a range within a character is moved before it");
    }
}
