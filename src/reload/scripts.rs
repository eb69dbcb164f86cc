//! The scripts of a project: where each one's text comes from and which version of it runs.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::generation::Status;
use crate::diagnostics::Fault;
use crate::script::Script;

/// What is known of one script.
#[derive(Debug)]
pub(super) struct ScriptFile {
    /// Texts by folder, in the order of precedence; `None` where the folder has none.
    texts: Vec<Option<Result<Arc<str>, Fault>>>,
    /// The text that came with the binary.
    embedded: Option<&'static str>,
    /// What runs.
    pub(super) live: Option<Arc<Script>>,
    /// The newest content, if it is not what runs.
    pub(super) candidate: Option<Result<Arc<Script>, Vec<Fault>>>,
    pub(super) status: Status,
    /// The generation since which `live` runs.
    pub(super) generation: u64,
}

/// All scripts by name.
#[derive(Debug)]
pub(super) struct Scripts {
    folders: usize,
    files: BTreeMap<String, ScriptFile>,
}

impl Scripts {
    /// The embedded scripts, under `folders` folders that are still empty.
    pub(super) fn new(folders: usize) -> Self {
        let mut scripts = Self {
            folders,
            files: BTreeMap::new(),
        };
        for (path, text) in super::embedded_scripts() {
            let name = path.trim_end_matches(".rhai").to_owned();
            scripts.entry(&name).embedded = Some(text);
        }
        scripts
    }

    fn entry(&mut self, name: &str) -> &mut ScriptFile {
        let folders = self.folders;
        self.files
            .entry(name.to_owned())
            .or_insert_with(|| ScriptFile {
                texts: vec![None; folders],
                embedded: None,
                live: None,
                candidate: None,
                status: Status::Missing,
                generation: 0,
            })
    }

    /// Takes over what a folder holds for a script now.
    pub(super) fn set(&mut self, name: &str, rank: usize, text: Option<Result<Arc<str>, Fault>>) {
        let file = self.entry(name);
        if let Some(slot) = file.texts.get_mut(rank) {
            *slot = text;
        }
        file.consider(name);
    }

    /// Makes sure that a script which the scene names has been considered.
    pub(super) fn want(&mut self, name: &str) {
        if let Some(file) = self.files.get_mut(name)
            && file.live.is_none()
            && file.candidate.is_none()
        {
            file.consider(name);
        }
    }

    pub(super) fn get(&self, name: &str) -> Option<&ScriptFile> {
        self.files.get(name)
    }

    pub(super) fn get_mut(&mut self, name: &str) -> Option<&mut ScriptFile> {
        self.files.get_mut(name)
    }

    /// Every script that has or had a content.
    pub(super) fn names(&self) -> Vec<&str> {
        let known = self
            .files
            .iter()
            .filter(|(_, file)| file.live.is_some() || file.newest().is_some());
        known.map(|(name, _)| name.as_str()).collect()
    }

    /// The names of scripts that folders hold, and the ranks of these.
    pub(super) fn on_disk(&self) -> impl Iterator<Item = (&str, usize)> {
        self.files.iter().flat_map(|(name, file)| {
            let texts = file.texts.iter().enumerate();
            texts.filter_map(|(rank, text)| text.as_ref().map(|_| (name.as_str(), rank)))
        })
    }

    pub(super) fn iter_mut(&mut self) -> impl Iterator<Item = (&String, &mut ScriptFile)> {
        self.files.iter_mut()
    }
}

impl ScriptFile {
    fn newest(&self) -> Option<Result<Arc<str>, Fault>> {
        let on_disk = self.texts.iter().flatten().next().cloned();
        on_disk.or_else(|| self.embedded.map(|text| Ok(text.into())))
    }

    /// Whether the running content came with the binary.
    pub(super) fn is_embedded(&self) -> bool {
        self.texts.iter().all(Option::is_none) && self.embedded.is_some()
    }

    /// Whether a file that was there is gone, so that what runs is only remembered.
    pub(super) fn is_gone(&self) -> bool {
        self.texts.iter().all(Option::is_none) && (self.embedded.is_none() || self.live.is_some())
    }

    /// Learns the newest content, unless it is what runs already.
    fn consider(&mut self, name: &str) {
        let path = format!("{name}.rhai");
        if self.is_gone() {
            self.candidate = None;
            return;
        }
        self.candidate = match self.newest() {
            None => None,
            Some(Err(fault)) => Some(Err(vec![fault])),
            Some(Ok(text)) if self.live.as_ref().is_some_and(|live| live.text == text) => None,
            Some(Ok(text)) => Some(Script::reviewed(&path, &text).map(Arc::new)),
        };
    }
}
