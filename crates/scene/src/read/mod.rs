//! Reads and validates a scene; collects all faults.

mod behaviors;
mod body;
mod distribution;
mod expectations;
mod experiment;
mod file;
mod grids;
mod group;
mod keys;
mod look;
mod obstacles;
mod routes;
mod spawn;
mod top;
mod view;
mod world;

#[cfg(test)]
mod tests;

pub(super) use experiment::experiment;
pub use group::MAX_UNITS;
pub(super) use group::changed_group;
pub use obstacles::MAX_CORNERS;
pub(super) use obstacles::MAX_OBSTACLES;
pub(super) use top::{changed, scene};

use std::ops::Range;
use std::sync::Arc;

use steerbox_core::diagnostics::Fault;

use super::{
    data::{DataTexts, data_names},
    experiment::ExperimentFile,
    node::Node,
    plan::{FlowSource, Scene},
    reader::Reader,
    ron_file::RonFile,
    span::Lines,
    syntax::{self, Parsed, Repaired},
    tokens::{TokenKind, tokens},
    words::{MAX_FAULTS, RangeFault},
};

/// Maximum length of a scene in bytes.
pub const MAX_LENGTH: usize = 4 << 20;
/// Maximum number of values in a scene, counted by commas; reading and building one takes a microsecond or two.
const MAX_VALUES: usize = 100_000;

/// A scene with faults, and the rest of it.
#[derive(Debug)]
pub struct Unread {
    /// All faults in the order of the file, at most 100 and the number of further ones. A part with a syntax fault is
    /// skipped: neither it nor what depends on it has further faults.
    pub faults: Vec<Fault>,
    /// The parts that could be read, with defaults in place of faulty ones; `None` if the syntax cannot be repaired. Of the
    /// positions, only those of [`Scene::scripts`] are exact.
    pub rest: Option<Box<Scene>>,
}

/// Reads and validates a scene. `path_name` is the path in messages; a byte order mark at the start of `text` is
/// skipped. The existence of scripts is not checked: see [`Scene::unknown_scripts`].
///
/// # Errors
/// The faults, as in [`Unread::faults`].
pub fn read(path_name: &str, text: &str) -> Result<Scene, Vec<Fault>> {
    read_known(path_name, text, None).map_err(|unread| unread.faults)
}

/// Reads a scene with the files that it names, or what is readable of a faulty one. Without them, as in [`read`], a
/// group whose starts are in a file has `count` units at the center of the world.
///
/// # Errors
/// The faults and the rest.
pub fn read_with(path_name: &str, text: &str, data: &DataTexts) -> Result<Scene, Unread> {
    read_known(path_name, text, Some(data))
}

fn read_known(path_name: &str, text: &str, data: Option<&DataTexts>) -> Result<Scene, Unread> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let lines = Lines::new(text);
    let placed = |found| fault(path_name, text, &lines, found);
    let parsed = parsed((path_name, RonFile::Scene), text, &lines);
    let (repaired, faults) = parsed.map_err(|faults| Unread { faults, rest: None })?;
    let (scene, warnings, found, more) = readable(&repaired, (faults, data), path_name);
    let known = |name: String| Some((data?.get(&name)?.clone().ok()?, name));
    let data = data_names(text).into_iter().filter_map(known).map(|(text, name)| (name, text)).collect();
    let mut scene = Scene { source: Arc::from(text), data, ..scene };
    if found.is_empty() {
        scene.warnings = warnings.into_iter().map(|found| placed(found).warning()).collect();
        return Ok(scene);
    }
    for group in &mut scene.groups {
        group.behaviors.retain_mut(|used| behaviors::convert(used, &repaired, &lines));
    }
    scene.flows.retain_mut(|flow| match &mut flow.source {
        FlowSource::Script { used, .. } => behaviors::convert(used, &repaired, &lines),
        FlowSource::Grid(_) | FlowSource::Toward(_) => true,
    });
    let faults = listed(path_name, found.into_iter().map(placed), more);
    Err(Unread { faults, rest: Some(Box::new(scene)) })
}

/// Reads and validates an experiment. Returns its options, with defaults in place of faulty ones, and the faults, as in
/// [`Unread::faults`]. There are no options of a text with a syntax fault, since its places would not be exact.
pub fn read_experiment(path_name: &str, text: &str) -> (Option<ExperimentFile>, Vec<Fault>) {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let lines = Lines::new(text);
    let (repaired, faults) = match parsed((path_name, RonFile::Experiment), text, &lines) {
        Ok(parsed) => parsed,
        Err(faults) => return (None, faults),
    };
    let is_exact = faults.is_empty();
    let repaired_lines = Lines::new(&repaired.text);
    let mut reader = Reader::new(&repaired_lines, &repaired);
    let file = experiment(&mut reader, Node::root(&repaired.text));
    let (found, more) = in_order(reader, &repaired, faults);
    let placed = found.into_iter().map(|found| fault(path_name, text, &lines, found));
    (is_exact.then_some(file), listed(path_name, placed, more))
}

/// Parses and repairs a file. Returns the repaired text and its syntax faults.
///
/// # Errors
/// The faults of a text that is too large or cannot be repaired.
fn parsed<'a>(
    (path_name, file): (&str, RonFile),
    text: &'a str,
    lines: &Lines<'_>,
) -> Result<(Repaired<'a>, Vec<RangeFault>), Vec<Fault>> {
    if text.len() > MAX_LENGTH {
        let (noun, length) = (file.noun(), text.len());
        let message = format!("the {noun} has {length} bytes, at most {MAX_LENGTH} are read");
        return Err(vec![Fault::of_file(path_name, message)]);
    }
    let placed = |found| fault(path_name, text, lines, found);
    if let Some(range) = one_too_many(text) {
        let message = format!("{} has at most {MAX_VALUES} values", file.owner());
        return Err(vec![placed(RangeFault::new(range, message))]);
    }
    let Parsed { repaired, faults, is_readable } = syntax::parse(text, file);
    if is_readable { Ok((repaired, faults)) } else { Err(faults.into_iter().map(placed).collect()) }
}

/// Reads a repaired scene. Returns its warnings, the faults of syntax and contents in the order of the file, and the
/// number of further ones.
fn readable(
    repaired: &Repaired<'_>,
    (faults, data): (Vec<RangeFault>, Option<&DataTexts>),
    path_name: &str,
) -> (Scene, Vec<RangeFault>, Vec<RangeFault>, usize) {
    let lines = Lines::new(&repaired.text);
    let mut reader = Reader::new(&lines, repaired);
    reader.data = data;
    let scene = top::scene(&mut reader, Node::root(&repaired.text), path_name);
    let warnings = reader.take_warnings();
    let (faults, more) = in_order(reader, repaired, faults);
    (scene, warnings, faults, more)
}

/// Returns the faults of syntax and contents in the order of the file, and the number of further ones.
fn in_order(
    reader: Reader<'_>,
    repaired: &Repaired<'_>,
    mut faults: Vec<RangeFault>,
) -> (Vec<RangeFault>, usize) {
    let (found, more) = reader.finish();
    faults.extend(found.into_iter().map(|found| repaired.of_original(found)));
    faults.sort_by_key(|found| found.range.start);
    let more = more + faults.len().saturating_sub(MAX_FAULTS);
    faults.truncate(MAX_FAULTS);
    (faults, more)
}

fn listed(path_name: &str, faults: impl Iterator<Item = Fault>, more: usize) -> Vec<Fault> {
    let more = (more > 0).then(|| Fault::of_file(path_name, format!("{more} more faults follow")));
    faults.chain(more).collect()
}

/// Returns true if a text exceeds the limits of scenes.
pub(super) fn is_too_large(text: &str) -> bool {
    text.len() > MAX_LENGTH || one_too_many(text).is_some()
}

/// Returns the first comma beyond the maximum number of values.
fn one_too_many(text: &str) -> Option<Range<usize>> {
    let mut commas = tokens(text).filter(|token| token.kind == TokenKind::Comma);
    commas.nth(MAX_VALUES).map(|comma| comma.range)
}

fn fault(path_name: &str, text: &str, lines: &Lines<'_>, found: RangeFault) -> Fault {
    let span = lines.span(found.range);
    let at = (span.line, span.column);
    let fault = Fault::at(path_name, text, at, found.message).wide(span.width);
    fault.maybe_help(found.help).fixed(found.fixes)
}
