//! A step of the past that is looked at, and the present that waits meanwhile.

use std::sync::atomic::AtomicBool;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use super::divergence::{Difference, Divergence, RunPair};
use super::explained::Inspected;
use super::fork::Fork;
use super::history::{History, Passed, Way};
use super::input::Input;
use super::observer::Observer;
use super::poses::Poses;
use super::state::State;
use super::task::Task;
use crate::reload::Generation;

/// What is kept while another step than the last is looked at.
pub(super) struct Past<O> {
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
    passed: Passed,
    seeking: Option<Task<Sought<O>>>,
    pub(super) running_anew: Option<Task<Option<Anew<O>>>>,
    /// Where the run that is being made anew parts from the old one, once that is known.
    pub(super) divergence: Arc<OnceLock<Divergence>>,
    /// The run as it was before the past was changed.
    pub(super) other: Option<Other<O>>,
}

/// The run that was before the past was changed.
pub(super) struct Other<O> {
    pub(super) history: History,
    pub(super) present: State<O>,
    run_pair: RunPair,
    /// Where its units were at the step that is shown.
    pub(super) poses: Poses,
    passed: Passed,
}

/// A step of the past that was found.
pub(super) struct Sought<O> {
    state: State<O>,
    passed: Passed,
    step: u64,
    /// Whether its steps were made; they are not where a script is stuck, or were canceled.
    made: bool,
    other: Option<(Poses, Passed)>,
}

/// The steps since a change of the past.
pub(super) struct Anew<O> {
    pub(super) history: History,
    state: State<O>,
    old: History,
    fork: u64,
    divergence: Option<Divergence>,
}

impl<O: Observer> Past<O> {
    pub(super) fn new(present: State<O>, generation: Generation) -> Self {
        let wanted = present.simulation.world().steps;
        Self {
            present,
            generation,
            is_pending: false,
            wanted,
            shown: None,
            ran: None,
            passed: Passed::default(),
            seeking: None,
            running_anew: None,
            divergence: Arc::default(),
            other: None,
        }
    }

    /// The number of the last step.
    pub(super) fn last(&self) -> u64 {
        self.present.simulation.world().steps
    }

    /// Shows the step once more, since what is to be known of it is more now.
    pub(super) fn look_again(&mut self) {
        (self.shown, self.seeking) = (None, None);
    }

    /// Whether work is under way, or due.
    pub(super) fn is_busy(&self) -> bool {
        self.seeking.is_some() || self.running_anew.is_some() || self.shown != Some(self.wanted)
    }

    /// Whether work is under way.
    pub(super) fn works(&self) -> bool {
        self.seeking.is_some() || self.running_anew.is_some()
    }

    /// Whether the step that is asked for is to be looked for.
    pub(super) fn is_due(&self) -> bool {
        self.seeking.is_none() && self.shown != Some(self.wanted)
    }

    /// The way to the step that is asked for.
    pub(super) fn way(&self, history: &History) -> Option<Way> {
        history.way(self.wanted, Some(&self.passed))
    }

    /// The same in the other run, and that run's last state.
    fn other_way(&self) -> Option<Way> {
        let other = self.other.as_ref().filter(|other| other.run_pair.fork < self.wanted)?;
        other.history.way(self.wanted, Some(&other.passed))
    }

    /// The work of getting there.
    pub(super) fn seek(
        &self,
        mut way: Way,
        mut state: State<O>,
        inspected: Option<Arc<Inspected>>,
    ) -> impl FnOnce(&AtomicBool) -> Sought<O> + Send + use<O> {
        let mut other = self.other_way();
        move |cancel| {
            for seen in way.before.iter().chain([&way.from]) {
                state.observer.note(seen.world());
            }
            let made = way.go(&mut state, |state, is_last| {
                state.step(inspected.as_deref().filter(|_| is_last), cancel)
            });
            let other = other.take().map(|mut way| {
                let mut simulation = state.simulation.clone();
                way.go(&mut simulation, |it, _| it.try_step(cancel));
                let mut poses = Poses::default();
                poses.note(simulation.world());
                (poses, way.passed.unwrap_or_default())
            });
            Sought { state, passed: way.passed.unwrap_or_default(), step: way.to, made, other }
        }
    }

    pub(super) fn begin(&mut self, task: Task<Sought<O>>) {
        self.seeking = Some(task);
    }

    /// The state that was looked for, once it is found.
    pub(super) fn found(&mut self, patience: Duration) -> Option<State<O>> {
        let found = Task::take(&mut self.seeking, patience)?;
        // A step that cannot be made again is not looked for again.
        self.shown = Some(self.wanted);
        let Sought { state, passed, step, other, .. } = found.filter(|sought| sought.made)?;
        (self.passed, self.shown) = (passed, Some(step));
        if let Some(old) = &mut self.other {
            (old.poses, old.passed) = other.unwrap_or_default();
        }
        Some(state)
    }

    /// The work of making all steps since then anew, with `input` after the step that is looked at. What was
    /// steered within the world since is done again; what files, sliders and edits of the scene said since no longer
    /// counts.
    pub(super) fn anew(
        &self,
        history: &History,
        input: Input,
        mut state: State<O>,
        found: Arc<OnceLock<Divergence>>,
    ) -> Option<impl FnOnce(&AtomicBool) -> Option<Anew<O>> + Send + use<O>> {
        let fork = self.forked_at();
        let mut way = history.way(fork, Some(&self.passed))?;
        let old = self.other.as_ref().map_or(history, |other| &other.history).clone();
        // Without an old run, both are one up to there.
        let mut old_way = match self.other {
            Some(_) => Some(old.way(fork, None)?),
            None => None,
        };
        let known = self.other.as_ref().and_then(|other| other.run_pair.divergence.clone());
        let (last, mut history) = (self.last(), history.clone());
        let mut later = history.between(fork, last);
        later.retain(|(_, input)| input.is_made_again());
        Some(move |cancel: &AtomicBool| {
            let mut made = way.go(&mut state, |state, _| state.step(None, cancel));
            let mut before = state.simulation.clone();
            if let Some(way) = &mut old_way {
                made = made && way.go(&mut before, |it, _| it.try_step(cancel));
            }
            let has_diverged = before.hash() != state.simulation.hash();
            let mut divergence = known.filter(|_| has_diverged);
            history.cut(fork);
            input.apply(&mut state.simulation);
            history.note(fork, input);
            state.recorder = state.recorder.anew();
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
            Some(Anew { history, state, old, fork, divergence })
        })
    }

    /// After which step a change takes effect.
    pub(super) fn forked_at(&self) -> u64 {
        let fork = self.other.as_ref().map(|other| other.run_pair.fork);
        fork.filter(|_| self.wanted == self.last()).unwrap_or(self.wanted)
    }

    /// The history since a change of the past, once its steps are made: its last step is looked at then, beside
    /// the one of before.
    pub(super) fn came_anew(&mut self, patience: Duration) -> Option<History> {
        let done = Task::take(&mut self.running_anew, patience)?;
        self.is_pending = false;
        let Anew { history, state, old, fork, divergence } = done.flatten()?;
        let present = std::mem::replace(&mut self.present, state);
        let present = self.other.take().map_or(present, |other| other.present);
        let (poses, passed) = (Poses::default(), Passed::default());
        let difference = Difference::between(present.simulation.world(), self.present.simulation.world());
        let run_pair = RunPair { fork, divergence, difference };
        self.other = Some(Other { history: old, present, run_pair, poses, passed });
        (self.passed, self.wanted, self.shown, self.seeking) = (Passed::default(), self.last(), None, None);
        Some(history)
    }

    /// The last state, to be shown as the step that is looked at.
    pub(super) fn show_last(&mut self) -> State<O> {
        (self.wanted, self.shown, self.seeking) = (self.last(), Some(self.last()), None);
        if let Some(other) = &mut self.other {
            other.poses.note(other.present.simulation.world());
        }
        self.present.clone()
    }

    /// Where the run that is looked at parts from the old one.
    pub(super) fn run_pair(&self) -> Option<&RunPair> {
        self.other.as_ref().map(|other| &other.run_pair)
    }
}
