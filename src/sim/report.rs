//! Failures of behaviors: one report a behavior and cause, counted, not a flood.
//!
//! A cause is a place in a script and what went wrong there. Numbers in a message, such as the length of
//! the list that was too short, do not make it another cause: the first message stands for all.

use super::failure::{Failure, UnitFailure};
use super::group_behaviors::GroupBehaviors;
use super::suspension::SuspendReason;

/// Most causes that are kept; further ones are not reported until some are forgotten.
const MOST: usize = 200;

/// A cause of failure and how often it happened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    /// Group of the unit it happened to first.
    pub group: usize,
    /// The script, or empty where it is no behavior.
    pub script: String,
    /// The unit it happened to first.
    pub unit: usize,
    /// The cause, as it happened first: later messages may name other numbers.
    pub failure: Failure,
    /// How many times it happened, over units and steps.
    pub count: u64,
    /// The step in which it happened first, counted from 1.
    pub first_step: u64,
    /// The step in which it happened last.
    pub last_step: u64,
    /// Why the behavior is suspended since then, if it is.
    pub suspended: Option<SuspendReason>,
}

/// All reports, in the order in which they happened first.
#[derive(Clone, Debug, Default)]
pub struct Reports(Vec<Report>);

impl Reports {
    /// Every report.
    pub fn all(&self) -> &[Report] {
        &self.0
    }

    /// Counts a failure.
    pub(super) fn add(&mut self, group: usize, script: &str, unit: usize, failure: Failure, step: u64) {
        let known = self.0.iter_mut().find(|report| {
            (report.group, &*report.script) == (group, script) && report.failure.has_cause_of(&failure)
        });
        if let Some(report) = known {
            report.count += 1;
            report.last_step = step;
        } else if self.0.len() < MOST {
            self.0.push(Report {
                group,
                script: script.to_owned(),
                unit,
                failure,
                count: 1,
                first_step: step,
                last_step: step,
                suspended: None,
            });
        }
    }

    /// Adds the failures of a group's last decisions, and suspends behaviors that are exhausted or do
    /// nothing but fail.
    pub(super) fn end_step(
        &mut self,
        group: usize,
        behaviors: &mut GroupBehaviors,
        failures: Vec<UnitFailure>,
        step: u64,
    ) {
        let counts = self.add_all(group, behaviors, failures, step);
        let units = behaviors.buffers.units.len();
        for (slot, failures) in behaviors.slots.iter_mut().zip(counts) {
            if slot.active().is_some() || failures > 0 {
                let suspended = slot.suspension.end_step(failures, units);
                self.suspend(group, &slot.script, step, suspended);
            }
        }
    }

    /// Adds failures of a group's behaviors; how many each has.
    pub(super) fn add_all(
        &mut self,
        group: usize,
        behaviors: &mut GroupBehaviors,
        failures: Vec<UnitFailure>,
        step: u64,
    ) -> Vec<usize> {
        let mut counts = vec![0; behaviors.slots.len()];
        for it in failures {
            let slot = &mut behaviors.slots[it.slot];
            counts[it.slot] += 1;
            slot.suspension.record_failure(&it.failure);
            self.add(group, &slot.script, it.unit, it.failure, step);
        }
        counts
    }

    /// Sets in the reports of a step why the behavior is suspended, if it is.
    fn suspend(&mut self, group: usize, script: &str, step: u64, reason: Option<SuspendReason>) {
        let of_step = (self.0.iter_mut())
            .filter(|report| (report.group, report.last_step) == (group, step) && report.script == script);
        if reason.is_some() {
            of_step.for_each(|report| report.suspended = reason);
        }
    }

    /// Drops the reports about a script.
    pub(super) fn forget(&mut self, script: &str) {
        self.0.retain(|report| report.script != script);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cause_is_told_once_whatever_numbers_it_names() {
        let mut reports = Reports::default();
        for (unit, (line, message)) in [
            (5, "there is no [5] in a list of 2"),
            (5, "there is no [5] in a list of 3"),
            (6, "there is no [5] in a list of 3"),
            (5, "`x` is not a property of nothing"),
            (5, "there is no [9] in a list of 1"),
        ]
        .into_iter()
        .enumerate()
        {
            let failure = Failure { line, ..Failure::new(message) };
            reports.add(0, "a", unit, failure, 7);
        }
        let told: Vec<_> = (reports.all().iter())
            .map(|report| (report.failure.line, &*report.failure.message, report.count))
            .collect();
        let first = "there is no [5] in a list of 2";
        let other = "there is no [5] in a list of 3";
        let nothing = "`x` is not a property of nothing";
        assert_eq!(told, [(5, first, 3), (6, other, 1), (5, nothing, 1)]);
        assert_eq!(reports.all()[0].unit, 0);
    }
}
