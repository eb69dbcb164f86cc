//! A step of the past that is looked at, and the present that waits meanwhile.

use std::sync::atomic::AtomicBool;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use super::divergence::{Difference, Divergence, RunPair};
use super::explained::Inspected;
use super::fork::Fork;
use super::history::{History, ReplayCache, ReplayPlan};
use super::input::Input;
use super::observer::Observer;
use super::poses::Poses;
use super::state::State;
use super::task::Task;
use crate::reload::Generation;

/// What is kept while another step than the last is looked at.
pub(super) struct Playback<O> {
    /// The last state of the run that is looked at.
    pub(super) present: State<O>,
    /// The newest generation.
    pub(super) generation: Generation,
    /// Whether that has not made its steps yet.
    pub(super) is_pending: bool,
    /// The step that is asked for.
    pub(super) wanted: u64,
    /// The step that is shown as it is asked for.
    pub(super) shown: Option<u64>,
    /// What ran then.
    pub(super) ran: Option<Arc<Generation>>,
    cache: ReplayCache,
    seeking: Option<Task<SeekResult<O>>>,
    pub(super) rerunning: Option<Task<Option<Rerun<O>>>>,
    /// Where the run that is being made anew parts from the old one, once that is known.
    pub(super) divergence: Arc<OnceLock<Divergence>>,
    /// The run as it was before the past was changed.
    pub(super) original: Option<OriginalRun<O>>,
}

/// The run that was before the past was changed.
pub(super) struct OriginalRun<O> {
    pub(super) history: History,
    pub(super) present: State<O>,
    run_pair: RunPair,
    /// Where its units were at the step that is shown.
    pub(super) poses: Poses,
    cache: ReplayCache,
}

/// A step of the past that was found.
pub(super) struct SeekResult<O> {
    state: State<O>,
    cache: ReplayCache,
    step: u64,
    /// Whether its steps were made; they are not where a script is stuck, or were canceled.
    made: bool,
    original: Option<(Poses, ReplayCache)>,
}

/// The steps since a change of the past.
pub(super) struct Rerun<O> {
    pub(super) history: History,
    state: State<O>,
    old: History,
    fork: u64,
    divergence: Option<Divergence>,
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

    /// The number of the last step.
    pub(super) fn last(&self) -> u64 {
        self.present.simulation.world().steps
    }

    /// Shows the step once more, since what is to be known of it is more now.
    pub(super) fn refresh(&mut self) {
        (self.shown, self.seeking) = (None, None);
    }

    /// Whether work is under way, or due.
    pub(super) fn is_busy(&self) -> bool {
        self.seeking.is_some() || self.rerunning.is_some() || self.shown != Some(self.wanted)
    }

    /// Whether work is under way.
    pub(super) fn is_working(&self) -> bool {
        self.seeking.is_some() || self.rerunning.is_some()
    }

    /// Whether the step that is asked for is to be looked for.
    pub(super) fn is_due(&self) -> bool {
        self.seeking.is_none() && self.shown != Some(self.wanted)
    }

    /// The way to the step that is asked for.
    pub(super) fn plan(&self, history: &History) -> Option<ReplayPlan> {
        history.plan(self.wanted, Some(&self.cache))
    }

    /// The same in the other run, and that run's last state.
    fn original_plan(&self) -> Option<ReplayPlan> {
        let original = self.original.as_ref().filter(|original| original.run_pair.fork < self.wanted)?;
        original.history.plan(self.wanted, Some(&original.cache))
    }

    /// The work of getting there.
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
                state.step(inspected.as_deref().filter(|_| is_last), cancel)
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

    /// The state that was looked for, once it is found.
    pub(super) fn take_seek_result(&mut self, patience: Duration) -> Option<State<O>> {
        let found = Task::take(&mut self.seeking, patience)?;
        // A step that cannot be made again is not looked for again.
        self.shown = Some(self.wanted);
        let SeekResult { state, cache, step, original, .. } = found.filter(|sought| sought.made)?;
        (self.cache, self.shown) = (cache, Some(step));
        if let Some(old) = &mut self.original {
            (old.poses, old.cache) = original.unwrap_or_default();
        }
        Some(state)
    }

    /// The work of making all steps since then anew, with `input` after the step that is looked at. What was
    /// steered within the world since is done again; what files, sliders and edits of the scene said since no longer
    /// counts.
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
        // Without an old run, both are one up to there.
        let mut old_plan = match self.original {
            Some(_) => Some(old.plan(fork, None)?),
            None => None,
        };
        let known = self.original.as_ref().and_then(|original| original.run_pair.divergence.clone());
        let (last, mut history) = (self.last(), history.clone());
        let mut later = history.between(fork, last);
        later.retain(|(_, input)| input.is_made_again());
        Some(move |cancel: &AtomicBool| {
            let mut made = plan.run(&mut state, |state, _| state.step(None, cancel));
            let mut before = state.simulation.clone();
            if let Some(plan) = &mut old_plan {
                made = made && plan.run(&mut before, |it, _| it.try_step(cancel));
            }
            let has_diverged = before.hash() != state.simulation.hash();
            let mut divergence = known.filter(|_| has_diverged);
            history.cut(fork);
            input.apply(&mut state.simulation);
            history.note(fork, input);
            state.recorder = state.recorder.restarted();
            let mut both = (!has_diverged).then(|| Fork::new(before, old.between(fork, last)));
            let mut new = Fork::new(&mut state, later);
            for _ in fork..last {
                if !made || !new.state.recorded_step(None, cancel) {
                    return None;
                }
                if let Some(before) = &mut both {
                    before.state.try_step(cancel);
                    divergence = Divergence::of(&before.state, &new.state.simulation);
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
            Some(Rerun { history, state, old, fork, divergence })
        })
    }

    /// After which step a change takes effect.
    pub(super) fn forked_at(&self) -> u64 {
        let fork = self.original.as_ref().map(|original| original.run_pair.fork);
        fork.filter(|_| self.wanted == self.last()).unwrap_or(self.wanted)
    }

    /// The history since a change of the past, once its steps are made: its last step is looked at then, beside
    /// the one of before.
    pub(super) fn take_rerun(&mut self, patience: Duration) -> Option<History> {
        let done = Task::take(&mut self.rerunning, patience)?;
        self.is_pending = false;
        let Rerun { history, state, old, fork, divergence } = done.flatten()?;
        let present = std::mem::replace(&mut self.present, state);
        let present = self.original.take().map_or(present, |original| original.present);
        let (poses, cache) = (Poses::default(), ReplayCache::default());
        let difference = Difference::between(present.simulation.world(), self.present.simulation.world());
        let run_pair = RunPair { fork, divergence, difference };
        self.original = Some(OriginalRun { history: old, present, run_pair, poses, cache });
        (self.cache, self.wanted, self.shown, self.seeking) =
            (ReplayCache::default(), self.last(), None, None);
        Some(history)
    }

    /// The last state, to be shown as the step that is looked at.
    pub(super) fn show_last(&mut self) -> State<O> {
        (self.wanted, self.shown, self.seeking) = (self.last(), Some(self.last()), None);
        if let Some(original) = &mut self.original {
            original.poses.note(original.present.simulation.world());
        }
        self.present.clone()
    }

    /// Where the run that is looked at parts from the old one.
    pub(super) fn run_pair(&self) -> Option<&RunPair> {
        self.original.as_ref().map(|original| &original.run_pair)
    }
}
