//! Scene arguments: a file or a name.

use std::path::Path;

use anyhow::bail;
use clap::CommandFactory as _;
use steerbox_core::diagnostics::suggestion;
use steerbox_project::reload::{LoadError, Place, known_scenes, may_be_file};
use steerbox_project::session::{Options, Session};

use super::args::{Args, RunArgs};
use super::common_args::Common;
use super::{stored, table};

/// Returns the place of the scene named by a command's argument.
///
/// # Errors
/// If there is no such scene; suggests a similar one.
pub(super) fn place(argument: &Path) -> anyhow::Result<Place> {
    find(argument, &[])
}

/// [`place`] for the argument of the program itself, which may be a misspelled command.
///
/// # Errors
/// If there is no such scene; suggests a similar scene or command.
pub(super) fn place_or_command(argument: &Path) -> anyhow::Result<Place> {
    let program = Args::command();
    let commands: Vec<_> = program.get_subcommands().map(clap::Command::get_name).collect();
    find(argument, &commands)
}

/// Replaces the name of the scene in its faults by the argument.
pub(super) fn naming(error: anyhow::Error, given: Option<&Path>) -> anyhow::Error {
    match (error.downcast::<LoadError>(), given) {
        (Ok(error), Some(given)) => error.naming(given).into(),
        (Ok(error), None) => error.into(),
        (Err(error), _) => error,
    }
}

/// Opens the scene named by a command's argument, with the common options, modified by `change`.
///
/// # Errors
/// If there is no such scene, it is invalid, or a setting does not fit.
pub(super) fn open(
    argument: &Path,
    common: &Common,
    change: impl FnOnce(&mut Options),
) -> anyhow::Result<Session> {
    open_with(options(argument, None, place)?, argument, common, change)
}

/// As [`open`], for the scene of a run, which may continue from a state.
///
/// # Errors
/// As for [`open`]; also if the state does not fit the scene, or the choice of the rules is missing.
pub(super) fn open_from(args: &RunArgs, change: impl FnOnce(&mut Options)) -> anyhow::Result<Session> {
    let (scene, common) = (&args.scene, &args.common);
    let options = match &args.from {
        None => options(scene, args.row, place)?,
        Some(from) => stored::continued(from, place(scene)?, common.set.clone(), args.rules)?,
    };
    open_with(options, scene, common, change)
}

/// Returns the options of a scene, found by `place`, of the moment in a state or a picture, or of a row of a table.
///
/// # Errors
/// If there is no such scene or row, or the file is damaged.
pub(super) fn options(
    argument: &Path,
    row: Option<u64>,
    place: impl FnOnce(&Path) -> anyhow::Result<Place>,
) -> anyhow::Result<Options> {
    if let Some(row) = row {
        return table::row(argument, row);
    }
    if argument.extension().is_some_and(|extension| extension == "csv") && argument.is_file() {
        let shown = argument.display();
        bail!("{shown} is a table: `--row N` names the run of a row, `steerbox {shown} --row 1`");
    }
    match stored::moment(argument)? {
        Some(moment) => Ok(Options::at(moment)),
        None => Ok(Options::new(place(argument)?)),
    }
}

fn open_with(
    mut options: Options,
    argument: &Path,
    common: &Common,
    change: impl FnOnce(&mut Options),
) -> anyhow::Result<Session> {
    common.apply_to(&mut options)?;
    change(&mut options);
    Session::open(options).map_err(|error| {
        let is_scene = error.is::<LoadError>();
        let error = naming(error, Some(argument));
        let context = || format!("cannot run {}", argument.display());
        if is_scene { error.context(context()) } else { error }
    })
}

fn find(argument: &Path, commands: &[&str]) -> anyhow::Result<Place> {
    if argument.extension().is_some_and(|extension| extension == "rhai") {
        let (shown, name) = (argument.display(), argument.file_stem().unwrap_or_default().display());
        bail!(
            "{shown} is a script, not a scene: a group of a scene uses it, `behaviors: [(script: \"{name}\")]`; \
             `steerbox check {shown}` checks it alone"
        );
    }
    if may_be_file(argument) {
        return Ok(Place::of_scene(argument));
    }
    if let Some(place) = argument.to_str().and_then(Place::named) {
        return Ok(place);
    }
    let shown = argument.display();
    if argument.is_dir() {
        bail!("{shown} is a folder, not a scene; `steerbox list` names the scenes");
    }
    let scenes = known_scenes();
    let names = scenes.iter().map(|scene| scene.name.as_str());
    let word = argument.file_stem().unwrap_or_default().to_string_lossy();
    let is_path = argument.as_os_str() != argument.file_name().unwrap_or_default();
    let commands = if is_path { &[] } else { commands };
    let remedy = suggestion(&word, commands.iter().copied().chain(names))
        .unwrap_or_else(|| "`steerbox list` names the scenes".to_owned());
    let what = if commands.is_empty() { "scene" } else { "scene or command" };
    bail!("{shown}: there is no such {what}; {remedy}")
}
