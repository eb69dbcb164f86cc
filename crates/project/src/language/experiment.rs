//! Checks of experiments with the scenes that they name.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use steerbox_core::diagnostics::{Fault, quoted_suggestion};
use steerbox_scene::{ExperimentFile, read_experiment};
use steerbox_script::Execution;

use super::document::Document;
use super::workspace::Workspace;
use crate::experiment::check_experiment;
use crate::reload::{
    Generation, LoadError, Place, embedded_scenes, experiment_scene, in_project, read_experiment_text,
};

/// The faults of an experiment.
#[derive(Debug, Default)]
pub struct CheckedExperiment {
    /// The faults of its fields, or else those with its scene.
    pub faults: Vec<Fault>,
}

impl CheckedExperiment {
    /// Returns the message about a scene that has faults of its own.
    pub fn faulty_scene(file: &ExperimentFile) -> String {
        format!("the scene `{}` has faults, which its own check lists", file.scene.text)
    }
}

impl Workspace {
    /// Checks the experiment at `path` with its scene, and with its table on disk, if it has one.
    pub fn check_experiment(&self, path: &Path) -> CheckedExperiment {
        let Some(document) = self.document(path) else {
            return CheckedExperiment::default();
        };
        let name = document.file_name();
        let (file, mut faults) = read_experiment(&name, &document.text);
        let Some(file) = file.filter(|file| !file.scene.text.is_empty()) else {
            return CheckedExperiment { faults };
        };
        let span = &file.scene.span;
        let at_scene = |message: String| {
            Fault::at(&name, &document.text, (span.line, span.column), message).wide(span.width)
        };
        match self.generation_of(document, &file.scene.text) {
            Some(Ok(generation)) => {
                let text = document.text.strip_prefix('\u{feff}').unwrap_or(&document.text);
                let table = file.design.as_ref().map(|design| in_project(&document.path, &design.text));
                let table = table.as_deref().map(read_experiment_text);
                faults.extend(check_experiment((&name, text), &file, table, &generation));
            }
            Some(Err(_)) => faults.push(at_scene(CheckedExperiment::faulty_scene(&file))),
            None => {
                let names: Vec<_> = self.scene_names(document).collect();
                let help = quoted_suggestion(&file.scene.text, names.iter().map(String::as_str));
                let message = format!("there is no scene called \"{}\"", file.scene.text);
                faults.push(at_scene(message).maybe_help(help));
            }
        }
        faults.sort_by_key(|fault| (fault.line, fault.column));
        CheckedExperiment { faults }
    }

    /// Returns the names of the scenes that an experiment can use: those of its project, then the built-in ones.
    pub(super) fn scene_names(&self, experiment: &Document) -> impl Iterator<Item = String> {
        let folder = experiment_scene(&experiment.path, "x")[1].parent().map(Path::to_owned);
        let is_own = move |scene: &&Arc<Document>| scene.path.parent().map(Path::to_owned) == folder;
        let own = self.of_kind(super::document::DocumentKind::Scene).filter(is_own);
        let own: Vec<_> = own.map(|scene| scene.stem()).collect();
        let built_in = embedded_scenes().map(|(name, _)| name.trim_end_matches(".ron").to_owned());
        let others: Vec<_> = built_in.filter(|name| !own.contains(name)).collect();
        own.into_iter().chain(others)
    }

    /// Returns the scene that an experiment names, if it is in the workspace.
    pub(super) fn scene_of(&self, experiment: &Document, name: &str) -> Option<&Arc<Document>> {
        experiment_scene(&experiment.path, name).iter().find_map(|path| self.document(path))
    }

    /// Returns the rules of the scene that an experiment names; `None` if there is no such scene.
    pub(super) fn generation_of(
        &self,
        experiment: &Document,
        name: &str,
    ) -> Option<Result<Generation, LoadError>> {
        if let Some(scene) = self.scene_of(experiment, name) {
            let place = Place::of_scene(&scene.path);
            return Some(self.compose(place, Some(&scene.text), Execution::Interpreted));
        }
        let root = experiment.path.parent().and_then(Path::parent).map_or(PathBuf::new(), Path::to_owned);
        let name = name.strip_suffix(".ron").unwrap_or(name);
        let place = Place::built_in_with(name, root.join("scripts"))?;
        Some(self.compose(place, None, Execution::Interpreted))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reload::create_file;

    const PATH: &str = "/p/experiments/a.ron";
    const SCENE: &str = r#"(
    world: Plane(size: (80, 60)),
    bodies: {"fish": Mover()},
    groups: [(name: "shoal", body: "fish", count: 3, behaviors: [(script: "wander")])],
)"#;

    fn shown(scene: Option<&str>, text: &str) -> Vec<String> {
        let mut workspace = Workspace::default();
        assert!(workspace.set_buffer(Path::new(PATH), text.into()));
        if let Some(scene) = scene {
            workspace.set_buffer(Path::new("/p/scenes/pond.ron"), scene.into());
        }
        let found = workspace.diagnostics(Path::new(PATH));
        found.iter().map(|one| format!("{}: {}", &text[one.range.clone()], one.fault.message)).collect()
    }

    #[test]
    fn an_experiment_is_checked_with_the_scene_of_its_project() {
        let text = r#"(scene: "pond", vary: ["shoal.wander.RESTLES=1..3:3"], measure: ["sped"], step: 9)"#;
        let found = shown(Some(SCENE), text);
        assert_eq!(found.len(), 3, "{found:?}");
        assert!(found[0].starts_with("\"shoal.wander.RESTLES=1..3:3\": "), "{found:?}");
        assert_eq!(
            found[1..],
            ["\"sped\": there is no measure `sped`", "step: an experiment has no field `step`"]
        );
        let sound =
            r#"(scene: "pond", vary: ["shoal.wander.RESTLESS=1..3:3"], measure: ["speed"], steps: 9)"#;
        assert!(shown(Some(SCENE), sound).is_empty());
        let unknown = shown(None, sound);
        assert_eq!(unknown, ["\"pond\": there is no scene called \"pond\""]);
        let faulty = shown(Some(&SCENE.replace("count", "cuont")), sound);
        assert_eq!(faulty, ["\"pond\": the scene `pond` has faults, which its own check lists"]);
    }

    #[test]
    fn an_experiment_may_use_a_built_in_scene() {
        let text = r#"(scene: "vicsek", vary: ["particles.vicsek.NOISE=0..5:3"], measure: ["polarization"], steps: 9)"#;
        assert!(shown(None, text).is_empty(), "{:?}", shown(None, text));
        assert_eq!(shown(None, &text.replace("NOISE", "NOSE")).len(), 1);
    }

    #[test]
    fn the_table_of_an_experiment_is_checked_at_its_name() {
        let folder = tempfile::tempdir().expect("there is a temporary folder");
        let path = folder.path().join("experiments/a.ron");
        let found = |table: &str| -> Vec<_> {
            let text =
                format!(r#"(scene: "vicsek", design: "{table}", measure: ["polarization"], steps: 9)"#);
            let mut workspace = Workspace::default();
            workspace.set_buffer(&path, text.as_str().into());
            let found = workspace.diagnostics(&path).into_iter();
            found.map(|one| format!("{}: {}", &text[one.range], one.fault.message)).collect()
        };
        for (name, table) in
            [("bad.csv", "particles.count\n40\nmany\n"), ("good.csv", "particles.count\n40\n")]
        {
            create_file(&folder.path().join(name), table).expect("the folder is writable");
        }
        assert!(found("none.csv")[0].starts_with("\"none.csv\": cannot read "), "{:?}", found("none.csv"));
        let expected = "\"bad.csv\": bad.csv: line 3, column 1: `many` is not a number of units";
        assert_eq!(found("bad.csv"), [expected]);
        assert!(found("good.csv").is_empty(), "{:?}", found("good.csv"));
    }
}
