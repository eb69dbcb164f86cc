//! Report of failures at the end of a run.

use steerbox_core::sim::{Report, Simulation};
use steerbox_project::reload::{Generation, Status};

use super::print::{err, faults};

/// Prints invalid files, failed behaviors and failed measures; returns true if there were any.
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
    let group = |report: &Report| {
        let group = generation.scene.groups.get(report.group);
        group.map_or("", |group| group.common.name.as_str())
    };
    for report in simulation.reports() {
        let of = format!("unit {} of {}", report.unit, group(report));
        print_report(generation, report, &of);
        failed = true;
    }
    for full in simulation.full_groups() {
        if let Some(message) = full.message(&simulation.world().groups) {
            err(format!("note: {message}"));
        }
    }
    for report in simulation.measures().reports() {
        print_report(generation, &report, group(&report));
        failed = true;
    }
    failed
}

/// Prints a failure with its count; `of` is the unit or group that was first.
fn print_report(generation: &Generation, report: &Report, of: &str) {
    faults(&[generation.fault(report)]);
    let (step, last) = (report.first_step, report.last_step);
    let times = match report.count {
        1 => "once".to_owned(),
        count => format!("{count} times"),
    };
    let suspended = report
        .suspended
        .map_or(String::new(), |why| format!("; suspended since step {last}: {}", why.reason()));
    err(format!("  {times}, first for {of} in step {step}{suspended}"));
}
