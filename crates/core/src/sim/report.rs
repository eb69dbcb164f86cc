//! Failure reports of behaviors: one report per behavior and cause, with a count.
//!
//! A cause is a position in a script and a message. Numbers in a message, such as the length of a list that is too
//! short, do not distinguish causes: the first message represents all.

use super::failure::{Failure, UnitFailure};
use super::group_behaviors::GroupBehaviors;
use super::suspension::SuspendReason;
use crate::world::Group;

/// Maximum number of causes; further ones are not reported until some are removed.
const MAX_CAUSES: usize = 200;

/// A cause of failure and its count.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    /// Group of the first unit that failed.
    pub group: usize,
    /// The script, or empty for failures outside behaviors.
    pub script: String,
    /// The first unit that failed.
    pub unit: usize,
    /// The first failure; later messages may contain other numbers.
    pub failure: Failure,
    /// Number of failures, over units and steps.
    pub count: u64,
    /// The first step, counted from 1.
    pub first_step: u64,
    /// The last step.
    pub last_step: u64,
    /// The reason of the behavior's suspension since then, if any.
    pub suspended: Option<SuspendReason>,
}

/// A group in which a birth was dropped, because it had the maximum number of units.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FullGroup {
    /// The group.
    pub group: usize,
    /// The first such step, counted from 1.
    pub step: u64,
}

impl FullGroup {
    /// Returns a message for the user; `groups` are those of the world.
    pub fn message(self, groups: &[Group]) -> Option<String> {
        let Group { name, most, .. } = groups.get(self.group)?;
        let (most, step) = ((*most)?, self.step);
        Some(format!("{name} has {most} units, its `most`: births are dropped from step {step} on"))
    }
}

/// All reports, in the order of their first occurrence.
#[derive(Clone, Debug, Default)]
pub struct Reports {
    failures: Vec<Report>,
    full: Vec<FullGroup>,
}

impl Reports {
    /// Every failure.
    pub fn all(&self) -> &[Report] {
        &self.failures
    }

    /// The groups in which births were dropped.
    pub fn full(&self) -> &[FullGroup] {
        &self.full
    }

    /// Adds a group in which a birth was dropped, once.
    pub(super) fn add_full(&mut self, group: usize, step: u64) {
        if self.full.iter().all(|full| full.group != group) {
            self.full.push(FullGroup { group, step });
        }
    }

    /// Counts a failure.
    pub(super) fn add(&mut self, group: usize, script: &str, unit: usize, failure: Failure, step: u64) {
        let known = self.failures.iter_mut().find(|report| {
            (report.group, &*report.script) == (group, script) && report.failure.has_cause_of(&failure)
        });
        if let Some(report) = known {
            report.count += 1;
            report.last_step = step;
        } else if self.failures.len() < MAX_CAUSES {
            self.failures.push(Report {
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

    /// Adds the failures of a group's last decisions, and suspends behaviors that exceeded a work limit or always fail.
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

    /// Adds the failures of handlers of events after a step, and suspends behaviors that exceeded a work limit.
    pub(super) fn add_of_events(
        &mut self,
        group: usize,
        behaviors: &mut GroupBehaviors,
        failures: Vec<UnitFailure>,
        step: u64,
    ) {
        let counts = self.add_all(group, behaviors, failures, step);
        for (slot, _) in behaviors.slots.iter().zip(counts).filter(|(_, failures)| *failures > 0) {
            self.suspend(group, &slot.script, step, slot.suspended());
        }
    }

    /// Adds failures of a group's behaviors; returns the number for each behavior.
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

    /// Stores the reason of a suspension in the reports of a step.
    fn suspend(&mut self, group: usize, script: &str, step: u64, reason: Option<SuspendReason>) {
        let of_step = (self.failures.iter_mut())
            .filter(|report| (report.group, report.last_step) == (group, step) && report.script == script);
        if reason.is_some() {
            of_step.for_each(|report| report.suspended = reason);
        }
    }

    /// Drops the reports for which `is_kept` returns false.
    pub(super) fn retain(&mut self, is_kept: impl FnMut(&Report) -> bool) {
        self.failures.retain(is_kept);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_that_differ_in_numbers_are_one_cause() {
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
        let reported: Vec<_> = (reports.all().iter())
            .map(|report| (report.failure.line, &*report.failure.message, report.count))
            .collect();
        let first = "there is no [5] in a list of 2";
        let other = "there is no [5] in a list of 3";
        let nothing = "`x` is not a property of nothing";
        assert_eq!(reported, [(5, first, 3), (6, other, 1), (5, nothing, 1)]);
        assert_eq!(reports.all()[0].unit, 0);
    }
}
