//! Two runs of one scene at the same time: A under the present rules, B under others.

use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context as _, bail};

use super::history::{History, Recorder};
use super::observer::Observer;
use super::running_scene::Session;
use super::settings::check_settings;
use super::state::State;
use super::task::Task;
use super::variant::Variant;
use crate::reload::{Generation, Loader, Setting};

impl<O: Observer> Session<O> {
    /// Starts a comparison with the scene as its files define it, except for `settings`: see [`Session::variant`].
    /// The files are compiled in a task that [`Session::settle_variant`] completes.
    pub fn compare_with(&mut self, settings: Vec<Setting>) {
        let (place, execution) = self.origin.clone();
        self.compiling = Some(self.simulation.spawn(move |_| {
            let (_, generation) = Loader::load_as(place, settings.clone(), execution)?;
            check_settings(&generation, &settings)?;
            Ok(generation)
        }));
    }

    /// Starts a comparison with the rules before the last save or slider; returns false if there are none.
    pub fn compare_with_earlier(&mut self) -> bool {
        let Some(earlier) = self.earlier().filter(|_| self.playback.is_none()).cloned() else {
            return false;
        };
        self.begin_variant(earlier);
        true
    }

    /// Returns the rules before the last save or slider, if they belong to the scene file that runs.
    fn earlier(&self) -> Option<&Generation> {
        let source = &self.generation.scene.source;
        self.previews.earlier().filter(|earlier| Arc::ptr_eq(&earlier.scene.source, source))
    }

    /// Returns true if there are earlier rules to compare with.
    pub fn knows_earlier(&self) -> bool {
        self.earlier().is_some()
    }

    /// Starts the requested comparison if its rules are compiled within `patience`; returns true if it started.
    ///
    /// # Errors
    /// If the files do not load, the settings do not fit, or another version of the scene file runs.
    pub fn settle_variant(&mut self, patience: Duration) -> anyhow::Result<bool> {
        let Some(compiled) = Task::take(&mut self.compiling, patience) else {
            return Ok(false);
        };
        let mut generation = compiled.ok().context("the rules could not be compiled")??;
        if self.playback.is_some() {
            bail!("cannot compare in the past: return to the present first");
        }
        if generation.scene.source != self.generation.scene.source {
            bail!("the scene's file is not what runs: mend it first");
        }
        generation.flows.clone_from(&self.generation.flows);
        self.begin_variant(generation);
        Ok(true)
    }

    /// Starts a second run under the rules of another generation of the same scene file.
    fn begin_variant(&mut self, mut generation: Generation) {
        // Both have the same scene, with the same edits.
        generation.scene = Arc::clone(&self.generation.scene);
        generation.file = Arc::clone(&self.generation.file);
        generation.scene_edits.clone_from(&self.generation.scene_edits);
        // This replaces a requested comparison.
        self.compiling = None;
        self.previews.end();
        self.simulation.cancel();
        let state = &mut self.simulation.state;
        let variant = Variant::new(&state.simulation, state.observer.clone(), generation);
        state.variant = Some(Box::new(variant));
    }

    /// Returns the second run of a comparison. It receives every input of the first and makes the same steps, except
    /// for saves and sliders.
    pub fn variant(&self) -> Option<&Variant<O>> {
        self.simulation.state.variant.as_deref()
    }

    /// Returns true if a comparison was requested and has not started.
    pub fn is_compiling_variant(&self) -> bool {
        self.compiling.is_some()
    }

    /// Ends the comparison; the first run continues.
    pub fn end_variant(&mut self) {
        self.compiling = None;
        if self.variant().is_some() {
            self.simulation.cancel();
            self.simulation.state.variant = None;
        }
    }

    /// Ends the comparison; the second run continues under its rules, with a new history.
    pub fn continue_variant(&mut self) {
        self.simulation.cancel();
        let Some(variant) = self.simulation.state.variant.take() else {
            return;
        };
        let Variant { simulation, observer, generation, .. } = *variant;
        self.generation = Generation { events: Vec::new(), ..(*generation).clone() };
        let mut state = State::new(simulation, &self.generation.scene, Recorder::new(self.keep));
        state.observer = observer;
        self.simulation.show(state);
        self.simulation.history = History::new(self.keep, generation);
        self.follow_generation();
    }
}
