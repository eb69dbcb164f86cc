//! A second run of the same scene under other rules, step by step with the first.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use steerbox_core::sim::Simulation;
use steerbox_scene::SceneEdit;

use super::divergence::{Difference, Divergence, GridDivergence, RunPair};
use super::fork::with_rules;
use super::input::Input;
use super::observer::Observer;
use super::poses::Poses;
use crate::reload::Generation;

/// A second run of the same scene under other rules, from the same state and with the same inputs. The main run is A,
/// this one is B.
#[derive(Clone)]
pub struct Variant<O> {
    /// The simulation.
    pub simulation: Simulation,
    /// Observer of the simulation.
    pub observer: O,
    /// The rules.
    pub generation: Arc<Generation>,
    /// Number of steps before the comparison.
    from: u64,
    /// The first difference of the two runs.
    divergence: Option<Divergence>,
    grid: Option<GridDivergence>,
    poses: Poses,
}

impl<O: Observer> Variant<O> {
    /// Copies `run` and replaces its behaviors by those of `generation`, which has the same scene.
    pub(super) fn new(run: &Simulation, observer: O, generation: Generation) -> Self {
        let generation = Generation { changed: Vec::new(), resumes: false, events: Vec::new(), ..generation };
        let simulation = with_rules(run, &generation, &generation.scene, None);
        let (from, poses) = (run.world().steps, Poses::default());
        let generation = Arc::new(generation);
        Self { simulation, observer, generation, from, divergence: None, grid: None, poses }
    }

    /// Makes a step after `run` has made the same one; returns false if it was canceled.
    pub(super) fn step(&mut self, run: &Simulation, cancel: &AtomicBool) -> bool {
        if O::DRAWS {
            self.poses.note(self.simulation.world());
        }
        if !self.simulation.try_step(cancel) {
            return false;
        }
        self.observer.note(self.simulation.world());
        if self.divergence.is_none() {
            self.divergence = Divergence::find(run, &self.simulation);
        }
        if self.grid.is_none() {
            self.grid = GridDivergence::find(run, &self.simulation);
        }
        true
    }

    /// Applies an input of the main run, unless it changes rules.
    pub(super) fn input(&mut self, input: &Input) {
        if !input.is_of_rules() {
            input.apply(&mut self.simulation);
        }
        if input.renumbers() {
            self.poses.forget();
            self.observer.note(self.simulation.world());
        }
    }

    /// Edits an obstacle or a path as in the main run.
    pub(super) fn edit(&mut self, edit: &SceneEdit) {
        let mut generation = (*self.generation).clone();
        if generation.edit(edit).is_ok() {
            generation.swap_into(&mut self.simulation, &self.generation.scene, None);
            self.generation = Arc::new(generation);
        }
    }

    /// Compares the run with the main run.
    pub fn run_pair(&self, run: &Simulation) -> RunPair {
        let difference = Difference::between(run.world(), self.simulation.world());
        RunPair { fork: self.from, divergence: self.divergence.clone(), grid: self.grid.clone(), difference }
    }

    /// Returns the poses before the last step.
    pub fn poses_before(&self) -> Option<&Poses> {
        self.poses.are_before(self.simulation.world()).then_some(&self.poses)
    }
}
