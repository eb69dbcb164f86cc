//! A second run of the same scene under other rules, step by step beside the first.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use super::divergence::{Difference, Divergence, RunPair};
use super::fork::with_rules;
use super::input::Input;
use super::observer::Observer;
use super::poses::Poses;
use crate::reload::Generation;
use crate::scene::SceneEdit;
use crate::sim::Simulation;

/// A second run of the same scene under other rules, from the same state and with the same inputs. The run
/// itself is A, this one is B.
#[derive(Clone)]
pub struct Variant<O> {
    /// Its simulation.
    pub simulation: Simulation,
    /// What observes it.
    pub observer: O,
    /// What runs in it.
    pub generation: Arc<Generation>,
    /// The step after which both began.
    from: u64,
    /// Where the two part, once they have.
    divergence: Option<Divergence>,
    poses: Poses,
}

impl<O: Observer> Variant<O> {
    /// One of `run` as it is now, by the behaviors of `generation`, which is of the same scene.
    pub(super) fn new(run: &Simulation, observer: O, generation: Generation) -> Self {
        let generation = Generation { changed: Vec::new(), events: Vec::new(), ..generation };
        let simulation = with_rules(run, &generation, &generation.scene, None);
        let (from, poses) = (run.world().steps, Poses::default());
        Self { simulation, observer, generation: Arc::new(generation), from, divergence: None, poses }
    }

    /// Makes a step, after `run` has made the same one; whether it was made.
    pub(super) fn step(&mut self, run: &Simulation, cancel: &AtomicBool) -> bool {
        if O::DRAWS {
            self.poses.note(self.simulation.world());
        }
        if !self.simulation.try_step(cancel) {
            return false;
        }
        self.observer.note(self.simulation.world());
        if self.divergence.is_none() {
            self.divergence = Divergence::of(run, &self.simulation);
        }
        true
    }

    /// Makes a change that is made to the run, too; rules stay what they are.
    pub(super) fn input(&mut self, input: &Input) {
        if !input.is_of_rules() {
            input.apply(&mut self.simulation);
        }
        if input.renumbers() {
            self.poses.forget();
            self.observer.note(self.simulation.world());
        }
    }

    /// Changes an obstacle or a path, which is changed in the run, too.
    pub(super) fn edit(&mut self, edit: &SceneEdit) {
        let mut generation = (*self.generation).clone();
        if generation.edit(edit).is_ok() {
            generation.swap_into(&mut self.simulation, &self.generation.scene, None);
            self.generation = Arc::new(generation);
        }
    }

    /// Where it parts from `run`, and how far both are apart now.
    pub fn run_pair(&self, run: &Simulation) -> RunPair {
        let difference = Difference::between(run.world(), self.simulation.world());
        RunPair { fork: self.from, divergence: self.divergence.clone(), difference }
    }

    /// Where units were before the last step.
    pub fn poses_before(&self) -> Option<&Poses> {
        self.poses.are_before(self.simulation.world()).then_some(&self.poses)
    }
}
