//! Two runs of one scene at the same time: A as it is, B under other rules.

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
    /// Begins to compare with the scene as its files have it, but for `settings`: see [`Session::variant`]. They
    /// are read and compiled beside what runs, and [`Session::settle_variant`] tells when that is done.
    pub fn compare_with(&mut self, settings: Vec<Setting>) {
        let (place, execution) = self.origin.clone();
        self.compiling = Some(self.simulation.spawn(move |_| {
            let (_, generation) = Loader::load_as(place, settings.clone(), execution)?;
            check_settings(&generation, &settings)?;
            Ok(generation)
        }));
    }

    /// Begins to compare with the rules of before the last save or slider; whether any are known.
    pub fn compare_with_earlier(&mut self) -> bool {
        let Some(earlier) = self.earlier().filter(|_| self.playback.is_none()).cloned() else {
            return false;
        };
        self.begin_variant(earlier);
        true
    }

    /// The rules of before the last save or slider, if they are of the scene's file as it runs.
    fn earlier(&self) -> Option<&Generation> {
        let source = &self.generation.scene.source;
        self.previews.earlier().filter(|earlier| Arc::ptr_eq(&earlier.scene.source, source))
    }

    /// Whether earlier rules are known to compare with.
    pub fn knows_earlier(&self) -> bool {
        self.earlier().is_some()
    }

    /// Begins the comparison that was asked for, if its rules are compiled within `patience`; whether it began.
    ///
    /// # Errors
    /// When the files do not load, the settings do not fit, or the scene's file is not what runs.
    pub fn settle_variant(&mut self, patience: Duration) -> anyhow::Result<bool> {
        let Some(compiled) = Task::take(&mut self.compiling, patience) else {
            return Ok(false);
        };
        let mut generation = compiled.context("the rules could not be compiled")??;
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

    /// Begins a second run under the rules of another generation of the scene's file.
    fn begin_variant(&mut self, mut generation: Generation) {
        // The same scene, with what was changed by hand.
        generation.scene = Arc::clone(&self.generation.scene);
        generation.file = Arc::clone(&self.generation.file);
        generation.by_hand.clone_from(&self.generation.by_hand);
        // Another that was asked for before is wanted no longer.
        self.compiling = None;
        self.previews.end();
        self.simulation.cancel();
        let state = &mut self.simulation.state;
        let variant = Variant::new(&state.simulation, state.observer.clone(), generation);
        state.variant = Some(Box::new(variant));
    }

    /// The second run, while two are compared. It takes every input of the first and makes the same steps; a
    /// save or a slider counts for the first alone.
    pub fn variant(&self) -> Option<&Variant<O>> {
        self.simulation.state.variant.as_deref()
    }

    /// Whether a comparison is asked for and has not begun.
    pub fn is_compiling_variant(&self) -> bool {
        self.compiling.is_some()
    }

    /// Goes on with the first run alone.
    pub fn end_variant(&mut self) {
        self.compiling = None;
        if self.variant().is_some() {
            self.simulation.cancel();
            self.simulation.state.variant = None;
        }
    }

    /// Goes on with the second run alone, under its rules; what is recorded begins anew.
    pub fn keep_variant(&mut self) {
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
