//! Copies of the simulation that make steps of their own: replays, reruns, previews and comparisons.

use std::iter::Peekable;
use std::sync::Arc;
use std::vec::IntoIter;

use steerbox_core::sim::Simulation;
use steerbox_scene::Scene;

use super::input::Input;
use crate::reload::Generation;

/// A copy of a simulation, or of a state that contains one, with the inputs that it is to receive.
pub(super) struct Fork<S> {
    pub(super) state: S,
    inputs: Peekable<IntoIter<(u64, Input)>>,
}

impl<S: AsMut<Simulation>> Fork<S> {
    /// Creates a fork whose inputs are ordered by the number of steps before each.
    pub(super) fn new(state: S, inputs: Vec<(u64, Input)>) -> Self {
        Self { state, inputs: inputs.into_iter().peekable() }
    }

    /// Applies the inputs that are due after the last step, and returns them.
    pub(super) fn receive(&mut self) -> Vec<(u64, Input)> {
        let simulation = self.state.as_mut();
        let steps = simulation.world().steps;
        let due = std::iter::from_fn(|| self.inputs.next_if(|(at, _)| *at <= steps));
        due.inspect(|(_, input)| input.apply(simulation)).collect()
    }
}

/// Copies a simulation that runs scene `before`, and replaces its rules by those of a generation.
pub(super) fn with_rules(
    simulation: &Simulation,
    generation: &Generation,
    before: &Arc<Scene>,
    seed: Option<u64>,
) -> Simulation {
    let mut copy = simulation.clone();
    generation.swap_into(&mut copy, before, seed);
    copy
}

/// Disables everything in a copy that only observers need, except for the values that scripts watch.
pub(super) fn unobserved(simulation: Simulation, watching: bool) -> Simulation {
    let mut copy = simulation;
    (copy.drawing, copy.watching, copy.costing) = (false, watching, false);
    copy
}
