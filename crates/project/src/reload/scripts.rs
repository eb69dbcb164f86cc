//! The scripts of a project, by name, and their imports.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use steerbox_core::diagnostics::{Fault, quoted_suggestion};
use steerbox_script::{Library, Script, imported_names};

use super::disk::SavedText;
use super::generation::Status;
use super::tracked::Tracked;

/// A script and its versions.
pub(super) type ScriptFile = Tracked<Arc<Script>>;

/// All scripts by name.
#[derive(Clone, Debug)]
pub(super) struct Scripts {
    /// The number of folders of scripts.
    folders: usize,
    files: BTreeMap<String, ScriptFile>,
    /// The imports of the newest text of each script, as far as its lines show them without parsing.
    imports: BTreeMap<String, BTreeSet<String>>,
}

impl Scripts {
    /// Creates the scripts that need no file, by name; later ones precede. There are this number of folders, without contents.
    pub(super) fn new<'a>(texts: impl Iterator<Item = (&'a str, &'a str)>, folders: usize) -> Self {
        let mut scripts = Self { folders, files: BTreeMap::new(), imports: BTreeMap::new() };
        for (name, text) in texts {
            let file = new_script(format!("{name}.rhai"), folders, Some(text.into()));
            scripts.files.insert(name.to_owned(), file);
            scripts.update_imports(name);
        }
        scripts
    }

    /// Sets the number of folders; those that are added have no contents.
    pub(super) fn set_folders(&mut self, folders: usize) {
        self.folders = folders;
        for file in self.files.values_mut() {
            file.set_folders(folders);
        }
    }

    /// Stores the content in the `rank`-th folder, and compiles the scripts that it concerns.
    pub(super) fn set(&mut self, name: &str, rank: usize, text: SavedText) {
        self.change(name, |file| file.set_text(rank, text));
    }

    /// Stores unsaved text, or drops it, and compiles the scripts that it concerns.
    pub(super) fn set_buffer(&mut self, name: &str, text: Option<Arc<str>>) {
        self.change(name, |file| file.set_buffer(text));
    }

    /// Changes a content by `store`, which returns false if nothing changes, and compiles the scripts that it concerns.
    fn change(&mut self, name: &str, store: impl FnOnce(&mut ScriptFile) -> bool) {
        let before = self.linked();
        if !self.store(name, store) {
            return;
        }
        self.compile_newest(name);
        // The result for its importers, and for its imports of before and now, may have changed.
        for other in before.union(&self.linked()) {
            if other != name {
                self.compile_newest(other);
            }
        }
    }

    /// Stores the content in the `rank`-th folder without compiling it. Returns false if it is known.
    pub(super) fn set_text(&mut self, name: &str, rank: usize, text: SavedText) -> bool {
        self.store(name, |file| file.set_text(rank, text))
    }

    fn store(&mut self, name: &str, store: impl FnOnce(&mut ScriptFile) -> bool) -> bool {
        let new = || new_script(format!("{name}.rhai"), self.folders, None);
        let file = self.files.entry(name.to_owned()).or_insert_with(new);
        let is_news = store(file);
        self.update_imports(name);
        is_news
    }

    /// Compiles the newest content of a script.
    ///
    /// # Errors
    /// With its faults; with none if there is no such script.
    pub(super) fn compile(&self, name: &str) -> Result<Script, Vec<Fault>> {
        let file = self.files.get(name).ok_or_else(Vec::new)?;
        let text = file.newest().ok_or_else(Vec::new)?;
        let text = text.map_err(|fault| vec![fault])?;
        let is_imported = self.is_imported(name);
        Script::reviewed(&file.path, &text, self, is_imported)
    }

    /// Compiles the newest content of a script, unless it runs with the newest contents of its imports.
    fn compile_newest(&mut self, name: &str) {
        let Some(file) = self.files.get(name) else {
            return;
        };
        let newest = file.newest_unless(|live, text| {
            let mut imports = live.imports.iter();
            live.text == *text && imports.all(|file| self.text(&file.name).as_ref() == Ok(&file.text))
        });
        let candidate = newest.map(|_| self.compile(name).map(Arc::new));
        if let Some(file) = self.files.get_mut(name) {
            file.candidate = candidate;
        }
    }

    /// Returns the scripts with imports that are in use or on disk, and their imports.
    fn linked(&self) -> BTreeSet<String> {
        let mut linked = BTreeSet::new();
        for (name, imports) in &self.imports {
            let file = self.files.get(name);
            if file.is_some_and(|file| file.is_compiled() || !file.is_embedded()) {
                linked.insert(name.clone());
                linked.extend(imports.iter().cloned());
            }
        }
        linked
    }

    /// Returns true if another script imports this one. The running version of the other counts, too: the imports of a
    /// broken text are unknown.
    fn is_imported(&self, name: &str) -> bool {
        let mut others = self.files.iter().filter(|(other, _)| *other != name);
        others.any(|(other, file)| {
            let mut live = file.live.iter().flat_map(|script| &script.imports);
            let imports = self.imports.get(other);
            imports.is_some_and(|imports| imports.contains(name)) || live.any(|import| import.name == name)
        })
    }

    /// Compiles a script that the scene names, and its imports, unless they are compiled.
    pub(super) fn compile_used(&mut self, name: &str) {
        let mut wanted = vec![name.to_owned()];
        let mut seen = BTreeSet::new();
        while let Some(name) = wanted.pop() {
            let Some(file) = self.files.get(&name).filter(|_| seen.insert(name.clone())) else {
                continue;
            };
            wanted.extend(self.imports.get(&name).into_iter().flatten().cloned());
            if !file.is_compiled() {
                self.compile_newest(&name);
            }
        }
    }

    pub(super) fn get(&self, name: &str) -> Option<&ScriptFile> {
        self.files.get(name)
    }

    /// Returns the scripts that have or had a content.
    pub(super) fn names(&self) -> Vec<&str> {
        let known = |file: &ScriptFile| file.live.is_some() || file.newest().is_some();
        let known = self.files.iter().filter(|(_, file)| known(file));
        known.map(|(name, _)| name.as_str()).collect()
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = (&String, &ScriptFile)> {
        self.files.iter()
    }

    pub(super) fn iter_mut(&mut self) -> impl Iterator<Item = (&String, &mut ScriptFile)> {
        self.files.iter_mut()
    }

    fn update_imports(&mut self, name: &str) {
        let text = self.files.get(name).and_then(ScriptFile::newest).and_then(Result::ok);
        let names = text.iter().flat_map(|text| imported_names(text));
        let names: BTreeSet<_> = names.map(str::to_owned).collect();
        self.imports.remove(name);
        if !names.is_empty() {
            self.imports.insert(name.to_owned(), names);
        }
    }
}

fn new_script(path: String, folders: usize, embedded: Option<Arc<str>>) -> ScriptFile {
    let mut file = Tracked::new(path, folders, embedded);
    file.status = Some(Status::Missing);
    file
}

impl Library for Scripts {
    fn text(&self, name: &str) -> Result<Arc<str>, String> {
        let Some(text) = self.files.get(name).and_then(ScriptFile::newest) else {
            // A deleted script whose last version runs has this name.
            let others = self.names().into_iter().filter(|other| *other != name);
            let help = quoted_suggestion(name, others);
            let help = help.map_or(String::new(), |help| format!(": {help}"));
            return Err(format!("there is no script {name}.rhai to import{help}"));
        };
        text.map_err(|fault| format!("{name}.rhai cannot be imported: {}", fault.message))
    }
}
