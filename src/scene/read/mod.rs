//! Reads and validates a scene; collects all faults.

mod behaviors;
mod body;
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

pub use group::MAX_UNITS;
pub(super) use group::changed_group;
pub use obstacles::MAX_CORNERS;
pub(super) use obstacles::MAX_OBSTACLES;
pub(super) use top::changed;

use std::ops::Range;
use std::sync::Arc;

use super::{
    node::Node,
    plan::Scene,
    reader::Reader,
    span::Lines,
    syntax,
    tokens::{TokenKind, tokens},
    words::RangeFault,
};
use crate::diagnostics::Fault;

/// Maximum length of a scene in bytes.
pub const MAX_LENGTH: usize = 4 << 20;
/// Maximum number of values in a scene, counted by commas; reading and building one takes a microsecond or two.
const MAX_VALUES: usize = 100_000;

/// Reads and validates a scene. `path_name` is the path in messages; a byte order mark at the start of `text` is
/// skipped. The existence of scripts is not checked: see [`Scene::unknown_scripts`].
///
/// # Errors
/// All faults in the order of the file, at most 100 and the number of further ones. A syntax fault is the only one, since
/// reading stops there.
pub fn read(path_name: &str, text: &str) -> Result<Scene, Vec<Fault>> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    if text.len() > MAX_LENGTH {
        let message = format!("the scene has {} bytes, at most {MAX_LENGTH} are read", text.len());
        return Err(vec![Fault::of_file(path_name, message)]);
    }
    let lines = Lines::new(text);
    if let Some(range) = one_too_many(text) {
        let message = format!("a scene has at most {MAX_VALUES} values");
        return Err(vec![fault(path_name, text, &lines, RangeFault::new(range, message))]);
    }
    if let Err(found) = syntax::check(text, &lines) {
        return Err(vec![fault(path_name, text, &lines, found)]);
    }
    let mut reader = Reader::new(&lines);
    let scene = top::scene(&mut reader, Node::root(text), path_name);
    let placed = |found| fault(path_name, text, &lines, found);
    let warnings = reader.take_warnings().into_iter().map(|found| placed(found).warning());
    let warnings = warnings.collect();
    let (found, more) = reader.finish();
    if found.is_empty() {
        return Ok(Scene { source: Arc::from(text), warnings, ..scene });
    }
    let mut faults: Vec<Fault> = found.into_iter().map(placed).collect();
    if more > 0 {
        faults.push(Fault::of_file(path_name, format!("{more} more faults follow")));
    }
    Err(faults)
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
    fault.maybe_help(found.help)
}
