//! Warnings about a scene that works: parts outside its world, values that its scripts do not take, unmet needs of
//! its rules, units without a path, unstable drag, and slow steps.

use steerbox_core::diagnostics::Fault;
use steerbox_core::world::NamedFlow;
use steerbox_scene::{self as scene, Scene, ScriptUse};
use steerbox_script::MEASURES;

use super::columns;
use super::event::Event;
use super::files::Files;
use super::lacking;
use super::names;
use super::planned::{Planned, queries};
use super::unreached;
use super::uses;

/// Warnings about the scene that runs, from generation to generation.
#[derive(Clone, Default)]
pub(super) struct SceneWarnings {
    /// The warnings about slow steps and units without a path, which take time to find.
    costly: Vec<Fault>,
    /// All warnings, in the order of the file.
    all: Vec<Fault>,
}

impl SceneWarnings {
    /// Returns the warnings about a scene; `is_new` is true if the scene or one of its scripts has changed. Adds them to
    /// the event of the scene; if there is none, adds the new ones to the event of the first script that changed.
    pub(super) fn update(
        &mut self,
        files: &Files,
        (scene, behaviors, flows): (&Scene, &[Vec<Planned>], &[NamedFlow]),
        is_new: bool,
        events: &mut [Event],
    ) -> Vec<Fault> {
        if is_new {
            let queries = |group, slot| queries(behaviors, group, slot);
            self.costly = unreached::warnings(scene, flows);
            self.costly.extend(scene::cost(scene, queries).warning(scene));
        }
        let mut warnings = scene.warnings.clone();
        warnings.extend(unknown_params(files, scene));
        warnings.extend(columns::warnings(scene, |name| files.scripts.get(name)?.live.clone()));
        warnings.extend(lacking::warnings(scene, behaviors));
        warnings.extend(names::warnings(scene, behaviors));
        let is_measure = |name: &str| files.scripts.get(&format!("{MEASURES}{name}")).is_some();
        warnings.extend(names::hidden(behaviors, is_measure));
        warnings.extend(scene::numeric_warnings(scene));
        warnings.extend_from_slice(&self.costly);
        warnings.sort_by_key(|fault| (fault.line, fault.column));
        let before = std::mem::replace(&mut self.all, warnings.clone());
        let runs = |event: &&mut Event| event.kind.runs();
        if let Some(event) = events.iter_mut().filter(runs).find(|event| event.path == files.scene.path) {
            event.others.extend_from_slice(&warnings);
        } else if let Some(event) = events.iter_mut().find(runs) {
            event.others.extend(warnings.iter().filter(|fault| !before.contains(fault)).cloned());
        }
        warnings
    }
}

/// Returns a warning for each value of a parameter that its script does not have.
fn unknown_params(files: &Files, scene: &Scene) -> Vec<Fault> {
    let of_use = |used: &ScriptUse| {
        let file = files.scripts.get(&used.script);
        let script = file.and_then(|file| file.live.as_ref());
        script.map_or(Vec::new(), |script| uses::unknown_params(scene, used, script))
    };
    scene.scripts().flat_map(of_use).collect()
}
