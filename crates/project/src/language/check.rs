//! Faults of documents: compilation, review, and trial runs in the scenes that use them.

use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use steerbox_core::diagnostics::{Fault, Severity, offset_of};
use steerbox_script::{Execution, Program, Role, Script, ScriptBehavior, ScriptMeasure, imported_names};

use super::document::{Document, DocumentKind};
use super::model::Diagnostic;
use super::workspace::Workspace;
use crate::reload::{Generation, LoadError, Place, Project, Status, try_generation, try_measure, try_script};

/// A script and its faults.
#[derive(Debug, Default)]
pub struct CheckedScript {
    /// Errors and warnings; those of imported files contain the names of these files.
    pub faults: Vec<Fault>,
    /// The script, if it compiles.
    pub script: Option<Script>,
    /// The behavior with default parameters, if the script has `steer`.
    pub behavior: Option<ScriptBehavior>,
}

/// A scene with the scripts that it uses, and their faults.
#[derive(Default)]
pub struct CheckedScene {
    /// Errors and warnings of the scene and its scripts, by file names.
    pub faults: Vec<Fault>,
    /// The generation, if the scene works.
    pub generation: Option<Generation>,
}

impl CheckedScript {
    /// Checks a compiled script: folds its parameters and makes a trial run.
    pub fn of(compiled: Result<Script, Vec<Fault>>, execution: Execution) -> Self {
        let script = match compiled {
            Ok(script) => script,
            Err(faults) => return Self { faults, ..Self::default() },
        };
        let (mut faults, mut behavior) = (script.warnings.clone(), None);
        match Program::fold(&script, &[]) {
            Ok(program) if script.role == Role::Behavior => {
                let tried = behavior.insert(ScriptBehavior::new(program, execution));
                faults.extend(try_script(&script, tried));
            }
            Ok(program) if script.role == Role::Measure => {
                faults.extend(try_measure(&script, &ScriptMeasure::new(program)));
            }
            Ok(_) => {}
            Err(of_params) => faults.extend(of_params),
        }
        Self { faults, script: Some(script), behavior }
    }
}

impl CheckedScene {
    /// Checks a loaded scene: makes a trial run of its behaviors.
    pub fn of(loaded: Result<Generation, LoadError>) -> Self {
        let generation = match loaded {
            Ok(generation) => generation,
            Err(LoadError(faults)) => return Self { faults, generation: None },
        };
        let mut faults = try_generation(&generation);
        // An error replaces the warning at its position.
        let is_known = |warning: &&Fault| faults.iter().any(|fault| fault.is_where(warning));
        let warnings: Vec<_> = generation.all_warnings().filter(|warning| !is_known(warning)).collect();
        let warnings: Vec<_> = warnings.into_iter().cloned().collect();
        faults.extend(warnings);
        for file in generation.files.iter().filter(|file| file.used) {
            if let Status::Rejected(rejected) = &file.status {
                faults.extend_from_slice(rejected);
            }
        }
        Self { faults, generation: Some(generation) }
    }
}

impl Workspace {
    /// Checks the script at `path`, with its imports.
    pub fn check_script(&self, path: &Path, execution: Execution) -> CheckedScript {
        let Some(document) = self.document(path) else {
            return CheckedScript::default();
        };
        let (name, library) = (document.file_name(), self.library(path));
        let is_imported = self.is_imported(document);
        let compiled = Script::reviewed(&name, &document.text, &library, is_imported);
        CheckedScript::of(compiled, execution)
    }

    /// Returns true if another script in the folder imports this one.
    fn is_imported(&self, script: &Document) -> bool {
        let (stem, folder) = (script.stem(), script.folder());
        let mut others = self.of_kind(DocumentKind::Script);
        others.any(|other| {
            other.folder() == folder
                && other.path != script.path
                && imported_names(&other.text).any(|name| name == stem)
        })
    }

    /// Checks the scene at `path` and the scripts that it uses.
    pub fn check_scene(&self, path: &Path, execution: Execution) -> CheckedScene {
        let Some(document) = self.document(path) else {
            return CheckedScene::default();
        };
        CheckedScene::of(self.compose(Place::of_scene(path), Some(&document.text), execution))
    }

    /// Compiles a scene, or the embedded one of the place, with the scripts that it uses.
    pub(super) fn compose(
        &self,
        place: Place,
        scene: Option<&Arc<str>>,
        execution: Execution,
    ) -> Result<Generation, LoadError> {
        let folders = place.folders.clone();
        let mut project = Project::new(place).executing(execution);
        for (rank, folder) in folders.iter().enumerate() {
            let scripts = self.of_kind(DocumentKind::Script);
            for script in scripts.filter(|script| script.folder() == Some(folder)) {
                project.add_script(&script.stem(), rank, &script.text);
            }
        }
        if let Some(text) = scene {
            project.set_scene(Some(Ok(Arc::clone(text))));
        }
        project.compose()
    }

    /// Returns the faults of one document; those of other files that its check reveals are left out.
    pub fn diagnostics(&self, path: &Path) -> Vec<Diagnostic> {
        let Some(document) = self.document(path) else {
            return Vec::new();
        };
        let faults = match document.kind {
            DocumentKind::Script => self.check_script(path, Execution::Interpreted).faults,
            DocumentKind::Scene => self.check_scene(path, Execution::Interpreted).faults,
            DocumentKind::Experiment => self.check_experiment(path).faults,
        };
        document.diagnostics(faults)
    }
}

impl Document {
    /// Returns the faults of this document with their places, each once: an error at a place replaces a warning.
    pub fn diagnostics(&self, faults: Vec<Fault>) -> Vec<Diagnostic> {
        let name = self.file_name();
        let mut faults: Vec<_> = faults.into_iter().filter(|fault| fault.path == name).collect();
        faults.sort_by(|a, b| (a.line, a.column, a.severity, a).cmp(&(b.line, b.column, b.severity, b)));
        faults.dedup_by(|b, a| a == b || (a.is_where(b) && b.severity == Severity::Warning));
        let diagnostic = |fault| Diagnostic { range: is_shown_at(&self.text, &fault), fault };
        faults.into_iter().map(diagnostic).collect()
    }
}

/// Returns the part of a text that a fault underlines, in bytes: its characters, or the first line of a whole file.
pub fn is_shown_at(text: &str, fault: &Fault) -> Range<usize> {
    let first_line = || text.lines().next().map_or(0, str::len);
    match (fault.line, fault.column) {
        (0, _) => 0..first_line(),
        (line, 0) => {
            let start = offset_of(text, (line, 1));
            start..start + text[start..].lines().next().map_or(0, str::len)
        }
        place => {
            let start = offset_of(text, place);
            let rest = text[start..].lines().next().unwrap_or_default();
            let width = rest.char_indices().nth(fault.width).map_or(rest.len(), |(at, _)| at);
            start..start + width
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SCENE: &str = r#"(
    world: Plane(size: (80, 60)),
    bodies: {"fish": Mover()},
    groups: [(name: "fish", body: "fish", count: 3, behaviors: [(script: "wander", params: {"SPED": 1})])],
)"#;
    const SCRIPT: &str = "const SPEED = param(1.0, 0.0, 2.0);\nfn steer(me, world) { me.headin * SPEED }\n";

    fn workspace(script: &str) -> Workspace {
        let mut workspace = Workspace::default();
        assert!(workspace.set_buffer(Path::new("/p/scenes/a.ron"), SCENE.into()));
        assert!(workspace.set_buffer(Path::new("/p/scripts/wander.rhai"), script.into()));
        assert!(!workspace.set_buffer(Path::new("/p/notes.txt"), "".into()));
        workspace
    }

    fn shown(workspace: &Workspace, path: &str) -> Vec<String> {
        let path = Path::new(path);
        let text = &workspace.document(path).expect("the document").text;
        let found = workspace.diagnostics(path);
        found.iter().map(|one| format!("{}: {}", &text[one.range.clone()], one.fault.message)).collect()
    }

    #[test]
    fn faults_of_unsaved_buffers_have_byte_ranges() {
        let workspace = workspace(SCRIPT);
        let found = shown(&workspace, "/p/scripts/wander.rhai");
        assert!(matches!(&found[..], [one] if one.starts_with("headin: ")), "{found:?}");
        let fixed = SCRIPT.replace("headin", "heading");
        let mut workspace = workspace;
        workspace.set_buffer(Path::new("/p/scripts/wander.rhai"), fixed.as_str().into());
        assert!(shown(&workspace, "/p/scripts/wander.rhai").is_empty());
        let found = shown(&workspace, "/p/scenes/a.ron");
        assert!(matches!(&found[..], [one] if one.starts_with("\"SPED\"")), "{found:?}");
    }

    #[test]
    fn ranges_fit_every_text() {
        for (line, column, width) in [(0, 0, 1), (9, 9, 9), (1, 0, 3), (1, 2, 1), (1, 2, 99)] {
            let fault = Fault { line, column, width, ..Fault::of_file("a.ron", "x") };
            for text in ["", "é", "aéb\nc"] {
                let range = is_shown_at(text, &fault);
                assert!(text.get(range).is_some());
            }
        }
    }
}
