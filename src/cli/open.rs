//! `steerbox [SCENE]`: opens the window.

use std::path::Path;
use std::process::ExitCode;

use anyhow::{anyhow, bail};
use steerbox_project::reload::Place;
use steerbox_project::session::{Keep, Moment, Options, ReplayFile, Session, Start};

use super::args::{OpenArgs, ReplayArgs};
use super::events::Events;
use super::lines::{Lines, is_standard_output};
use super::print::failed;
use super::startup::standard_output;
use super::usage::require;
use super::{interrupt, output, scene, stored, table, window};

pub(super) fn open(args: OpenArgs) -> anyhow::Result<ExitCode> {
    if args.events.as_deref().is_some_and(is_standard_output) {
        // The next call may restart the program, with `/dev/null` in place of a closed output.
        standard_output().map_err(failed)?;
    }
    window::settle_input_method();
    let common = args.common;
    let results = args.scene.as_deref().map(table::results).transpose();
    // The run of a row opens also if the rest of the table is damaged.
    let results = if args.row.is_some() { results.ok().flatten().flatten() } else { results?.flatten() };
    let mut options = match &args.scene {
        Some(argument) if results.is_some() && args.row.is_none() => table::row(argument, 1)?,
        None => Options::new(Place::default_scene()),
        Some(argument) => {
            let moment = if args.row.is_none() { stored::opened(argument, args.rules)? } else { None };
            if let Some(options) = moment {
                options
            } else {
                require(args.rules.is_none(), || {
                    format!("--rules: {} is neither a state nor a picture of steerbox", argument.display())
                })?;
                scene::options(argument, args.row, scene::place_or_command)?
            }
        }
    };
    interrupt::listen()?;
    if let Some(step) = args.step.filter(|step| *step > 0) {
        options = at_step(options, step)?;
    }
    let events = args.events.as_deref();
    let mut inputs = options.place.files();
    inputs.extend(args.scene.clone());
    let [stream] = output::open([("--events", events)], &inputs)?;
    let events = Lines::new(events, stream)?.map(Events::new);
    common.apply_to(&mut options)?;
    options.events = events.as_ref().map(Events::warning_sink);
    options.keep = Keep { memory: args.history << 20, ..Keep::USUAL };
    show((options, results), args.scale, args.scene.as_deref())?;
    if let Some(events) = events {
        events.check()?;
    }
    Ok(interrupt::status().unwrap_or(ExitCode::SUCCESS))
}

/// Makes the steps up to a step, and returns the options of that moment.
fn at_step(options: Options, step: u64) -> anyhow::Result<Options> {
    let seed = options.seed;
    let mut session: Session = Session::open(options)?;
    for _ in 0..step {
        if !session.simulation.step(interrupt::flag()) {
            break;
        }
    }
    let moment = Moment::of(&session.generation, &session.simulation, seed);
    Ok(Options::at(moment.map_err(|fault| anyhow!("{}", fault.summary()))?))
}

/// Opens the window with a replay.
pub(super) fn replay(args: &ReplayArgs, file: ReplayFile) -> anyhow::Result<ExitCode> {
    window::settle_input_method();
    interrupt::listen()?;
    let threads = args.threads.map(usize::from);
    let options =
        Options { keep: Keep::USUAL, threads, execution: args.execution(), ..Options::of_replay(file) };
    show((options, None), None, Some(&args.file))?;
    Ok(interrupt::status().unwrap_or(ExitCode::SUCCESS))
}

/// Opens the window and runs until it is closed. `given` is the argument.
fn show(
    (options, results): (Options, Option<window::Results>),
    scale: Option<f32>,
    given: Option<&Path>,
) -> anyhow::Result<()> {
    let is_replay = matches!(options.start, Start::Replay(_));
    let scene = options.place.scene_name();
    let opened = window::open(options, results, scale, interrupt::flag());
    match opened.map_err(|error| scene::naming(error, given)) {
        Err(error) if error.is::<window::WindowError>() => {
            let known = scene.trim_end_matches(".ron").to_owned();
            let scene = given.map_or(known, |given| given.display().to_string());
            let command = if is_replay {
                format!("replay {scene} --headless` repeats it")
            } else {
                format!("run {scene} --steps 1000` runs the scene")
            };
            bail!("{error}; `steerbox {command} without a window");
        }
        opened => opened,
    }
}
