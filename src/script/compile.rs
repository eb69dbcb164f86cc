//! From text to a syntax tree, with what may go wrong in words.

use rhai::AST;

use super::marked::Reduction;
use super::text::Source;
use super::{budget, engine, explain, syntax};
use crate::diagnostics::{Fault, caught};

/// Parses a script as it is written.
pub(super) fn parse(source: Source<'_>) -> Result<AST, Vec<Fault>> {
    let Source { path, text } = source;
    if text.len() > budget::MAX_SOURCE {
        let limit = budget::MAX_SOURCE / 1024;
        let message = format!("the script is longer than {limit} KiB");
        return Err(vec![Fault::of_file(path, message)]);
    }
    let ast = engine::parse(text).map_err(|error| vec![syntax::fault(source, &error)])?;
    syntax::open_comment(source).map_or(Ok(ast), |fault| Err(vec![fault]))
}

/// Parses a script that was parsed before, for the interpreter; `None` where there are no reductions.
pub(super) fn parse_marked(source: Source<'_>, reductions: &[Reduction]) -> Result<Option<AST>, Vec<Fault>> {
    let parsed = engine::parse_marked(source.text, reductions);
    parsed.map_err(|error| vec![syntax::fault(source, &error)])
}

/// Does work whose panics, bugs of ours or of the engine, become a fault of the file.
pub(super) fn guarded<T>(path: &str, work: impl FnOnce() -> Result<T, Vec<Fault>>) -> Result<T, Vec<Fault>> {
    let done = caught(work);
    done.unwrap_or_else(|| Err(vec![Fault::of_file(path, explain::OUR_FAULT)]))
}
