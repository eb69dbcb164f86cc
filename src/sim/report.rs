//! Failures of behaviors: one report a behavior and cause, counted, not a flood.

use super::crew::Crew;
use super::decide::Fault;
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
    /// The cause.
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
                rests: None,
            });
        }
    }

    /// Takes over the failures of a group's last decisions, and puts to rest behaviors that are exhausted or
    /// do nothing but fail.
    pub(super) fn collect(
        &mut self,
        group: usize,
        crew: &mut Crew,
        failures: Vec<Fault>,
        step: u64,
    ) {
        let mut counts = vec![0; crew.slots.len()];
        for (unit, place, failure) in failures {
            let slot = &mut crew.slots[place];
            counts[place] += 1;
            slot.fatigue.suffer(&failure);
            self.add(group, &slot.script, unit, failure, step);
        }
        let units = crew.rows.units.len();
        for (slot, failures) in crew.slots.iter_mut().zip(counts) {
            if slot.active().is_some() || failures > 0 {
                let rests = slot.fatigue.count(failures, units);
                self.rest(group, &slot.script, step, rests);
            }
        }
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
