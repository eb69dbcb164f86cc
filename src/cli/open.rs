//! `steerbox [SCENE]`: opens the window.

use std::process::ExitCode;

use anyhow::Context as _;

use super::args::OpenArgs;
use super::{events, set};
use crate::app::{self, Options};
use crate::reload::Place;

pub(super) fn open(args: OpenArgs) -> anyhow::Result<ExitCode> {
    app::window::settle_input_method();
    let common = args.common;
    let execution = common.execution();
    let place = args
        .scene
        .as_deref()
        .map_or_else(Place::default_scene, Place::of_scene);
    let options = Options {
        place,
        tuned: common
            .set
            .iter()
            .map(|text| set::parse(text))
            .collect::<Result<_, _>>()?,
        check: set::check,
        events: events::sink(common.events.as_deref())?,
        seed: common.seed,
        execution,
        threads: common.threads.map(usize::from),
        scale: args.scale,
    };
    let scene = args
        .scene
        .map_or_else(|| "SCENE".to_owned(), |scene| scene.display().to_string());
    match app::open(options) {
        Err(error) if error.is::<app::window::WindowError>() => Err(error).context(format!(
            "there is no display; without one: `steerbox run {scene} --steps 1000`"
        )),
        result => result.map(|()| ExitCode::SUCCESS),
    }
}
