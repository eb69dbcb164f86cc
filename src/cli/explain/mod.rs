//! `steerbox explain`: explains the motion of a unit in one step.

mod json;
mod lines;
mod text;

use std::process::ExitCode;
use std::sync::atomic::AtomicBool;

use anyhow::bail;
use steerbox_core::world::World;
use steerbox_project::session::{Explained, Session};

use super::args::{ExplainArgs, Format};
use super::{print, scene};

pub(super) fn explain(args: &ExplainArgs) -> anyhow::Result<ExitCode> {
    let mut session = open(args)?;
    let explained = step(&mut session, args)?;
    match args.format {
        Format::Json => {
            print::json(&json::Object::new(&explained, &session.simulation.world().arena))?;
        }
        Format::Text => {
            print::faults(&session.generation.warnings);
            print::page(&text::page(&explained, &session, print::has_color()))?;
        }
    }
    let invalid = session.generation.faults_of_files();
    print::faults(&invalid);
    Ok(if invalid.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn open(args: &ExplainArgs) -> anyhow::Result<Session> {
    let session = scene::open(&args.scene, &args.common, |_| ())?;
    let world = session.simulation.world();
    if args.step <= world.steps {
        bail!(
            "--step {}: the state is that after step {}, so only later steps can be explained",
            args.step,
            world.steps
        );
    }
    Ok(session)
}

/// Makes all steps and explains the last one.
fn step(session: &mut Session, args: &ExplainArgs) -> anyhow::Result<Explained> {
    let cancel = AtomicBool::new(false);
    while session.simulation.world().steps + 1 < args.step {
        session.simulation.step(&cancel);
    }
    let world = session.simulation.world();
    if args.unit >= world.units.len() {
        bail!("--unit {}: the scene has no such unit before step {}: {}", args.unit, args.step, units(world));
    }
    session.inspect(Some(args.unit), true);
    session.simulation.step(&cancel);
    let explained = session.simulation.explained();
    let Some(explained) = explained else { bail!("the step was not made") };
    Ok(Explained::clone(explained))
}

/// The indices of the units of each group.
fn units(world: &World) -> String {
    let groups = world.groups.iter().filter(|group| !group.units.is_empty());
    let groups: Vec<_> = groups
        .map(|group| format!("{} {} to {}", group.name, group.units.start, group.units.end - 1))
        .collect();
    if groups.is_empty() { "it has none".to_owned() } else { groups.join(", ") }
}
