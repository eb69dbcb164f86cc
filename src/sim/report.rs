//! Failures of behaviors: one report a behavior and cause, counted, not a flood.
//!
//! A cause is a place in a script and what went wrong there. Numbers in a message, such as the length of
//! the list that was too short, do not make it another cause: the first message stands for all.

use super::behavior::Fault;
use super::group_behaviors::GroupBehaviors;
use super::{Failure, Rest};

/// Most causes that are kept; further ones are not reported until some are forgotten.
const MOST: usize = 200;

/// A cause of failure and how often it struck.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    /// Group of the unit it struck first.
    pub group: usize,
    /// The script, or empty when no behavior is to blame.
    pub script: String,
    /// The unit it struck first.
    pub unit: usize,
    /// The cause, as it struck first: later strikes may name other numbers.
    pub failure: Failure,
    /// How many times it struck, over units and steps.
    pub count: u64,
    /// The step in which it struck first, counted from 1.
    pub first_step: u64,
    /// The step in which it struck last.
    pub last_step: u64,
    /// Why the behavior rests since then, if it does.
    pub rests: Option<Rest>,
}

/// All reports, in the order of their first strike.
#[derive(Clone, Debug, Default)]
pub struct Reports(Vec<Report>);

impl Reports {
    /// Every report.
    pub fn all(&self) -> &[Report] {
        &self.0
    }

    /// Counts a failure.
    pub(super) fn add(
        &mut self,
        group: usize,
        script: &str,
        unit: usize,
        failure: Failure,
        step: u64,
    ) {
        let known = self.0.iter_mut().find(|report| {
            report.group == group
                && report.script == script
                && report.failure.has_cause_of(&failure)
        });
        if let Some(report) = known {
            report.count += 1;
            report.last_step = step;
        } else if self.0.len() < MOST {
            let script = script.to_owned();
            let (first_step, last_step) = (step, step);
            self.0.push(Report {
                group,
                script,
                unit,
                failure,
                count: 1,
                first_step,
                last_step,
                rests: None,
            });
        }
    }

    /// Takes over the failures of a group's last decisions, and puts to rest behaviors that are exhausted or
    /// do nothing but fail.
    pub(super) fn collect(
        &mut self,
        group: usize,
        group_behaviors: &mut GroupBehaviors,
        failures: Vec<Fault>,
        step: u64,
    ) {
        let counts = self.note(group, group_behaviors, failures, step);
        let units = group_behaviors.rows.units.len();
        for (slot, failures) in group_behaviors.slots.iter_mut().zip(counts) {
            if slot.active().is_some() || failures > 0 {
                let rests = slot.suspension.count(failures, units);
                self.rest(group, &slot.script, step, rests);
            }
        }
    }

    /// Takes over failures of a group's behaviors; how many each has.
    pub(super) fn note(
        &mut self,
        group: usize,
        group_behaviors: &mut GroupBehaviors,
        failures: Vec<Fault>,
        step: u64,
    ) -> Vec<usize> {
        let mut counts = vec![0; group_behaviors.slots.len()];
        for (unit, place, failure) in failures {
            let slot = &mut group_behaviors.slots[place];
            counts[place] += 1;
            slot.suspension.record_failure(&failure);
            self.add(group, &slot.script, unit, failure, step);
        }
        counts
    }

    /// Tells in the reports of a step why the behavior rests since then, if it does.
    fn rest(&mut self, group: usize, script: &str, step: u64, rests: Option<Rest>) {
        if rests.is_some() {
            let struck = (self.0.iter_mut()).filter(|report| {
                (report.group, report.last_step) == (group, step) && report.script == script
            });
            struck.for_each(|report| report.rests = rests);
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

    fn failure(line: usize, message: &str) -> Failure {
        Failure {
            line,
            column: 3,
            message: message.to_owned(),
            help: None,
            file: None,
            exhausted: false,
        }
    }

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
            reports.add(0, "a", unit, failure(line, message), 7);
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
