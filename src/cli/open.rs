//! `steerbox [SCENE]`: opens the window.

use std::process::ExitCode;

use anyhow::Context as _;

use super::args::OpenArgs;
use super::events::Events;
use super::interrupt::Interrupt;
use super::lines::Lines;
use super::{output, scene};
use crate::app;
use crate::reload::Place;
use crate::session::{Keep, Options, parse_settings};

pub(super) fn open(args: OpenArgs) -> anyhow::Result<ExitCode> {
    app::window::settle_input_method();
    let common = args.common;
    let execution = common.execution();
    let place = match &args.scene {
        None => Place::default_scene(),
        Some(argument) => scene::place_or_command(argument)?,
    };
    let events = args.events.as_deref();
    let [file] = output::open([("--events", events)], &place.files())?;
    let events = Lines::new(events, file).map(Events::new);
    let interrupt = Interrupt::listen().context("no thread to hear signals")?;
    let options = Options {
        place,
        settings: parse_settings(&common.set)?,
        events: events.as_ref().map(Events::warning_sink),
        seed: common.seed,
        execution,
        threads: common.threads.map(usize::from),
        keep: Keep { memory: args.history << 20, ..Keep::USUAL },
    };
    let given = args.scene;
    let scene = given.as_deref().map_or_else(|| "SCENE".into(), |scene| scene.display().to_string());
    let opened = app::open(options, args.scale, interrupt.asked());
    match opened.map_err(|error| scene::naming(error, given.as_deref())) {
        Err(error) if error.is::<app::window::WindowError>() => {
            return Err(error)
                .context(format!("there is no display; without one: `steerbox run {scene} --steps 1000`"));
        }
        opened => opened?,
    }
    if let Some(events) = events {
        events.check()?;
    }
    Ok(interrupt.status().unwrap_or(ExitCode::SUCCESS))
}
