//! Ends of suspensions, and the reports that end with them.

use std::sync::Arc;

use super::group_measure::Measures;
use super::simulation::Simulation;
use super::suspension::SuspensionState;

impl Simulation {
    /// Returns true if a behavior is suspended.
    pub fn has_suspended(&self) -> bool {
        self.behaviors.iter().flat_map(|group| &group.slots).any(|slot| slot.suspended().is_some())
    }

    /// Resumes every suspended behavior from the next step on, and removes its reports. Measures that exceeded their work
    /// limit are computed again.
    pub fn resume(&mut self) {
        if self.measures.reports().iter().any(|report| report.failure.exhausted) {
            self.measures = Arc::new(Measures::new(self.measures.all().to_vec()));
        }
        self.drop_next();
        let slots = self.behaviors.iter_mut().flat_map(|group| &mut group.slots);
        for slot in slots.filter(|slot| slot.suspended().is_some()) {
            slot.suspension = SuspensionState::default();
        }
        self.forget_resumed();
    }

    /// Removes the reports of suspensions that have ended: later failures are reported again.
    pub(super) fn forget_resumed(&mut self) {
        let behaviors = &self.behaviors;
        self.reports.retain(|report| {
            let group = behaviors.get(report.group);
            let mut slots = group.into_iter().flat_map(|group| &group.slots);
            report.suspended.is_none()
                || slots.any(|slot| slot.script == report.script && slot.suspended().is_some())
        });
    }

    /// Removes the reports of a behavior that was replaced or fixed.
    pub fn forget_reports(&mut self, script: &str) {
        self.reports.retain(|report| report.script != script);
    }
}
