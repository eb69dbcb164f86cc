//! `steerbox [SCENE]`: opens the window.

use std::path::Path;
use std::process::ExitCode;

use anyhow::Context as _;

use super::args::OpenArgs;
use super::{events, output, set};
use crate::app::{self, Options};
use crate::reload::{LoadError, Place};

pub(super) fn open(args: OpenArgs) -> anyhow::Result<ExitCode> {
    app::window::settle_input_method();
    let common = args.common;
    let execution = common.execution();
    let place = args
        .scene
        .as_deref()
        .map_or_else(Place::default_scene, Place::of_scene);
    let events = common.events.as_deref();
    let [file] = output::open([("--events", events)], &place.files())?;
    let options = Options {
        place,
        tuned: common
            .set
            .iter()
            .map(|text| set::parse(text))
            .collect::<Result<_, _>>()?,
        check: set::check,
        events: events::sink(events, file),
        seed: common.seed,
        execution,
        threads: common.threads.map(usize::from),
        scale: args.scale,
    };
    let given = args.scene;
    let scene = given
        .as_deref()
        .map_or_else(|| "SCENE".into(), |scene| scene.display().to_string());
    match app::open(options).map_err(|error| naming(error, given.as_deref())) {
        Err(error) if error.is::<app::window::WindowError>() => Err(error).context(format!(
            "there is no display; without one: `steerbox run {scene} --steps 1000`"
        )),
        result => result.map(|()| ExitCode::SUCCESS),
    }
}

/// Names the scene in its faults as it was given.
fn naming(error: anyhow::Error, given: Option<&Path>) -> anyhow::Error {
    match (error.downcast::<LoadError>(), given) {
        (Ok(error), Some(given)) => error.naming(given).into(),
        (Ok(error), None) => error.into(),
        (Err(error), _) => error,
    }
}
