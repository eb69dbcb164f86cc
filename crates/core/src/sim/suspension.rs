//! Suspension of behaviors that exceeded a work limit or always fail.

use serde::{Deserialize, Serialize};

use super::failure::Failure;

/// Number of consecutive steps in which a behavior fails for every unit of its group before it is suspended: one second
/// in most scenes. Counted in steps, so that it is deterministic.
pub const MAX_FAILING_STEPS: u32 = 60;

/// The reason of a suspension. It ends with the next save of any file, since the cause may be in a scene, an import or a
/// table, and when a parameter is tuned.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum SuspendReason {
    /// It exceeded a work limit: every further call would cost the whole limit again.
    Exhausted,
    /// It failed for every unit of its group in [`MAX_FAILING_STEPS`] consecutive steps.
    Failing,
}

impl SuspendReason {
    /// The reason as text for users.
    pub fn reason(self) -> String {
        match self {
            Self::Exhausted => "it exceeded the work limit".to_owned(),
            Self::Failing => format!("it failed for every unit in {MAX_FAILING_STEPS} consecutive steps"),
        }
    }
}

/// The failure state of a behavior in its group.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SuspensionState {
    /// Number of consecutive steps in which it failed for every unit.
    failing: u32,
    pub(super) reason: Option<SuspendReason>,
}

impl SuspensionState {
    /// Records one failure.
    pub(super) fn record_failure(&mut self, failure: &Failure) {
        if failure.exhausted {
            self.reason = Some(SuspendReason::Exhausted);
        }
    }

    /// Records a step in which `failures` of `units` calls failed; returns the reason if it is suspended now.
    pub(super) fn end_step(&mut self, failures: usize, units: usize) -> Option<SuspendReason> {
        let all = units > 0 && failures >= units;
        self.failing = if all { self.failing + 1 } else { 0 };
        if self.failing >= MAX_FAILING_STEPS {
            self.reason = self.reason.or(Some(SuspendReason::Failing));
        }
        self.reason
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use glam::Vec3;

    use super::*;
    use crate::sim::{Behavior, Contribution, Simulation, Slot, UnitContext};
    use crate::world::testing;

    /// Fails for every unit from `first` on, except in the steps `spared`.
    struct Failing {
        first: usize,
        spared: Vec<u64>,
    }

    impl Behavior for Failing {
        fn decide(&self, context: &mut UnitContext, _: &mut [u32]) -> Result<Contribution, Failure> {
            let steps = context.world().steps;
            if context.unit() < self.first || self.spared.contains(&steps) {
                return Ok(Contribution::None);
            }
            Err(Failure::new("as always"))
        }
    }

    fn slots(first: usize, spared: &[u64]) -> Vec<Vec<Slot>> {
        let spared = spared.to_vec();
        let behavior: Arc<dyn Behavior> = Arc::new(Failing { first, spared });
        vec![vec![Slot::new("failing", 1, Some(behavior))]]
    }

    fn simulation(slots: Vec<Vec<Slot>>) -> Simulation {
        let world = testing::world(&[3], 1.0, |unit, _| (Vec3::X * unit as f32, Vec3::ZERO));
        Simulation::new(world, slots)
    }

    fn run(simulation: &mut Simulation, steps: u32) -> Option<SuspendReason> {
        (0..steps).for_each(|_| simulation.step());
        simulation.slots(0)[0].suspended()
    }

    #[test]
    fn a_behavior_that_fails_for_all_units_is_suspended_after_some_steps() {
        let mut simulation = simulation(slots(0, &[]));
        assert_eq!(run(&mut simulation, MAX_FAILING_STEPS - 1), None);
        assert_eq!(run(&mut simulation, 1), Some(SuspendReason::Failing));
        let report = simulation.reports()[0].clone();
        assert_eq!(report.suspended, Some(SuspendReason::Failing));
        assert_eq!(report.last_step, u64::from(MAX_FAILING_STEPS));
        run(&mut simulation, 5);
        assert_eq!(simulation.reports(), [report]);
    }

    #[test]
    fn one_successful_unit_or_step_resets_the_count() {
        let mut for_one = simulation(slots(1, &[]));
        assert_eq!(run(&mut for_one, 3 * MAX_FAILING_STEPS), None);
        let mut now_and_then = simulation(slots(0, &[30, 80, 139]));
        assert_eq!(run(&mut now_and_then, 139), None);
        assert_eq!(run(&mut now_and_then, MAX_FAILING_STEPS), None);
        assert_eq!(run(&mut now_and_then, 1), Some(SuspendReason::Failing));
    }

    #[test]
    fn it_resumes_only_if_it_is_replaced_enabled_again_or_resumed() {
        let same = slots(0, &[]);
        let mut simulation = simulation(same.clone());
        run(&mut simulation, MAX_FAILING_STEPS);
        simulation.replace_behaviors(same.clone());
        assert_eq!(run(&mut simulation, 1), Some(SuspendReason::Failing));
        simulation.tune(0, 0, 1.0, true);
        assert_eq!(run(&mut simulation, 1), Some(SuspendReason::Failing));
        simulation.tune(0, 0, 1.0, false);
        simulation.tune(0, 0, 1.0, true);
        assert_eq!(run(&mut simulation, 1), None);
        run(&mut simulation, MAX_FAILING_STEPS);
        simulation.replace_behaviors(slots(0, &[]));
        assert_eq!(run(&mut simulation, 1), None);
        run(&mut simulation, MAX_FAILING_STEPS);
        simulation.resume();
        assert_eq!((simulation.has_suspended(), simulation.reports()), (false, &[][..]));
        assert_eq!(run(&mut simulation, 1), None);
        assert_eq!(simulation.reports()[0].count, 3, "its failures are reported again");
    }

    #[test]
    fn after_a_restore_it_is_suspended_in_the_same_step() {
        let mut simulation = simulation(slots(0, &[]));
        run(&mut simulation, MAX_FAILING_STEPS - 2);
        let before = simulation.snapshot();
        run(&mut simulation, 2);
        let suspended = simulation.snapshot();
        simulation.restore(&before);
        assert_eq!(run(&mut simulation, 1), None);
        assert_eq!(run(&mut simulation, 1), Some(SuspendReason::Failing));
        simulation.restore(&before);
        simulation.restore(&suspended);
        assert_eq!(run(&mut simulation, 0), Some(SuspendReason::Failing));
    }
}
