//! Report of failures at the end of a run.

use super::print::{err, faults};
use crate::reload::{Generation, Status};
use crate::sim::Simulation;

/// Prints invalid files and failed behaviors; returns true if there were any.
pub(super) fn print(generation: &Generation, simulation: &Simulation) -> bool {
    let mut failed = false;
    for file in generation.files.iter().filter(|file| file.used) {
        match &file.status {
            Status::Rejected(found) => {
                faults(found);
                failed = true;
            }
            Status::Missing => {
                err(format!("{} is missing", file.path));
                failed = true;
            }
            Status::Live => {}
        }
    }
    for report in simulation.reports() {
        faults(&[generation.fault(report)]);
        let group = generation.scene.groups.get(report.group);
        let group = group.map_or("", |group| group.common.name.as_str());
        let (unit, step, last) = (report.unit, report.first_step, report.last_step);
        let times = match report.count {
            1 => "once".to_owned(),
            count => format!("{count} times"),
        };
        let suspended = report
            .suspended
            .map_or(String::new(), |why| format!("; suspended since step {last}: {}", why.reason()));
        err(format!("  {times}, first for unit {unit} of {group} in step {step}{suspended}"));
        failed = true;
    }
    failed
}
