//! Failures of behaviors: one report a behavior and cause, counted, not a flood.

use super::Failure;
use super::behavior::Fault;
use super::crew::Crew;

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
    /// The cause.
    pub failure: Failure,
    /// How many times it struck, over units and steps.
    pub count: u64,
    /// The step in which it struck first, counted from 1.
    pub first_step: u64,
    /// The step in which it struck last.
    pub last_step: u64,
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
            report.group == group && report.script == script && report.failure == failure
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
            });
        }
    }

    /// Takes over the failures of a group's last decisions, and puts exhausted behaviors to rest.
    pub(super) fn collect(
        &mut self,
        group: usize,
        crew: &mut Crew,
        failures: Vec<Fault>,
        step: u64,
    ) {
        for (unit, place, failure) in failures {
            let slot = &mut crew.slots[place];
            slot.resting |= failure.exhausted;
            self.add(group, &slot.script, unit, failure, step);
        }
    }

    /// Drops the reports about a script.
    pub(super) fn forget(&mut self, script: &str) {
        self.0.retain(|report| report.script != script);
    }
}
