//! Going back in time: looking at an earlier step, changing what ran from there on, and returning.

use std::ops::RangeInclusive;
use std::sync::Arc;
use std::time::Duration;

use super::divergence::{Divergence, RunPair};
use super::input::Input;
use super::observer::Observer;
use super::playback::Playback;
use super::poses::Poses;
use super::running_scene::Session;
use crate::reload::Generation;

impl<O: Observer> Session<O> {
    /// The steps that can be looked at, from the oldest to the present one; nothing before the first step.
    pub fn recorded(&self) -> Option<RangeInclusive<u64>> {
        let first = self.simulation.history.first_step()?;
        let last = self.playback.as_ref().map_or(self.simulation.world().steps, Playback::last);
        Some(first..=last)
    }

    /// Whether the past is recorded.
    pub fn records(&self) -> bool {
        self.simulation.history.is_kept()
    }

    /// Everything that changed the simulation between two steps, with the number of steps made before.
    pub fn inputs(&self) -> impl DoubleEndedIterator<Item = &(u64, Input)> {
        self.simulation.history.inputs()
    }

    /// Memory that the past takes, bytes.
    pub fn recorded_bytes(&self) -> usize {
        self.simulation.history.bytes()
    }

    /// The step of the past that is looked at, or is to be; nothing in the present.
    pub fn looked_at(&self) -> Option<u64> {
        self.playback.as_ref().map(|playback| playback.wanted)
    }

    /// Whether the step that is asked for is not there yet.
    pub fn is_seeking(&self) -> bool {
        self.playback.as_ref().is_some_and(Playback::is_busy)
    }

    /// Whether steps of the past are being made anew after a change.
    pub fn is_rerunning(&self) -> bool {
        self.playback.as_ref().is_some_and(|playback| playback.rerunning.is_some())
    }

    /// Looks at a step, of those that are recorded the nearest. It shows by [`Session::settle`]. With the last
    /// step the present goes on, unless two runs are compared.
    pub fn look_at(&mut self, step: u64) {
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

    /// Begins to look for the step that is asked for, if it is not there.
    fn seek(&mut self) {
        let history = &self.simulation.history;
        let Some(playback) = self.playback.as_ref().filter(|playback| playback.is_due()) else {
            return;
        };
        let Some(plan) = playback.plan(history) else {
            return;
        };
        let made_by = history.generation(playback.wanted.saturating_sub(1));
        let inspected = self.asked.and_then(|asked| self.inspected(&made_by.behaviors, asked));
        let state = self.simulation.state.unseen(&history.generation(playback.wanted).scene);
        self.simulation.inspect(inspected);
        let work = playback.seek(plan, state, self.simulation.shared_inspected());
        let task = self.simulation.spawn(work);
        if let Some(playback) = &mut self.playback {
            playback.begin(task);
        }
    }

    /// Shows the step that is looked at, if it is found within `patience`, and looks for the one that is asked
    /// for meanwhile. Whether anything new is to be seen.
    pub fn settle(&mut self, patience: Duration) -> bool {
        let Some(playback) = &mut self.playback else {
            return false;
        };
        let rerun = playback.take_rerun(patience);
        let is_new = rerun.is_some();
        if let Some(history) = rerun {
            self.simulation.history = history;
        }
        // Of its last step, all is known but why the inspected unit did what it did.
        let found = if is_new && self.asked.is_none() {
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

    /// Returns to the present, or to that of the new run.
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

    /// Goes on from the step that is looked at, by the newest rules: what came after it is forgotten.
    pub fn go_on(&mut self) {
        while self.playback.as_ref().is_some_and(Playback::is_working) {
            self.settle(Duration::MAX);
        }
        let Some(playback) = self.playback.take() else {
            return;
        };
        let steps = self.simulation.world().steps;
        self.simulation.history.cut(steps);
        let recorder = self.simulation.state.recorder.restarted();
        self.simulation.state.recorder = recorder;
        self.bring_up(playback.generation);
    }

    /// Returns to the present of the run that was before the past was changed. The newest rules run from
    /// there on.
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
        self.bring_up(playback.generation);
    }

    /// Lets the newest generation run, if it is not what runs.
    fn bring_up(&mut self, newest: Generation) {
        if self.generation.runs_like(&newest) {
            self.generation = newest;
        } else {
            self.replace(newest, false);
        }
        self.follow_generation();
    }

    /// Takes the behaviors of the generation that runs as those that make the next steps.
    pub(super) fn follow_generation(&mut self) {
        self.running = Arc::new(self.generation.behaviors.clone());
        let (unit, values) = self.asked.unzip();
        self.inspect(unit, values.unwrap_or(false));
    }

    /// Lets a generation run from the step on that is looked at, and makes all steps since anew.
    pub(super) fn replace_in_playback(&mut self, generation: Generation) {
        let Some(playback) = &mut self.playback else {
            return;
        };
        let before = std::mem::replace(&mut playback.generation, generation);
        if before.runs_like(&playback.generation) {
            return;
        }
        playback.is_pending = true;
        let (generation, fork) = (playback.generation.clone(), playback.forked_at());
        let scene = Arc::clone(&self.simulation.history.generation(fork).scene);
        let replacement = self.replacement(generation, scene);
        self.change_playback(Input::Generation(replacement));
    }

    /// Changes the simulation between two steps; steps under way are canceled if the change makes their result
    /// obsolete. In the past, all steps since are made anew.
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

    /// Makes a change that goes on, such as a drag: in the past it only shows, until [`Session::input`] makes it.
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

    /// Where the run that is being made anew parts from the old one: known before all of it is made.
    pub fn first_difference(&self) -> Option<&Divergence> {
        let playback = self.playback.as_ref().filter(|playback| playback.rerunning.is_some())?;
        playback.divergence.get()
    }

    /// Where the new run parts from the old one, after the past was changed.
    pub fn run_pair(&self) -> Option<&RunPair> {
        self.playback.as_ref()?.run_pair()
    }

    /// Where the units of the old run were at the step that is looked at, once the two have parted.
    pub fn ghosts(&self) -> Option<&Poses> {
        let original = self.playback.as_ref()?.original.as_ref()?;
        Some(&original.poses).filter(|poses| !poses.position.is_empty())
    }
}
