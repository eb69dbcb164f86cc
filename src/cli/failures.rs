//! Report of failures at the end of a run.

use steerbox_core::sim::Simulation;
use steerbox_project::reload::Generation;
use steerbox_project::session::Failed;

use super::print::{err, faults};

/// Prints invalid files, and all failures of behaviors and measures since the start; returns true if there were any.
pub(super) fn print(generation: &Generation, simulation: &Simulation, failures: &[Failed]) -> bool {
    let invalid = generation.faults_of_files();
    faults(&invalid);
    failures.iter().for_each(print_failure);
    for full in simulation.full_groups() {
        if let Some(message) = full.message(&simulation.world().groups) {
            err(format!("note: {message}"));
        }
    }
    !invalid.is_empty() || !failures.is_empty()
}

/// Prints a failure with its count, and the unit or group that was first.
fn print_failure(Failed { report, fault, group, ended, is_measure }: &Failed) {
    faults(std::slice::from_ref(fault));
    let of = if *is_measure { group.clone() } else { format!("unit {} of {group}", report.unit) };
    let (step, last) = (report.first_step, report.last_step);
    let times = match report.count {
        1 => "once".to_owned(),
        count => format!("{count} times"),
    };
    let suspended = report
        .suspended
        .map_or(String::new(), |why| format!("; suspended since step {last}: {}", why.reason()));
    let ended = ended.map_or(String::new(), |step| format!("; ended by a reload after step {step}"));
    err(format!("  {times}, first for {of} in step {step}{suspended}{ended}"));
}
