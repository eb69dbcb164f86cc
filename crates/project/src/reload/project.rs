//! A project: a scene, its scripts, tuned values and edits, and the generations that are composed from them.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use steerbox_core::diagnostics::Fault;
use steerbox_core::world::ParamValue;
use steerbox_scene::{MAX_DATA, Scene, SceneEdit, SceneEdits};
use steerbox_script::Execution;
use thiserror::Error;

use super::cache::Cache;
use super::compose::{Composed, Parts, compose};
use super::data::DataFiles;
use super::disk::{Change, Content, SavedText, WatchSet};
use super::files::Files;
use super::generation::{Generation, Status};
use super::inputs::{Inputs, Trials};
use super::place::{Place, file_name};
use super::tracked::{Entry, Rejected};
use super::tuned::{Handle, KnobName};
use super::tuned_values::TunedValues;
use super::warnings::SceneWarnings;
use super::world_sample::RunningWorld;

/// A project that cannot start, since its scene has errors.
#[derive(Debug, Error)]
#[error("the scene cannot be opened")]
pub struct LoadError(pub Vec<Fault>);

impl LoadError {
    /// Replaces the name of the scene in the faults by `path`.
    #[must_use]
    pub fn naming(mut self, path: &Path) -> Self {
        let name = file_name(path);
        for fault in self.0.iter_mut().filter(|fault| fault.path == name) {
            fault.path = path.display().to_string();
        }
        self
    }
}

/// A scene, its scripts, tuned values and edits.
#[derive(Clone)]
pub struct Project {
    place: Place,
    files: Files,
    warnings: SceneWarnings,
    tuned: TunedValues,
    scene_edits: SceneEdits,
    /// Number of edits that came as commands.
    edits: u64,
    cache: Cache,
    /// Sample of the running world, until the next generation.
    running: Option<RunningWorld>,
    /// Number of the generation that runs; 0 before the first.
    number: u64,
    /// True if a value was tuned since the last generation.
    is_tuned: bool,
    /// True if suspended behaviors resume with the next generation, since a text was written or run again.
    resumes: bool,
}

impl Project {
    /// Creates a project without contents.
    pub fn new(place: Place) -> Self {
        Self {
            files: Files::new(&place),
            place,
            warnings: SceneWarnings::default(),
            tuned: TunedValues::default(),
            scene_edits: SceneEdits::default(),
            edits: 0,
            cache: Cache::default(),
            running: None,
            number: 0,
            is_tuned: false,
            resumes: false,
        }
    }

    /// Sets the execution of scripts.
    #[must_use]
    pub fn executing(mut self, execution: Execution) -> Self {
        self.cache.execution = execution;
        self
    }

    /// Returns the location of the files.
    pub fn place(&self) -> &Place {
        &self.place
    }

    /// Stores the content of a file.
    pub(super) fn set(&mut self, Change { path, content }: Change) {
        let text = match content {
            Content::Text(text) => Some(Ok(text)),
            Content::Missing => None,
            Content::Unreadable(fault) => Some(Err(fault.of_file(&file_name(&path)))),
        };
        if self.place.scene.as_ref() == Some(&path) {
            self.set_scene(text);
        } else if let Some((script, rank)) = self.place.script_at(&path) {
            self.set_script(&script, rank, text);
        } else if let Some(name) = self.files.data.name_of(&path) {
            self.set_data(&name, text);
        }
    }

    /// Stores the content of the scene; `None` if the file is gone.
    pub fn set_scene(&mut self, text: SavedText) {
        self.files.set_scene(text);
    }

    /// Stores the content of a file that the scene names; `None` if the file is gone.
    pub fn set_data(&mut self, name: &str, text: SavedText) {
        self.files.set_data(name, text);
    }

    /// Stores a file beside a stored scene, which may not name it yet.
    pub fn add_data(&mut self, name: &str, text: &str) {
        self.files.add_data(name, text);
    }

    /// Returns the paths of the files that the scene names.
    pub(super) fn data_paths(&self) -> Vec<PathBuf> {
        self.files.data.paths()
    }

    /// Returns the files to watch.
    pub(super) fn watch_set(&self) -> WatchSet {
        let files = self.data_paths().into_iter();
        files.fold(self.place.watch_set(), |set, path| set.file(path, MAX_DATA))
    }

    /// Stores the content of a script in the `rank`-th folder; `None` if the file is gone.
    pub fn set_script(&mut self, name: &str, rank: usize, text: SavedText) {
        self.files.scripts.set(name, rank, text);
    }

    /// Stores the text of a script in the `rank`-th folder; it is compiled when the scene uses it.
    pub fn add_script(&mut self, name: &str, rank: usize, text: &Arc<str>) {
        self.files.scripts.set_text(name, rank, Some(Ok(Arc::clone(text))));
    }

    /// Stores unsaved text of a file, by its name in messages, which precedes the saved content; or drops it.
    pub fn set_buffer(&mut self, name: &str, text: Option<Arc<str>>) {
        if name == self.files.scene.path {
            self.files.set_scene_buffer(text);
        } else if let Some(script) = name.strip_suffix(".rhai") {
            self.files.scripts.set_buffer(script, text);
        }
    }

    /// Stores that the scene, which had no file, was written to `path`.
    pub(super) fn set_scene_file(&mut self, path: &Path) {
        self.place = self.place.clone().with_scene(path);
        self.files.scripts.set_folders(self.place.folders.len());
        self.files.data = DataFiles::new(&self.place);
    }

    /// Returns true if the scene has unsaved text.
    pub(super) fn has_scene_buffer(&self) -> bool {
        self.files.scene.has_buffer()
    }

    /// Returns a tuned parameter that the saved text of its script does not have, after the script's name.
    pub(super) fn unsaved_param<'a>(&self, generation: &'a Generation) -> Option<(&'a str, &'a str)> {
        generation.planned().find_map(|planned| {
            let script = planned.handle.script.as_str();
            let file = self.files.scripts.get(script).filter(|file| file.has_buffer())?;
            let saved = file.saved_version().map_or(&[][..], |saved| &saved.params[..]);
            let tuned = planned.knobs.iter().filter(|knob| knob.tuned);
            let mut names = tuned.filter_map(|knob| match &knob.name {
                KnobName::Param(name) => Some(name.as_str()),
                KnobName::Gain | KnobName::Enabled => None,
            });
            names.find(|name| saved.iter().all(|param| param.name != *name)).map(|name| (script, name))
        })
    }

    /// Returns true if a new generation is due.
    pub fn has_news(&self) -> bool {
        self.files.has_news()
    }

    /// Returns true if a trial run needs a sample of the running world.
    pub(super) fn wants_sample(&self) -> bool {
        self.running.is_none() && self.files.has_candidates()
    }

    /// Stores a sample of the running world, for trial runs until the next generation.
    pub fn set_running(&mut self, running: RunningWorld) {
        self.running = Some(running);
    }

    /// Returns the scripts that were on disk when last read.
    pub(super) fn script_files(&self) -> Vec<PathBuf> {
        let folder = |rank: usize| self.place.folders.get(rank);
        let scripts = self.files.scripts.iter().map(|(_, file)| file);
        scripts
            .flat_map(|file| file.ranks().filter_map(move |rank| Some(folder(rank)?.join(&file.path))))
            .collect()
    }

    /// Returns the status of the scene file.
    pub(super) fn scene_status(&self) -> Option<&Status> {
        self.files.scene.status.as_ref()
    }

    /// Stores a text that this program wrote to the scene's file, with the values that run.
    pub(super) fn wrote_scene(&mut self, text: &Arc<str>) {
        self.files.wrote_scene(text);
    }

    /// Tunes a value, from the next generation on.
    pub fn tune(&mut self, handle: Handle, knob: KnobName, value: ParamValue) {
        self.tuned.set(handle, knob, value);
        self.is_tuned = true;
    }

    /// Enables or disables a behavior as a key of the scene does, from the next generation on.
    pub fn switch(&mut self, handle: Handle, on: bool) {
        self.tuned.switch(handle, on);
        self.is_tuned = true;
    }

    /// Resets a value to that of the file.
    pub fn untune(&mut self, handle: &Handle, knob: &KnobName) {
        self.tuned.clear(handle, knob);
        self.is_tuned = true;
    }

    /// Resumes suspended behaviors with the next generation.
    pub(super) fn resume(&mut self) {
        self.resumes = true;
    }

    /// Counts an edit. Each generation contains the number of edits that it includes.
    pub fn count_edit(&mut self) {
        self.edits += 1;
    }

    /// Edits an obstacle or a path, from the next generation on; ignores an edit that does not fit the scene.
    pub fn edit(&mut self, edit: &SceneEdit) {
        self.is_tuned = true;
        let edited = self.files.scene.live.as_ref().map(|scene| self.scene_edits.edited(scene, edit));
        if let Some(Ok(edited)) = edited {
            self.scene_edits = edited;
        }
    }

    /// Resets values that were saved: they are those of the file now.
    pub(super) fn settle_saved(&mut self, generation: &Generation) {
        for planned in generation.planned() {
            for knob in planned.knobs.iter().filter(|knob| knob.tuned) {
                self.tuned.clear(&planned.handle, &knob.name);
            }
        }
        self.scene_edits = SceneEdits::default();
        self.resumes = true;
    }

    /// Composes the next generation.
    ///
    /// # Errors
    /// If no version of the scene works: nothing has run yet and nothing can; also if nothing has run yet and a folder of
    /// scripts cannot be read.
    pub fn compose(&mut self) -> Result<Generation, LoadError> {
        let unreadable = if self.number == 0 { self.place.unreadable_folders() } else { Vec::new() };
        if !unreadable.is_empty() {
            return Err(LoadError(unreadable));
        }
        let running = self.running.take();
        let trials = match (self.number, &running) {
            (0, _) => Trials::None,
            (_, None) => Trials::Start,
            (_, Some(running)) => Trials::Running(running),
        };
        let composed = self.compose_with(trials);
        self.running = running;
        let composed = composed.map_err(|rejected| {
            let name = &self.files.scene.path;
            let gone = || vec![Fault::of_file(name, "there is no such scene")];
            LoadError(rejected.faults(name).cloned().unwrap_or_else(gone))
        })?;
        Ok(self.commit(composed))
    }

    /// Composes the next generation of contents that ran before, without trial runs. After the first one, a script of
    /// which no version has worked may have errors, as in the run. A measure, and what only measures
    /// import, may have errors: the name of the measure then has the first one as the reason why it does not work.
    ///
    /// # Errors
    /// If the newest content of the scene, or of a script that it uses, has errors. A script with an import that has
    /// errors has errors, too.
    pub fn compose_accepted(&mut self) -> Result<Generation, LoadError> {
        let faults = |rejected: Rejected| rejected.0.into_iter().flat_map(|file| file.faults).collect();
        let composed = self.compose_with(Trials::None);
        let is_used = |composed: &Composed, path: &str| {
            let mut used = composed.scene.content.scripts();
            let name = path.strip_suffix(".rhai").filter(|name| used.any(|one| one.script == *name));
            // After the start, the recorded run did not run it either.
            let file = |name| self.files.scripts.get(name);
            let has_worked = |name| self.number == 0 || file(name).is_some_and(|file| file.live.is_some());
            name.is_some_and(has_worked) || path == self.files.scene.path
        };
        match composed {
            Ok(composed) if !composed.rejected.0.iter().any(|file| is_used(&composed, &file.path)) => {
                Ok(self.commit(composed))
            }
            Ok(composed) => Err(LoadError(faults(composed.rejected))),
            Err(rejected) => Err(LoadError(faults(rejected))),
        }
    }

    fn compose_with(&mut self, trials: Trials<'_>) -> Result<Composed, Rejected> {
        self.files.compile_used();
        let inputs = Inputs {
            scene: &self.files.scene,
            rest: self.files.rest.as_ref(),
            scripts: &self.files.scripts,
            tuned: &self.tuned,
            scene_edits: &self.scene_edits,
            trials,
        };
        compose(&inputs, &mut self.cache)
    }

    /// Composes a generation without trial runs, if it differs from the running one and has no faults. It has the
    /// number of the running one, and no events.
    pub(super) fn draft(&mut self) -> Option<Generation> {
        let composed = self.compose_with(Trials::None).ok()?;
        self.drafted(composed)
    }

    /// As [`Project::draft`], with the errors and warnings of the newest content of one file.
    pub(super) fn check(&mut self, name: &str) -> (Option<Generation>, Vec<Fault>) {
        match self.compose_with(Trials::None) {
            Err(rejected) => (None, rejected.faults(name).cloned().unwrap_or_default()),
            Ok(composed) => {
                let faults = match composed.rejected.faults(name) {
                    Some(faults) => faults.clone(),
                    None => self.warnings_of(name, &composed),
                };
                (self.drafted(composed), faults)
            }
        }
    }

    /// Returns the warnings about the newest content of a file that works.
    fn warnings_of(&self, name: &str, composed: &Composed) -> Vec<Fault> {
        if name == self.files.scene.path {
            let runs = (&*composed.scene.content, &composed.parts.behaviors[..], &composed.parts.flows[..]);
            return self.warnings.clone().update(&self.files, runs, true, &mut []);
        }
        let script = name.strip_suffix(".rhai").and_then(|script| self.files.scripts.get(script));
        let script = script.and_then(|file| file.chosen(&composed.rejected));
        script.map_or(Vec::new(), |script| script.content.warnings.clone())
    }

    fn drafted(&self, composed: Composed) -> Option<Generation> {
        if !composed.rejected.0.is_empty() || !self.files.differs(&composed) {
            return None;
        }
        let Parts { flows, behaviors, measures, names } = composed.parts;
        Some(Generation {
            number: self.number,
            scene_edits: composed.scene_edits,
            edits: self.edits,
            file: composed.scene.content,
            behaviors,
            flows,
            measures,
            names,
            changed: self.files.candidates(),
            resumes: true,
            ..Generation::empty(composed.edited)
        })
    }

    /// Replaces the project by a copy of itself with newer contents.
    pub(super) fn adopt(&mut self, mut copy: Self) {
        copy.running = self.running.take();
        *self = copy;
    }

    /// Makes a composition the next generation.
    fn commit(&mut self, composed: Composed) -> Generation {
        let entry = if self.number > 0 { Entry::Swap } else { Entry::First };
        self.number += u64::from(self.is_tuned || self.files.differs(&composed));
        self.is_tuned = false;
        self.running = None;
        let is_new_scene = composed.scene.is_new || self.files.scene.is_reverted;
        let (changed, mut events) = self.files.commit(&composed, self.number, entry);
        let scene = composed.scene.content;
        let dropped = self.tuned.settle(&composed.parts.behaviors, self.files.has_unsaved());
        self.scene_edits = composed.scene_edits.clone();
        self.cache.sweep();
        let is_new = is_new_scene || !changed.is_empty();
        let Parts { flows, behaviors, measures, names } = composed.parts;
        let warnings = self.warnings.update(&self.files, (&scene, &behaviors, &flows), is_new, &mut events);
        let resumes = std::mem::take(&mut self.resumes) || events.iter().any(|event| event.kind.runs());
        Generation {
            number: self.number,
            scene_edits: composed.scene_edits,
            edits: self.edits,
            file: Arc::clone(&scene),
            behaviors,
            flows,
            measures,
            names,
            files: self.files.states(&scene),
            scripts: self.files.running_scripts(&scene),
            events,
            dropped,
            warnings,
            changed,
            resumes,
            ..Generation::empty(composed.edited)
        }
    }

    /// Composes the next generation; while no version of the scene works, returns number 0 with an empty world and
    /// the faults.
    ///
    /// # Errors
    /// If nothing has run yet and there is no scene at all.
    pub fn compose_or_wait(&mut self) -> Result<Generation, LoadError> {
        let scene = &self.files.scene;
        let is_known = scene.candidate.is_some() || scene.status.is_some();
        let waits = is_known && scene.live.is_none();
        match self.compose() {
            Err(LoadError(faults)) if waits => {
                let (state, events) = self.files.commit_broken_scene(&faults);
                let scene = Arc::new(Scene::empty(state.path.clone()));
                let files = vec![state];
                Ok(Generation { files, events, ..Generation::empty(scene) })
            }
            composed => composed,
        }
    }
}
