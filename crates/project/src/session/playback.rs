//! The display of a recorded step, while the present state is stored.

use std::sync::atomic::AtomicBool;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use super::divergence::{Difference, Divergence, GridDivergence, RunPair};
use super::explained::Inspected;
use super::fork::Fork;
use super::history::{History, ReplayCache, ReplayPlan};
use super::input::Input;
use super::observer::Observer;
use super::poses::Poses;
use super::state::State;
use super::task::Task;
use crate::reload::Generation;

/// State of the session while another step than the last is shown.
pub(super) struct Playback<O> {
    /// Last state of the shown run.
    pub(super) present: State<O>,
    /// The newest generation.
    pub(super) generation: Generation,
    /// True if `generation` has not made its steps yet.
    pub(super) is_pending: bool,
    /// The requested step.
    pub(super) wanted: u64,
    /// The step that is shown.
    pub(super) shown: Option<u64>,
    /// The generation of the shown step.
    pub(super) ran: Option<Arc<Generation>>,
    cache: ReplayCache,
    seeking: Option<Task<SeekResult<O>>>,
    pub(super) rerunning: Option<Task<Option<Rerun<O>>>>,
    /// First difference between the rerun and the original run, stored as soon as it is found.
    pub(super) divergence: Arc<OnceLock<Divergence>>,
    /// The run before a recorded step was changed.
    pub(super) original: Option<OriginalRun<O>>,
}

/// The run before a recorded step was changed.
pub(super) struct OriginalRun<O> {
    pub(super) history: History,
    pub(super) present: State<O>,
    run_pair: RunPair,
    /// Poses of its units at the shown step.
    pub(super) poses: Poses,
    cache: ReplayCache,
}

/// Result of a replay up to the requested step.
pub(super) struct SeekResult<O> {
    state: State<O>,
    cache: ReplayCache,
    step: u64,
    /// False if a script exceeded its limits or the steps were canceled.
    made: bool,
    original: Option<(Poses, ReplayCache)>,
}

/// Result of repeating the steps since a changed one.
pub(super) struct Rerun<O> {
    pub(super) history: History,
    state: State<O>,
    old: History,
    fork: u64,
    divergence: Option<Divergence>,
    grid: Option<GridDivergence>,
}

impl<O: Observer> Playback<O> {
    pub(super) fn new(present: State<O>, generation: Generation) -> Self {
        let wanted = present.simulation.world().steps;
        Self {
            present,
            generation,
            is_pending: false,
            wanted,
            shown: None,
            ran: None,
            cache: ReplayCache::default(),
            seeking: None,
            rerunning: None,
            divergence: Arc::default(),
            original: None,
        }
    }

    /// Returns the number of the last step.
    pub(super) fn last(&self) -> u64 {
        self.present.simulation.world().steps
    }

    /// Repeats the shown step, since more of it is to be explained.
    pub(super) fn refresh(&mut self) {
        (self.shown, self.seeking) = (None, None);
    }

    /// Returns true while a task is running or due.
    pub(super) fn is_busy(&self) -> bool {
        self.seeking.is_some() || self.rerunning.is_some() || self.shown != Some(self.wanted)
    }

    /// Returns true while a task is running.
    pub(super) fn is_working(&self) -> bool {
        self.seeking.is_some() || self.rerunning.is_some()
    }

    /// Returns true if a seek is due.
    pub(super) fn is_due(&self) -> bool {
        self.seeking.is_none() && self.shown != Some(self.wanted)
    }

    /// Returns the replay of the requested step.
    pub(super) fn plan(&self, history: &History) -> Option<ReplayPlan> {
        history.plan(self.wanted, Some(&self.cache))
    }

    /// Returns the replay of the requested step in the original run, if that differs by then.
    fn original_plan(&self) -> Option<ReplayPlan> {
        let original = self.original.as_ref().filter(|original| original.run_pair.fork < self.wanted)?;
        original.history.plan(self.wanted, Some(&original.cache))
    }

    /// Returns the work of a seek.
    pub(super) fn seek(
        &self,
        mut plan: ReplayPlan,
        mut state: State<O>,
        inspected: Option<Arc<Inspected>>,
    ) -> impl FnOnce(&AtomicBool) -> SeekResult<O> + Send + use<O> {
        let mut original = self.original_plan();
        move |cancel| {
            for seen in plan.before.iter().chain([&plan.from]) {
                state.observer.note(seen.world());
            }
            let made = plan.run(&mut state, |state, is_last| {
                state.step(inspected.as_deref().filter(|_| is_last), true, cancel)
            });
            let original = original.take().map(|mut plan| {
                let mut simulation = state.simulation.clone();
                plan.run(&mut simulation, |it, _| it.try_step(cancel));
                let mut poses = Poses::default();
                poses.note(simulation.world());
                (poses, plan.cache.unwrap_or_default())
            });
            SeekResult { state, cache: plan.cache.unwrap_or_default(), step: plan.to, made, original }
        }
    }

    pub(super) fn begin(&mut self, task: Task<SeekResult<O>>) {
        self.seeking = Some(task);
    }

    /// Returns the state of a finished seek.
    pub(super) fn take_seek_result(&mut self, patience: Duration) -> Option<State<O>> {
        let found = Task::take(&mut self.seeking, patience)?;
        // A step that cannot be repeated is not requested again.
        self.shown = Some(self.wanted);
        let SeekResult { state, cache, step, original, .. } = found.ok().filter(|sought| sought.made)?;
        (self.cache, self.shown) = (cache, Some(step));
        if let Some(old) = &mut self.original {
            (old.poses, old.cache) = original.unwrap_or_default();
        }
        Some(state)
    }

    /// Returns the work of repeating all steps since the shown one, with `input` after it. Inputs within the world
    /// are repeated; those of files, sliders and scene edits are not.
    pub(super) fn rerun(
        &self,
        history: &History,
        input: Input,
        mut state: State<O>,
        found: Arc<OnceLock<Divergence>>,
    ) -> Option<impl FnOnce(&AtomicBool) -> Option<Rerun<O>> + Send + use<O>> {
        let fork = self.forked_at();
        let mut plan = history.plan(fork, Some(&self.cache))?;
        let old = self.original.as_ref().map_or(history, |original| &original.history).clone();
        // Without an original run, both are equal up to the fork.
        let mut old_plan = match self.original {
            Some(_) => Some(old.plan(fork, None)?),
            None => None,
        };
        let known = self.original.as_ref().map(|original| &original.run_pair);
        let known = known.map(|pair| (pair.divergence.clone(), pair.grid.clone()));
        let (last, mut history) = (self.last(), history.clone());
        let verdicts = self.present.verdicts.clone();
        let mut later = history.between(fork, last);
        later.retain(|(_, input)| input.is_made_again());
        Some(move |cancel: &AtomicBool| {
            let mut made = plan.run(&mut state, |state, _| state.step(None, false, cancel));
            let mut before = state.simulation.clone();
            if let Some(plan) = &mut old_plan {
                made = made && plan.run(&mut before, |it, _| it.try_step(cancel));
            }
            let has_diverged = before.hash() != state.simulation.hash();
            let (mut divergence, mut grid) = known.filter(|_| has_diverged).unwrap_or_default();
            history.cut(fork);
            input.apply(&mut state.simulation);
            history.note(fork, input);
            state.verdicts = verdicts;
            state.verdicts.rewind(fork);
            state.verdicts.follow(&history.generation(fork).scene, &state.simulation);
            state.recorder = state.recorder.restarted();
            let mut both = (!has_diverged).then(|| Fork::new(before, old.between(fork, last)));
            let mut new = Fork::new(&mut state, later);
            for _ in fork..last {
                if !made || !new.state.recorded_step(None, false, cancel) {
                    return None;
                }
                if let Some(before) = &mut both {
                    before.state.try_step(cancel);
                    divergence = Divergence::find(&before.state, &new.state.simulation);
                    grid = grid.or_else(|| GridDivergence::find(&before.state, &new.state.simulation));
                    if let Some(divergence) = &divergence {
                        let _ = found.set(divergence.clone());
                    }
                    before.receive();
                    both = both.filter(|_| divergence.is_none());
                }
                for (at, input) in new.receive() {
                    history.note(at, input);
                }
            }
            history.keep(std::mem::take(&mut state.recorder.fresh));
            Some(Rerun { history, state, old, fork, divergence, grid })
        })
    }

    /// Returns the step after which a change takes effect.
    pub(super) fn forked_at(&self) -> u64 {
        let fork = self.original.as_ref().map(|original| original.run_pair.fork);
        fork.filter(|_| self.wanted == self.last()).unwrap_or(self.wanted)
    }

    /// Returns the history of a finished rerun; its last step is requested next, together with that of the original
    /// run.
    pub(super) fn take_rerun(&mut self, patience: Duration) -> Option<History> {
        let done = Task::take(&mut self.rerunning, patience)?;
        self.is_pending = false;
        let Rerun { history, state, old, fork, divergence, grid } = done.ok().flatten()?;
        let present = std::mem::replace(&mut self.present, state);
        let present = self.original.take().map_or(present, |original| original.present);
        let (poses, cache) = (Poses::default(), ReplayCache::default());
        let difference = Difference::between(present.simulation.world(), self.present.simulation.world());
        let run_pair = RunPair { fork, divergence, grid, difference };
        self.original = Some(OriginalRun { history: old, present, run_pair, poses, cache });
        (self.cache, self.wanted, self.shown, self.seeking) =
            (ReplayCache::default(), self.last(), None, None);
        Some(history)
    }

    /// Returns the last state and marks it as shown.
    pub(super) fn show_last(&mut self) -> State<O> {
        (self.wanted, self.shown, self.seeking) = (self.last(), Some(self.last()), None);
        if let Some(original) = &mut self.original {
            original.poses.note(original.present.simulation.world());
        }
        self.present.clone()
    }

    /// Returns the comparison of the shown run with the original one.
    pub(super) fn run_pair(&self) -> Option<&RunPair> {
        self.original.as_ref().map(|original| &original.run_pair)
    }
}
