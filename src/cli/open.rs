//! `steerbox [SCENE]`: opens the window.

use std::process::ExitCode;

use anyhow::bail;

use super::args::OpenArgs;
use super::events::Events;
use super::lines::{Lines, is_standard_output};
use super::print::failed;
use super::startup::standard_output;
use super::{interrupt, output, scene};
use crate::app;
use crate::reload::Place;
use crate::session::{Keep, Options};

pub(super) fn open(args: OpenArgs) -> anyhow::Result<ExitCode> {
    if args.events.as_deref().is_some_and(is_standard_output) {
        // The next call may restart the program, with `/dev/null` in place of a closed output.
        standard_output().map_err(failed)?;
    }
    app::window::settle_input_method();
    let common = args.common;
    let execution = common.execution();
    let place = match &args.scene {
        None => Place::default_scene(),
        Some(argument) => scene::place_or_command(argument)?,
    };
    interrupt::listen()?;
    let events = args.events.as_deref();
    let [stream] = output::open([("--events", events)], &place.files())?;
    let events = Lines::new(events, stream)?.map(Events::new);
    let options = Options {
        place,
        settings: common.set,
        events: events.as_ref().map(Events::warning_sink),
        seed: common.seed,
        execution,
        threads: common.threads.map(usize::from),
        keep: Keep { memory: args.history << 20, ..Keep::USUAL },
    };
    let scene = options.place.scene_name();
    let opened = app::open(options, args.scale, interrupt::flag());
    match opened.map_err(|error| scene::naming(error, args.scene.as_deref())) {
        Err(error) if error.is::<app::window::WindowError>() => {
            let known = scene.trim_end_matches(".ron").to_owned();
            let scene = args.scene.map_or(known, |given| given.display().to_string());
            bail!("{error}; `steerbox run {scene} --steps 1000` runs the scene without a window");
        }
        opened => opened?,
    }
    if let Some(events) = events {
        events.check()?;
    }
    Ok(interrupt::status().unwrap_or(ExitCode::SUCCESS))
}
