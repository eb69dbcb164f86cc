//! States, pictures and replays as arguments.

use std::fs::{self, File};
use std::io::Read as _;
use std::path::Path;

use anyhow::{Context as _, anyhow, bail};
use steerbox_project::reload::{Loader, Place, Setting, read_plain};
use steerbox_project::session::{ChangedRules, Moment, Options, ReplayFile, StoredError, StoredKind};

use super::args::Rules;
use super::print::err;
use super::usage::UsageError;

/// Maximum size of a file, bytes.
const MAX_FILE: u64 = 256 << 20;

/// The form of a stored file.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    Picture,
    Stored(StoredKind),
}

/// Returns the form of a file by its first bytes; `None` for any other file.
fn form(path: &Path) -> Option<Form> {
    if !fs::metadata(path).is_ok_and(|found| found.is_file()) {
        return None;
    }
    let mut head = Vec::new();
    File::open(path).ok()?.take(16).read_to_end(&mut head).ok()?;
    let is_picture = Moment::is_picture(&head).then_some(Form::Picture);
    is_picture.or_else(|| StoredKind::of(&head).map(Form::Stored))
}

fn bytes(path: &Path) -> anyhow::Result<Vec<u8>> {
    let read = read_plain(path, MAX_FILE);
    let (bytes, _) = read.map_err(|error| anyhow!("cannot read {}: {error}", path.display()))?;
    Ok(bytes)
}

fn named(path: &Path) -> impl FnOnce(StoredError) -> anyhow::Error {
    move |error| anyhow!("cannot open {}: {error}", path.display())
}

/// Returns the moment in a state or a picture; `None` for any other file.
///
/// # Errors
/// If the file is damaged, or is a replay.
pub(super) fn moment(path: &Path) -> anyhow::Result<Option<Moment>> {
    let read = match form(path) {
        None => return Ok(None),
        Some(Form::Picture) => Moment::from_picture(&bytes(path)?),
        Some(Form::Stored(StoredKind::State)) => Moment::from_bytes(&bytes(path)?),
        Some(Form::Stored(StoredKind::Replay)) => {
            let shown = path.display();
            bail!("{shown} is a replay: `steerbox replay {shown}` repeats it");
        }
    };
    read.map(Some).map_err(named(path))
}

/// Reads a replay.
///
/// # Errors
/// If the file is missing, damaged, or something else.
pub(super) fn replay(path: &Path) -> anyhow::Result<ReplayFile> {
    ReplayFile::from_bytes(&bytes(path)?).map_err(named(path))
}

/// Returns the options to continue from the state in a file, with the scene and scripts at `place` or its own.
///
/// # Errors
/// If the file is damaged, or both differ and `rules` does not choose.
pub(super) fn continued(
    from: &Path,
    place: Place,
    settings: Vec<Setting>,
    rules: Option<Rules>,
) -> anyhow::Result<Options> {
    let found = moment(from).with_context(|| format!("--from {}", from.display()))?;
    let Some(moment) = found else {
        bail!("--from {}: {}", from.display(), StoredError::Foreign);
    };
    let differences = differences(&moment, place.clone(), settings)?;
    match rules {
        Some(Rules::Then) => Ok(Options::at(moment)),
        None if !differences.is_empty() => {
            let names = differences.join(", ");
            let message = format!(
                "--from {}: not as they were when it was saved: {names}. Choose the rules: `--rules now` continues \
                 with the files as they are now, `--rules then` with those in the state",
                from.display()
            );
            Err(UsageError(message).into())
        }
        Some(Rules::Now) | None => Ok(under(moment, place, &differences)),
    }
}

/// Returns the options of a window for the moment in a file; `None` for any other file. The scene on disk is that of the
/// same name, as for an argument. If both differ and `rules` does not choose, the options contain both.
///
/// # Errors
/// If the file is damaged, or `rules` chooses a scene on disk that is missing or has errors.
pub(super) fn opened(path: &Path, rules: Option<Rules>) -> anyhow::Result<Option<Options>> {
    let Some(moment) = moment(path)? else {
        return Ok(None);
    };
    let name = moment.texts.name.clone();
    let place = Place::named(&name);
    match (rules, place) {
        (Some(Rules::Now), None) => bail!("--rules now: there is no scene {name} here"),
        (Some(Rules::Now), Some(place)) => {
            let differences = differences(&moment, place.clone(), Vec::new())?;
            Ok(Some(under(moment, place, &differences)))
        }
        (None, Some(place)) => {
            let names = differences(&moment, place.clone(), Vec::new()).unwrap_or_else(|error| {
                // A scene that does not load is not a choice.
                err(format!("note: {name} opens as it was; its files on disk have errors: {error:#}"));
                Vec::new()
            });
            // Another scene can have the name of a built-in one.
            let is_other = place.scene.is_none() && names.contains(&name);
            let changed = (!names.is_empty() && !is_other).then_some(ChangedRules { place, names });
            Ok(Some(Options { changed, ..Options::at(moment) }))
        }
        (Some(Rules::Then), _) | (None, None) => Ok(Some(Options::at(moment))),
    }
}

/// Returns the file names of the texts at `place` that are not as they were in a moment.
fn differences(moment: &Moment, place: Place, settings: Vec<Setting>) -> anyhow::Result<Vec<String>> {
    let (_, generation) = Loader::load(place, settings)?;
    let now = generation.texts().map_err(|fault| anyhow!("{}", fault.summary()))?;
    Ok(now.differences(&moment.texts))
}

/// Returns the options of a moment under the texts at `place`; its values apply only to the same texts.
fn under(moment: Moment, place: Place, differences: &[String]) -> Options {
    let settings = if differences.is_empty() { moment.settings.clone() } else { Vec::new() };
    Options { settings, ..Options::continued(moment, place) }
}
