//! Time travel: showing an earlier step, changing the run from there on, and returning.

use std::ops::RangeInclusive;
use std::sync::Arc;
use std::time::Duration;

use steerbox_core::world::Clock;

use super::divergence::{Divergence, RunPair};
use super::input::Input;
use super::observer::Observer;
use super::playback::Playback;
use super::poses::Poses;
use super::running_scene::Session;
use super::verdicts::Verdicts;
use crate::reload::Generation;

impl<O: Observer> Session<O> {
    /// Returns the steps that can be shown, from the oldest to the present one; `None` before the first step.
    pub fn recorded(&self) -> Option<RangeInclusive<u64>> {
        let first = self.simulation.history.first_step()?;
        let last = self.playback.as_ref().map_or(self.simulation.world().steps, Playback::last);
        Some(first..=last)
    }

    /// Returns true if steps are recorded.
    pub fn records(&self) -> bool {
        self.simulation.history.is_kept()
    }

    /// Returns every input since the first recorded step, with the number of steps before it.
    pub fn inputs(&self) -> impl DoubleEndedIterator<Item = &(u64, Input)> {
        self.simulation.history.inputs()
    }

    /// Returns the judgment of the scene's expectations, of all recorded steps.
    pub fn verdicts(&self) -> &Verdicts {
        let present = self.playback.as_ref().map(|playback| &playback.present);
        &present.unwrap_or(&self.simulation.state).verdicts
    }

    /// Returns the memory of the recorded steps, bytes.
    pub fn recorded_bytes(&self) -> usize {
        self.simulation.history.bytes()
    }

    /// Returns the durations of all steps, those after the shown one included.
    pub fn clock(&self) -> Clock {
        let present = self.playback.as_ref().map(|playback| &playback.present);
        present.unwrap_or(&self.simulation.state).simulation.world().clock()
    }

    /// Returns the requested step, or `None` in the present.
    pub fn past_step(&self) -> Option<u64> {
        self.playback.as_ref().map(|playback| playback.wanted)
    }

    /// Returns true while the requested step is not shown.
    pub fn is_seeking(&self) -> bool {
        self.playback.as_ref().is_some_and(Playback::is_busy)
    }

    /// Returns true while the steps since a changed one are repeated.
    pub fn is_rerunning(&self) -> bool {
        self.playback.as_ref().is_some_and(|playback| playback.rerunning.is_some())
    }

    /// Requests the recorded step nearest to `step`; [`Session::settle`] shows it. The last step returns to the
    /// present, unless two runs are compared.
    pub fn show_step(&mut self, step: u64) {
        let Some(recorded) = self.recorded() else {
            return;
        };
        let step = step.clamp(*recorded.start(), *recorded.end());
        if step == *recorded.end()
            && self
                .playback
                .as_ref()
                .is_none_or(|playback| playback.original.is_none() && playback.rerunning.is_none())
        {
            self.return_to_present();
            return;
        }
        if self.playback.is_none() {
            self.previews.end();
            self.simulation.cancel();
            let (present, generation) = (self.simulation.state.clone(), self.generation.clone());
            self.playback = Some(Playback::new(present, generation));
        }
        if let Some(playback) = &mut self.playback {
            playback.wanted = step;
        }
        self.seek();
    }

    /// Starts a seek of the requested step if it is not shown.
    fn seek(&mut self) {
        let history = &self.simulation.history;
        let Some(playback) = self.playback.as_ref().filter(|playback| playback.is_due()) else {
            return;
        };
        let Some(plan) = playback.plan(history) else {
            return;
        };
        let made_by = history.generation(playback.wanted.saturating_sub(1));
        let inspected =
            self.requested_unit.and_then(|requested| self.inspected(&made_by.behaviors, requested));
        let state = self.simulation.state.unseen(&history.generation(playback.wanted).scene);
        self.simulation.inspect(inspected);
        let work = playback.seek(plan, state, self.simulation.shared_inspected());
        let task = self.simulation.spawn(work);
        if let Some(playback) = &mut self.playback {
            playback.begin(task);
        }
    }

    /// Shows the requested step if it is found within `patience`, and starts the next seek. Returns true if the shown
    /// state changed.
    pub fn settle(&mut self, patience: Duration) -> bool {
        let Some(playback) = &mut self.playback else {
            return false;
        };
        let rerun = playback.take_rerun(patience);
        let is_new = rerun.is_some();
        if let Some(history) = rerun {
            self.simulation.history = history;
        }
        // The state of its last step is complete, except for the explanation of the inspected unit.
        let found = if is_new && self.requested_unit.is_none() {
            Some(playback.show_last())
        } else {
            playback.take_seek_result(patience)
        };
        let shown = playback.shown;
        let is_found = found.is_some();
        if let (Some(state), Some(step)) = (found, shown) {
            self.simulation.show(state);
            let ran = self.simulation.history.generation(step);
            if playback.ran.as_ref().is_none_or(|shown| !Arc::ptr_eq(shown, ran)) {
                playback.ran = Some(Arc::clone(ran));
                self.generation = (**ran).clone();
            }
        }
        self.seek();
        is_new || is_found
    }

    /// Returns to the present, or to that of the rerun.
    pub fn return_to_present(&mut self) {
        let Some(playback) = self.playback.take() else {
            return;
        };
        self.simulation.show(playback.present);
        if playback.is_pending {
            self.generation = (**self.simulation.history.newest()).clone();
            self.replace(playback.generation, false);
        } else {
            self.generation = playback.generation;
        }
        self.follow_generation();
    }

    /// Continues from the shown step under the newest rules, and drops all later steps.
    pub fn continue_here(&mut self) {
        while self.playback.as_ref().is_some_and(Playback::is_working) {
            self.settle(Duration::MAX);
        }
        let Some(playback) = self.playback.take() else {
            return;
        };
        let steps = self.simulation.world().steps;
        self.simulation.history.cut(steps);
        let state = &mut self.simulation.state;
        state.recorder = state.recorder.restarted();
        state.verdicts = playback.present.verdicts;
        state.verdicts.rewind(steps);
        self.run_newest(playback.generation);
    }

    /// Returns the generation that made the last steps of the original run, while a changed run is shown.
    pub fn original(&self) -> Option<&Generation> {
        let original = self.playback.as_ref()?.original.as_ref()?;
        Some(original.history.newest())
    }

    /// Returns to the present of the original run, and continues it under the newest rules.
    pub fn discard(&mut self) {
        let Some(original) = self.playback.as_mut().and_then(|playback| playback.original.take()) else {
            self.return_to_present();
            return;
        };
        let Some(playback) = self.playback.take() else {
            return;
        };
        self.simulation.show(original.present);
        self.generation = (**original.history.newest()).clone();
        self.simulation.history = original.history;
        self.run_newest(playback.generation);
    }

    /// Runs the newest generation unless it runs already.
    fn run_newest(&mut self, newest: Generation) {
        let newest = Generation { resumes: true, ..newest };
        if self.generation.runs_like(&newest) {
            self.generation = newest;
        } else {
            self.replace(newest, false);
        }
        self.follow_generation();
    }

    /// Makes the behaviors of the generation those that make the next steps.
    pub(super) fn follow_generation(&mut self) {
        self.running = Arc::new(self.generation.behaviors.clone());
        let (unit, values) = self.requested_unit.unzip();
        self.inspect(unit, values.unwrap_or(false));
    }

    /// Runs a generation from the shown step on, and repeats all later steps.
    pub(super) fn replace_in_playback(&mut self, generation: Generation) {
        let Some(playback) = &mut self.playback else {
            return;
        };
        let before = std::mem::replace(&mut playback.generation, generation);
        if before.runs_like(&playback.generation) {
            let resumes = playback.generation.resumes && playback.present.simulation.has_suspended();
            playback.is_pending |= resumes;
            return;
        }
        playback.is_pending = true;
        playback.generation.resumes = true;
        let (generation, fork) = (playback.generation.clone(), playback.forked_at());
        let scene = Arc::clone(&self.simulation.history.generation(fork).scene);
        let replacement = self.replacement(generation, scene);
        self.change_playback(Input::Generation(replacement));
    }

    /// Changes the simulation between two steps, and cancels running steps if the change makes their result obsolete.
    /// In a recorded step, repeats all later steps.
    pub fn input(&mut self, input: Input) {
        if self.playback.is_none() {
            if input.replaces() {
                self.simulation.cancel();
            }
            self.simulation.input(input);
        } else {
            self.change_playback(input);
        }
    }

    /// Makes an intermediate change, such as that of a drag. In a recorded step it is only shown, until
    /// [`Session::input`] makes it.
    pub fn hold(&mut self, input: Input) {
        if self.playback.is_none() {
            self.simulation.input(input);
        } else {
            self.simulation.show_input(&input);
        }
    }

    fn change_playback(&mut self, input: Input) {
        let history = &self.simulation.history;
        let Some(playback) = &self.playback else {
            return;
        };
        let state = self.simulation.state.unseen(&playback.generation.scene);
        let found = Arc::default();
        let task = playback.rerun(history, input, state, Arc::clone(&found));
        let task = task.map(|work| self.simulation.spawn(work));
        if let Some(playback) = &mut self.playback {
            playback.divergence = found;
            playback.rerunning = task;
        }
    }

    /// Returns the first difference between a rerun and the original run, once it is found.
    pub fn first_difference(&self) -> Option<&Divergence> {
        let playback = self.playback.as_ref().filter(|playback| playback.rerunning.is_some())?;
        playback.divergence.get()
    }

    /// Returns the comparison of the rerun with the original run.
    pub fn run_pair(&self) -> Option<&RunPair> {
        self.playback.as_ref()?.run_pair()
    }

    /// Returns the poses of the original run at the shown step, once the two differ.
    pub fn ghosts(&self) -> Option<&Poses> {
        let original = self.playback.as_ref()?.original.as_ref()?;
        Some(&original.poses).filter(|poses| !poses.position.is_empty())
    }
}
