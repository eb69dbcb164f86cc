//! `steerbox replay`: repeats a recorded run and compares its states with the recorded ones.

use std::process::ExitCode;

use steerbox_core::sim::Simulation;
use steerbox_project::session::{DigestCheck, ReplayDifference, StoredError};

use super::args::ReplayArgs;
use super::print::{err, out};
use super::results::Streamed;
use super::summary::Console;
use super::{interrupt, open, stored};

pub(super) fn replay(args: &ReplayArgs) -> anyhow::Result<ExitCode> {
    let file = stored::replay(&args.file)?;
    if !args.headless {
        return open::replay(args, file);
    }
    interrupt::listen()?;
    let named = |error: StoredError| anyhow::anyhow!("cannot repeat {}: {error}", args.file.display());
    let mut check = DigestCheck::new(&file.digests);
    let bar = Console { quiet: args.quiet, streamed: Streamed::Summary };
    let bar = bar.progress(file.last - file.start.steps());
    let how = (args.execution(), args.threads.map(usize::from));
    let end = file.repeat(how, interrupt::flag(), |simulation| {
        bar.inc(1);
        !check.check(simulation)
    });
    let end = end.map_err(named)?;
    bar.finish_and_clear();
    if let Some(status) = interrupt::status() {
        err(format!("interrupted after step {} of {}", end.world().steps, file.last));
        return Ok(status);
    }
    if let Some(difference) = &check.difference {
        out(message(difference, &end))?;
        return Ok(ExitCode::FAILURE);
    }
    if !args.quiet {
        let made = file.last - file.start.steps();
        let compared = if file.digests.is_empty() { "its end compared" } else { "each compared" };
        out(format!("{made} steps repeated, {compared} with the recording"))?;
    }
    out(format!("hash: {:016x}", end.hash()))?;
    if end.hash() != file.hash {
        out(format!("the recorded run ends with another state: {:016x}", file.hash))?;
        return Ok(ExitCode::FAILURE);
    }
    Ok(ExitCode::SUCCESS)
}

/// Describes a difference: second, step, unit and field.
fn message(difference: &ReplayDifference, end: &Simulation) -> String {
    let world = end.world();
    let second = world.seconds_after(difference.step);
    let first = format!("first difference: second {second:.2}, step {}", difference.step);
    let Some((step, unit, field)) = difference.unit else {
        return format!("{first}; no later digest names a unit");
    };
    let group = world.units.group.get(unit).and_then(|group| world.groups.get(usize::from(*group)));
    let unit = group.map_or_else(
        || format!("unit {unit}"),
        |group| format!("unit {} of {}", unit - group.units.start, group.name),
    );
    if step == difference.step {
        format!("{first}, {unit}, {field}")
    } else {
        format!("{first}; by step {step}: {unit}, {field}")
    }
}
