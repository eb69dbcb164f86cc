//! The state that steps change, and the making of one step.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use steerbox_core::sim::{DecidedStep, Simulation};
use steerbox_scene::Scene;

use super::explained::{Explained, Inspected, RecordedSteps};
use super::history::Recorder;
use super::observer::Observer;
use super::poses::Poses;
use super::variant::Variant;
use super::verdicts::Verdicts;

/// Wall time limit for the steps of one frame; further ones are dropped.
pub const STEP_BUDGET: Duration = Duration::from_millis(24);

/// Recordings of the next steps. No state depends on them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Observed {
    /// True if watched values are recorded.
    pub watching: bool,
    /// True if the costs of rules are measured.
    pub costing: bool,
    /// The steps in which the values of the inspected unit's lines are recorded.
    pub values: RecordedSteps,
}

/// The state that steps change.
#[derive(Clone)]
pub struct State<O> {
    /// The simulation.
    pub simulation: Simulation,
    /// Observer of the simulation.
    pub observer: O,
    /// The last step of the inspected unit.
    pub(super) explained: Option<Arc<Explained>>,
    /// Smoothed wall time of a step.
    pub(super) step_time: Duration,
    /// The steps in which the values of the inspected unit's lines are recorded.
    values: RecordedSteps,
    /// Recorder of keyframes.
    pub(super) recorder: Recorder,
    /// The other run of a comparison.
    pub(super) variant: Option<Box<Variant<O>>>,
    /// Judgment of the scene's expectations, of all recorded steps.
    pub(super) verdicts: Verdicts,
}

impl<O> AsMut<Simulation> for State<O> {
    fn as_mut(&mut self) -> &mut Simulation {
        &mut self.simulation
    }
}

impl<O: Observer> State<O> {
    /// Creates the start of a scene.
    pub(super) fn new(mut simulation: Simulation, scene: &Arc<Scene>, recorder: Recorder) -> Self {
        simulation.drawing = O::DRAWS;
        let verdicts = Verdicts::new(scene, &simulation);
        let (observer, step_time) = (O::new(scene), Duration::ZERO);
        let values = RecordedSteps::All;
        Self { simulation, observer, explained: None, step_time, values, recorder, variant: None, verdicts }
    }

    /// Copies the simulation with a new observer of `scene`.
    pub(super) fn unseen(&self, scene: &Scene) -> Self {
        Self { observer: O::new(scene), explained: None, variant: None, ..self.clone() }
    }

    /// Returns the present recordings.
    pub(super) fn observed(&self) -> Observed {
        let Simulation { watching, costing, .. } = self.simulation;
        Observed { watching, costing, values: self.values }
    }

    /// Enables or disables recordings.
    pub(super) fn observe(&mut self, observed: Observed) {
        let Observed { watching, costing, values } = observed;
        self.values = values;
        let variant = self.variant.as_mut().map(|variant| &mut variant.simulation);
        for simulation in variant.into_iter().chain([&mut self.simulation]) {
            (simulation.watching, simulation.costing) = (watching, costing);
        }
    }

    /// Makes steps until `due` are made or the wall time limit is reached, at least one. Returns their number; stores
    /// the poses before the last one in `before`.
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
            let values = match self.values {
                RecordedSteps::All => true,
                RecordedSteps::Last => made + 1 == due || start.elapsed() + self.step_time >= STEP_BUDGET,
                RecordedSteps::None => false,
            };
            if !self.recorded_step(inspected, values, cancel) {
                break;
            }
            made += 1;
        }
        made
    }

    /// Records a keyframe if one is due, makes a step, and judges it.
    pub(super) fn recorded_step(
        &mut self,
        inspected: Option<&Inspected>,
        values: bool,
        cancel: &AtomicBool,
    ) -> bool {
        self.recorder.before_step(&self.simulation, self.step_time);
        let begin = Instant::now();
        let made = self.step(inspected, values, cancel);
        if made {
            let (time, known) = (begin.elapsed(), self.step_time);
            self.step_time = if known.is_zero() { time } else { (known * 9 + time) / 10 };
            self.verdicts.observe(&self.simulation);
        }
        made
    }

    /// Makes a step and explains it for the inspected unit, with the values of its lines if `values` is true.
    pub(super) fn step(&mut self, inspected: Option<&Inspected>, values: bool, cancel: &AtomicBool) -> bool {
        let made = match inspected {
            None => {
                self.explained = None;
                self.simulation.try_step(cancel)
            }
            Some(inspected) => {
                let (made, explained) = inspected.step(&mut self.simulation, values, cancel);
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

    /// Repeats `due` steps and explains the last; returns true if they were made.
    pub(super) fn replay(&mut self, due: u64, inspected: &Inspected, cancel: &AtomicBool) -> bool {
        (1..due).all(|_| self.simulation.try_step(cancel)) && self.step(Some(inspected), true, cancel)
    }
}
