//! From a scene's text to a checked scene: every part is read and every fault collected.

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

pub use group::MOST_UNITS;
pub(super) use group::changed_group;
pub(super) use obstacles::MOST as MOST_OBSTACLES;
pub use obstacles::MOST_CORNERS;
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

/// Longest scene, in bytes.
pub const LONGEST: usize = 4 << 20;
/// Most values in a scene, as commas part them: to read and build one takes a microsecond or two.
const MOST_VALUES: usize = 100_000;

/// Reads and checks a scene. `path_name` is the file as the user would name it; a byte order mark
/// at the start of `text` is skipped. Scripts are not looked for: see [`Scene::unknown_scripts`].
///
/// # Errors
/// Every fault in the order of the file, at most 100 and then how many more. A fault of syntax
/// comes alone, since nothing after it can be read.
pub fn read(path_name: &str, text: &str) -> Result<Scene, Vec<Fault>> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    if text.len() > LONGEST {
        let message = format!("the scene has {} bytes, at most {LONGEST} are read", text.len());
        return Err(vec![Fault::of_file(path_name, message)]);
    }
    let lines = Lines::new(text);
    if let Some(range) = one_too_many(text) {
        let message = format!("a scene has at most {MOST_VALUES} values");
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

/// The comma with which a scene grows too large.
fn one_too_many(text: &str) -> Option<Range<usize>> {
    let mut commas = tokens(text).filter(|token| token.kind == TokenKind::Comma);
    commas.nth(MOST_VALUES).map(|comma| comma.range)
}

fn fault(path_name: &str, text: &str, lines: &Lines<'_>, found: RangeFault) -> Fault {
    let span = lines.span(found.range);
    let at = (span.line, span.column);
    let fault = Fault::at(path_name, text, at, found.message).wide(span.width);
    fault.maybe_help(found.help)
}
