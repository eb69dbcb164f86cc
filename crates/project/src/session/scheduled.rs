//! Steps of a session with the inputs of a replay.

use super::input::Input;
use super::observer::Observer;
use super::running_scene::Session;
use super::schedule::Schedule;

/// The end of a replay.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReplayEnd {
    /// The number of steps.
    pub steps: u64,
    /// True if the last state is the recorded one.
    pub is_same: bool,
}

impl<O: Observer> Session<O> {
    /// Starts up to `due` steps of the present, unless steps are running. Scheduled inputs precede the steps after which
    /// they are due.
    pub fn start(&mut self, due: u32) {
        if due == 0 || self.simulation.busy().is_some() {
            return;
        }
        let steps = self.simulation.world().steps;
        while let Some((_, input)) = self.schedule.inputs.pop_front_if(|(at, _)| *at <= steps) {
            match input {
                Input::Generation(replacement) => {
                    self.replace((*replacement.generation).clone(), false);
                    self.follow_generation();
                }
                input => self.input(input),
            }
        }
        let next = self.schedule.inputs.front().map(|(at, _)| *at);
        let next = next.into_iter().chain(self.schedule.end.map(|(last, _)| last)).min();
        let most = next.map_or(u64::MAX, |next| next.saturating_sub(steps).max(1));
        self.simulation.start(due.min(u32::try_from(most).unwrap_or(u32::MAX)));
    }

    /// Returns true while a replay runs.
    pub fn is_replay(&self) -> bool {
        self.schedule.end.is_some()
    }

    /// Returns the end of a replay, once, when it is reached.
    pub fn take_replay_end(&mut self) -> Option<ReplayEnd> {
        let (last, hash) = self.schedule.end?;
        let steps = self.simulation.world().steps;
        if steps < last || self.simulation.busy().is_some() || self.playback.is_some() {
            return None;
        }
        self.schedule = Schedule::default();
        Some(ReplayEnd { steps, is_same: steps == last && self.simulation.hash() == hash })
    }
}
