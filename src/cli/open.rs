//! `steerbox [SCENE]`: opens the window.

use std::path::Path;
use std::process::ExitCode;

use anyhow::Context as _;

use super::args::OpenArgs;
use super::events::Events;
use super::interrupt::Interrupt;
use super::lines::Lines;
use super::{output, scene, set};
use crate::app::{self, Options};
use crate::reload::{LoadError, Place};

pub(super) fn open(args: OpenArgs) -> anyhow::Result<ExitCode> {
    app::window::settle_input_method();
    let common = args.common;
    let execution = common.execution();
    let place = match &args.scene {
        None => Place::default_scene(),
        Some(argument) => scene::place_or_command(argument)?,
    };
    let events = common.events.as_deref();
    let [file] = output::open([("--events", events)], &place.files())?;
    let events = Lines::new(events, file).map(Events::new);
    let interrupt = Interrupt::listen().context("no thread to hear signals")?;
    let options = Options {
        place,
        tuned: set::parse_all(&common.set)?,
        check: set::check,
        events: events.as_ref().map(Events::sink),
        seed: common.seed,
        execution,
        threads: common.threads.map(usize::from),
        scale: args.scale,
    };
    let given = args.scene;
    let scene = given
        .as_deref()
        .map_or_else(|| "SCENE".into(), |scene| scene.display().to_string());
    let opened = app::open(options, interrupt.asked());
    match opened.map_err(|error| naming(error, given.as_deref())) {
        Err(error) if error.is::<app::window::WindowError>() => {
            return Err(error).context(format!(
                "there is no display; without one: `steerbox run {scene} --steps 1000`"
            ));
        }
        opened => opened?,
    }
    if let Some(events) = events {
        events.check()?;
    }
    Ok(interrupt.status().unwrap_or(ExitCode::SUCCESS))
}

/// Names the scene in its faults as it was given.
fn naming(error: anyhow::Error, given: Option<&Path>) -> anyhow::Error {
    match (error.downcast::<LoadError>(), given) {
        (Ok(error), Some(given)) => error.naming(given).into(),
        (Ok(error), None) => error.into(),
        (Err(error), _) => error,
    }
}
