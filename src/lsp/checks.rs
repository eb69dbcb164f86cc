//! Checks: which documents, when, and what the editor has been sent.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use gen_lsp_types::{Diagnostic, DiagnosticSeverity, Message};
use steerbox_core::diagnostics::{Fault, Severity};
use steerbox_project::language::{Document, DocumentKind, Workspace};
use steerbox_script::imported_names;

use super::snapshot::Snapshot;

/// The pause after a change before documents are checked.
const PAUSE: Duration = Duration::from_millis(25);

/// Checks that are due, and their results.
#[derive(Default)]
pub(super) struct Checks {
    /// Documents that changed, and the time at which they are checked.
    changed: BTreeSet<PathBuf>,
    due: Option<Instant>,
    /// Documents to be checked, the open ones first.
    waiting: Vec<PathBuf>,
    /// True while a document is checked.
    pub(super) is_busy: bool,
    /// The faults that were found last.
    found: BTreeMap<PathBuf, Vec<Diagnostic>>,
}

impl Checks {
    /// Notes that a document changed.
    pub(super) fn note(&mut self, path: PathBuf) {
        self.changed.insert(path);
        self.due = Some(Instant::now() + PAUSE);
    }

    /// Returns the time at which changed documents are due.
    pub(super) fn due(&self) -> Option<Instant> {
        self.due
    }

    /// Returns the next document to be checked.
    pub(super) fn next(&mut self, now: &Snapshot) -> Option<PathBuf> {
        if self.due.is_some_and(|due| due <= Instant::now()) {
            self.due = None;
            let mut affected = affected(&now.workspace, std::mem::take(&mut self.changed));
            affected.extend(self.waiting.drain(..));
            self.waiting = affected.into_iter().collect();
            // The last one is next.
            self.waiting.sort_by_key(|path| now.open.contains_key(path));
        }
        if self.is_busy { None } else { self.waiting.pop() }
    }

    /// Stores the faults of a document. Returns true if the editor does not know them yet.
    pub(super) fn store(&mut self, path: &Path, found: Vec<Diagnostic>) -> bool {
        let known = self.found.get(path);
        if known.map_or(found.is_empty(), |known| *known == found) {
            return false;
        }
        self.found.insert(path.to_owned(), found);
        true
    }

    /// Returns the faults of a document.
    pub(super) fn of(&self, path: &Path) -> &[Diagnostic] {
        self.found.get(path).map_or(&[], Vec::as_slice)
    }
}

/// Returns changed documents, the scripts that import them, the scenes that use any of these, and the experiments that
/// name any of all these.
fn affected(workspace: &Workspace, changed: BTreeSet<PathBuf>) -> BTreeSet<PathBuf> {
    let is_script = |path: &PathBuf| DocumentKind::of(path) == Some(DocumentKind::Script);
    let mut scripts: BTreeSet<PathBuf> = changed.iter().filter(|path| is_script(path)).cloned().collect();
    let mut new: Vec<_> = scripts.iter().cloned().collect();
    let all: Vec<_> = workspace.of_kind(DocumentKind::Script).collect();
    while let Some(imported) = new.pop() {
        let imports = |other: &&&Arc<Document>| {
            let stem = imported.file_stem().and_then(|stem| stem.to_str());
            other.path.parent() == imported.parent()
                && imported_names(&other.text).any(|name| Some(name) == stem)
        };
        let importers = all.iter().filter(imports).map(|document| &document.path);
        new.extend(importers.filter(|path| scripts.insert((*path).clone())).cloned());
    }
    let names: Vec<_> = scripts.iter().filter_map(|path| path.file_stem()?.to_str()).collect();
    let names: Vec<_> = names.iter().map(|name| format!("\"{name}\"")).collect();
    let uses = |scene: &&Arc<Document>| names.iter().any(|name| scene.text.contains(name));
    let scenes = workspace.of_kind(DocumentKind::Scene).filter(uses);
    let scenes: BTreeSet<_> = scenes.map(|scene| scene.path.clone()).collect();
    let mut all: BTreeSet<_> = changed.into_iter().chain(scripts).chain(scenes).collect();
    let stems: Vec<_> = all.iter().filter_map(|path| path.file_stem()?.to_str()).collect();
    let uses = |experiment: &&Arc<Document>| stems.iter().any(|stem| experiment.text.contains(stem));
    let experiments = workspace.of_kind(DocumentKind::Experiment).filter(uses);
    let experiments: Vec<_> = experiments.map(|experiment| experiment.path.clone()).collect();
    all.extend(experiments);
    all
}

/// Checks a document.
pub(super) fn diagnostics(snapshot: &Snapshot, path: &Path) -> Vec<Diagnostic> {
    let Some(text) = snapshot.text_at(path) else {
        return Vec::new();
    };
    let found = snapshot.workspace.diagnostics(path);
    found.iter().map(|one| diagnostic(text.range(&one.range), &one.fault)).collect()
}

fn diagnostic(range: gen_lsp_types::Range, fault: &Fault) -> Diagnostic {
    let severity = match fault.severity {
        Severity::Error => DiagnosticSeverity::Error,
        Severity::Warning => DiagnosticSeverity::Warning,
    };
    let help = fault.help.iter().flat_map(|help| ["\nhelp: ", help]);
    Diagnostic {
        range,
        severity: Some(severity),
        source: Some("steerbox".to_owned()),
        message: Message::String([fault.message.as_str()].into_iter().chain(help).collect()),
        ..Default::default()
    }
}
