//! What steps change, and how one is made of it.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use super::explained::{Explained, Inspected};
use super::history::Recorder;
use super::observer::Observer;
use super::poses::Poses;
use super::variant::Variant;
use crate::scene::Scene;
use crate::sim::{DecidedStep, Simulation};

/// Wall time that the steps of one frame may take before the rest is dropped.
pub const STEP_BUDGET: Duration = Duration::from_millis(24);

/// What steps change.
#[derive(Clone)]
pub struct State<O> {
    /// The simulation.
    pub simulation: Simulation,
    /// What observes it.
    pub observer: O,
    /// The last step of the unit that is inspected.
    pub(super) explained: Option<Arc<Explained>>,
    /// Smoothed wall time of a step.
    pub(super) step_time: Duration,
    /// Takes keyframes.
    pub(super) recorder: Recorder,
    /// The run under other rules that it is compared with.
    pub(super) variant: Option<Box<Variant<O>>>,
}

impl<O> AsMut<Simulation> for State<O> {
    fn as_mut(&mut self) -> &mut Simulation {
        &mut self.simulation
    }
}

impl<O: Observer> State<O> {
    /// The start of a scene.
    pub(super) fn new(mut simulation: Simulation, scene: &Scene, recorder: Recorder) -> Self {
        simulation.drawing = O::DRAWS;
        let (observer, step_time) = (O::of(scene), Duration::ZERO);
        Self { simulation, observer, explained: None, step_time, recorder, variant: None }
    }

    /// One that has not seen anything yet, of another scene maybe.
    pub(super) fn unseen(&self, scene: &Scene) -> Self {
        Self { observer: O::of(scene), explained: None, variant: None, ..self.clone() }
    }

    /// Records what scripts watch, and measures what behaviors cost, or not.
    pub(super) fn observe(&mut self, watching: bool, costing: bool) {
        let variant = self.variant.as_mut().map(|variant| &mut variant.simulation);
        for simulation in variant.into_iter().chain([&mut self.simulation]) {
            (simulation.watching, simulation.costing) = (watching, costing);
        }
    }

    /// Makes up to `due` steps, at least one: as many as the budget allows. How many were made; `before` then
    /// holds the poses before the last one.
    pub(super) fn advance(
        &mut self,
        due: u32,
        inspected: Option<&Inspected>,
        cancel: &AtomicBool,
        before: &mut Poses,
    ) -> u32 {
        let start = Instant::now();
        let mut made = 0;
        while made < due && (made == 0 || start.elapsed() < STEP_BUDGET) {
            if O::DRAWS {
                before.note(self.simulation.world());
            }
            if !self.recorded_step(inspected, cancel) {
                break;
            }
            made += 1;
        }
        made
    }

    /// Makes a step, and before it a keyframe if one is due.
    pub(super) fn recorded_step(&mut self, inspected: Option<&Inspected>, cancel: &AtomicBool) -> bool {
        self.recorder.before_step(&self.simulation, self.step_time);
        let begin = Instant::now();
        let made = self.step(inspected, cancel);
        if made {
            let (time, known) = (begin.elapsed(), self.step_time);
            self.step_time = if known.is_zero() { time } else { (known * 9 + time) / 10 };
        }
        made
    }

    /// Makes a step and explains it.
    pub(super) fn step(&mut self, inspected: Option<&Inspected>, cancel: &AtomicBool) -> bool {
        let made = match inspected {
            None => {
                self.explained = None;
                self.simulation.try_step(cancel)
            }
            Some(inspected) => {
                let (made, explained) = inspected.step(&mut self.simulation, cancel);
                self.explained = explained.map(Arc::new);
                made
            }
        };
        if made {
            self.observer.note(self.simulation.world());
            if let Some(variant) = &mut self.variant {
                return variant.step(&self.simulation, cancel);
            }
        }
        made
    }

    /// Returns true if the simulations have decisions, of the last step or of the next.
    pub(super) fn has_decisions(&self) -> bool {
        let variant = self.variant.as_ref().map(|variant| &variant.simulation);
        variant.into_iter().chain([&self.simulation]).all(|it| it.decided() != DecidedStep::Unknown)
    }

    /// Computes the decisions of the next step where there are none; returns false if canceled.
    pub(super) fn decide_next(&mut self, cancel: &AtomicBool) -> bool {
        let variant = self.variant.as_mut().map(|variant| &mut variant.simulation);
        let mut all = variant.into_iter().chain([&mut self.simulation]);
        all.all(|it| it.decided() != DecidedStep::Unknown || it.decide_next(cancel))
    }

    /// Makes `due` steps once more, to explain the last; whether they were made.
    pub(super) fn replay(&mut self, due: u64, inspected: &Inspected, cancel: &AtomicBool) -> bool {
        (1..due).all(|_| self.simulation.try_step(cancel)) && self.step(Some(inspected), cancel)
    }
}
