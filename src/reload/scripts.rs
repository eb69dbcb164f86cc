//! The scripts of a project: where each one's text comes from and which version of it runs.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::embedded::{embedded_helpers, embedded_scripts};
use super::generation::Status;
use crate::diagnostics::{Fault, quoted_suggestion};
use crate::script::{Library, Script, imported_names};

/// What is known of one script.
#[derive(Clone, Debug)]
pub(super) struct ScriptFile {
    /// Texts by folder, in the order of precedence; `None` where the folder has none.
    texts: Vec<Option<Result<Arc<str>, Fault>>>,
    /// The text that came with the binary.
    embedded: Option<Arc<str>>,
    /// What the newest text imports, as far as its lines tell without parsing.
    imports: BTreeSet<String>,
    /// What runs.
    pub(super) live: Option<Arc<Script>>,
    /// The newest content, if it is not what runs.
    pub(super) candidate: Option<Result<Arc<Script>, Vec<Fault>>>,
    pub(super) status: Status,
    /// The generation since which `live` runs.
    pub(super) generation: u64,
}

/// All scripts by name.
#[derive(Clone, Debug)]
pub(super) struct Scripts {
    /// How many folders scripts are looked for in.
    folders: usize,
    files: BTreeMap<String, ScriptFile>,
}

impl Scripts {
    /// The embedded scripts, for so many folders of which nothing is known yet.
    pub(super) fn new(folders: usize) -> Self {
        let mut scripts = Self { folders, files: BTreeMap::new() };
        for (path, text) in embedded_scripts().chain(embedded_helpers()) {
            let name = path.trim_end_matches(".rhai").to_owned();
            let file = scripts.entry(&name);
            file.embedded = Some(text.into());
            file.note_imports();
        }
        scripts
    }

    fn entry(&mut self, name: &str) -> &mut ScriptFile {
        let new = || ScriptFile {
            texts: vec![None; self.folders],
            embedded: None,
            imports: BTreeSet::new(),
            live: None,
            candidate: None,
            status: Status::Missing,
            generation: 0,
        };
        self.files.entry(name.to_owned()).or_insert_with(new)
    }

    /// Takes over what a folder holds for a script now.
    pub(super) fn set(&mut self, name: &str, rank: usize, text: Option<Result<Arc<str>, Fault>>) {
        let before = self.linked();
        self.put(name, rank, text);
        self.consider(name);
        // Scripts that import it, and those that it no longer or newly imports, may be judged otherwise now.
        for other in before.union(&self.linked()) {
            if other != name {
                self.consider(other);
            }
        }
    }

    /// Whether that is what a folder is known to hold.
    pub(super) fn holds(&self, name: &str, rank: usize, text: Option<&Result<Arc<str>, Fault>>) -> bool {
        let slot = self.files.get(name).and_then(|file| file.texts.get(rank));
        slot.is_some_and(|slot| slot.as_ref() == text)
    }

    /// Takes note of what a folder holds, and no more.
    pub(super) fn put(&mut self, name: &str, rank: usize, text: Option<Result<Arc<str>, Fault>>) {
        let file = self.entry(name);
        if let Some(slot) = file.texts.get_mut(rank) {
            *slot = text;
        }
        file.note_imports();
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
        Script::reviewed(&format!("{name}.rhai"), &text, self, is_imported)
    }

    /// Compiles the newest content of a script, unless it is what runs already.
    fn consider(&mut self, name: &str) {
        let Some(file) = self.files.get(name) else {
            return;
        };
        let is_news = !file.is_gone() && file.newest().is_some() && !self.runs(file);
        let candidate = is_news.then(|| self.compile(name).map(Arc::new));
        self.entry(name).candidate = candidate;
    }

    /// Whether the newest content of a file runs, with the newest of what it imports.
    fn runs(&self, file: &ScriptFile) -> bool {
        file.live.as_ref().is_some_and(|live| {
            let same = matches!(file.newest(), Some(Ok(text)) if text == live.text);
            let mut imports = live.imports.iter();
            same && imports.all(|file| self.text(&file.name).as_ref() == Ok(&file.text))
        })
    }

    /// Scripts that import others or are imported, as far as they are in use or on disk.
    fn linked(&self) -> BTreeSet<String> {
        let mut linked = BTreeSet::new();
        for (name, file) in &self.files {
            if !file.imports.is_empty() && (file.is_considered() || !file.is_embedded()) {
                linked.insert(name.clone());
                linked.extend(file.imports.iter().cloned());
            }
        }
        linked
    }

    /// Whether another script imports this one. What runs counts, too: while the newest text of the other
    /// is broken, its imports are unknown.
    fn is_imported(&self, name: &str) -> bool {
        let mut others = self.files.iter().filter(|(other, _)| *other != name);
        others.any(|(_, file)| {
            let live = file.live.iter().flat_map(|script| &script.imports);
            file.imports.contains(name) || live.map(|import| &import.name).any(|known| known == name)
        })
    }

    /// Makes sure that a script which the scene names has been considered, and what it imports.
    pub(super) fn want(&mut self, name: &str) {
        let mut wanted = vec![name.to_owned()];
        let mut seen = BTreeSet::new();
        while let Some(name) = wanted.pop() {
            let Some(file) = self.files.get(&name).filter(|_| seen.insert(name.clone())) else {
                continue;
            };
            wanted.extend(file.imports.iter().cloned());
            if !file.is_considered() {
                self.consider(&name);
            }
        }
    }

    pub(super) fn get(&self, name: &str) -> Option<&ScriptFile> {
        self.files.get(name)
    }

    /// Every script that has or had a content.
    pub(super) fn names(&self) -> Vec<&str> {
        let known = |file: &ScriptFile| file.live.is_some() || file.newest().is_some();
        let known = self.files.iter().filter(|(_, file)| known(file));
        known.map(|(name, _)| name.as_str()).collect()
    }

    /// The names of scripts that folders hold, and the ranks of these.
    pub(super) fn on_disk(&self) -> impl Iterator<Item = (&str, usize)> {
        self.files.iter().flat_map(|(name, file)| {
            let texts = file.texts.iter().enumerate();
            texts.filter_map(|(rank, text)| text.as_ref().map(|_| (name.as_str(), rank)))
        })
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = (&String, &ScriptFile)> {
        self.files.iter()
    }

    pub(super) fn iter_mut(&mut self) -> impl Iterator<Item = (&String, &mut ScriptFile)> {
        self.files.iter_mut()
    }
}

impl ScriptFile {
    fn newest(&self) -> Option<Result<Arc<str>, Fault>> {
        let on_disk = self.texts.iter().flatten().next().cloned();
        on_disk.or_else(|| self.embedded.clone().map(Ok))
    }

    /// Takes note of what the newest text imports.
    fn note_imports(&mut self) {
        let text = self.newest().and_then(Result::ok);
        let names = text.iter().flat_map(|text| imported_names(text));
        self.imports = names.map(str::to_owned).collect();
    }

    /// Whether the running content came with the binary.
    pub(super) fn is_embedded(&self) -> bool {
        self.texts.iter().all(Option::is_none) && self.embedded.is_some()
    }

    /// Whether a file that was there is gone, so that what runs is only remembered.
    pub(super) fn is_gone(&self) -> bool {
        self.texts.iter().all(Option::is_none) && (self.embedded.is_none() || self.live.is_some())
    }

    /// Whether its content was looked at already.
    fn is_considered(&self) -> bool {
        self.live.is_some() || self.candidate.is_some()
    }
}

impl Library for Scripts {
    fn text(&self, name: &str) -> Result<Arc<str>, String> {
        let Some(text) = self.files.get(name).and_then(ScriptFile::newest) else {
            let help = quoted_suggestion(name, self.names());
            let help = help.map_or(String::new(), |help| format!(": {help}"));
            return Err(format!("there is no script {name}.rhai to import{help}"));
        };
        text.map_err(|fault| format!("{name}.rhai cannot be imported: {}", fault.message))
    }
}
