//! Parses a text to a syntax tree, and repairs it to report several syntax errors.

use std::borrow::Cow;
use std::collections::BTreeSet;

use rhai::AST;
use steerbox_core::diagnostics::{Fault, Fix, caught, line_and_column};

use crate::budget;
use crate::interpret::loop_order::Reduction;
use crate::interpret::{engine, explain};
use crate::syntax::errors::{self, Stop};
use crate::syntax::fixes;
use crate::syntax::repair::{self, Repair, UNKNOWN};
use crate::syntax::text::{self, Open, Source};

/// The maximum number of repairs, each of which parses the script again.
const MAX_REPAIRS: usize = 2 * budget::MAX_FAULTS;

/// The tree of the part of a script that can be parsed.
pub(crate) struct Parsed {
    pub(crate) ast: AST,
    /// Its syntax errors. Each statement with one is parsed as a value of any kind.
    pub(crate) faults: Vec<Fault>,
    /// Names that these statements may declare.
    pub(crate) lost: BTreeSet<String>,
}

/// Parses a script without folding. Statements with syntax errors are skipped.
///
/// # Errors
/// With the syntax errors up to one after which nothing parses.
pub(crate) fn parse(source: Source<'_>) -> Result<Parsed, Vec<Fault>> {
    if let Some(at) = source.text.find(UNKNOWN) {
        return Err(vec![source.fault_at(at, "this character means nothing here")]);
    }
    parse_unfinished(source)
}

/// As [`parse`], for a text that may contain [`UNKNOWN`] as a name.
pub(crate) fn parse_unfinished(source: Source<'_>) -> Result<Parsed, Vec<Fault>> {
    let Source { path, text } = source;
    if text.len() > budget::MAX_SOURCE {
        let limit = budget::MAX_SOURCE / 1024;
        let message = format!("the script is longer than {limit} KiB");
        return Err(vec![Fault::of_file(path, message)]);
    }
    let mut repaired = Repaired { text: Cow::Borrowed(text), lost: BTreeSet::new(), last: None };
    let mut faults = Vec::new();
    for _ in 0..MAX_REPAIRS {
        let now = Source { path, text: &repaired.text };
        let error = match engine::parse(now.text) {
            Err(error) => error,
            Ok(ast) => match errors::open_comment(now) {
                None => return Ok(Parsed { ast, faults, lost: repaired.lost }),
                Some(fault) => {
                    let fix = fixes::fixes(now.text, 0, text::left_open(now.text), "").next();
                    let fix = fix.and_then(|fix| fixes::of_original(source, now.text, fix));
                    faults.push(source.shown(fault).fixed(fix));
                    break;
                }
            },
        };
        let stop = Stop::new(now.text, &error);
        let is_new = !repaired.explains(&stop);
        if is_new {
            let fix = stop.fixes(now.text, &error).find(|fix| gets_further(now.text, &stop, fix));
            let fix = fix.and_then(|fix| fixes::of_original(source, now.text, fix));
            faults.push(source.shown(errors::fault(now, &error)).fixed(fix));
        }
        let repair = stop.repair(now.text, &error).filter(|_| is_new);
        if faults.len() == budget::MAX_FAULTS || !repaired.repair(&stop, repair) {
            break;
        }
    }
    Err(faults)
}

/// Returns true if the parser gets past an error with its fix.
fn gets_further(text: &str, stop: &Stop, fix: &Fix) -> bool {
    let Some(fixed) = fix.apply(text) else {
        return false;
    };
    match engine::parse(&fixed) {
        Ok(_) => errors::open_comment(Source { path: "", text: &fixed }).is_none(),
        Err(error) => {
            let next = Stop::new(&fixed, &error);
            let at = |of: &Stop| if stop.open.is_some() { of.cause() } else { of.at };
            fixed.len() - at(&next) < text.len() - at(stop)
        }
    }
}

/// A text whose syntax errors are repaired one by one.
struct Repaired<'a> {
    text: Cow<'a, str>,
    lost: BTreeSet<String>,
    last: Option<LastRepair>,
}

/// The last repair, by line and column.
struct LastRepair {
    start: (usize, usize),
    /// The place of the first token after it.
    next: (usize, usize),
    /// True if it replaced a whole function or constant.
    is_item: bool,
    is_brace: bool,
}

impl Repaired<'_> {
    /// Returns true if the last repair may have caused the parser to stop here.
    fn explains(&self, stop: &Stop) -> bool {
        let is_brace = matches!(stop.open, Some(Open::Bracket('{', ..) | Open::Nothing('}', _)));
        self.last.as_ref().is_some_and(|last| {
            (last.start..=last.next).contains(&self.place(stop.cause())) || (last.is_brace && is_brace)
        })
    }

    /// Applies a repair, or else replaces the whole function or constant; returns false if neither is possible.
    fn repair(&mut self, stop: &Stop, repair: Option<Repair>) -> bool {
        let of_statement = repair.and_then(|repair| Some((repair.apply(&self.text)?, repair)));
        let is_item = of_statement.is_none();
        let of_item = || {
            // A replaced function has no further errors.
            let last =
                self.last.as_ref().filter(|last| !last.is_item || last.next < self.place(stop.cause()));
            let is_first = self.last.is_none() || last.is_some();
            let repair = is_first.then(|| repair::item(&self.text, stop.cause())).flatten()?;
            Some((repair.apply(&self.text)?, repair))
        };
        let Some((text, repair)) = of_statement.or_else(of_item) else {
            return false;
        };
        self.lost.append(&mut repair.declared(&self.text));
        self.last = Some(LastRepair {
            start: self.place(repair.part.start),
            next: self.place(repair::skipped(&self.text, repair.part.end)),
            is_item,
            is_brace: matches!(stop.open, Some(Open::Bracket('{', ..))),
        });
        self.text = text.into();
        true
    }

    /// Line and column of an offset in bytes.
    fn place(&self, at: usize) -> (usize, usize) {
        line_and_column(&self.text, at)
    }
}

/// Parses a script again for the interpreter, with its reductions marked; `None` if it has none.
pub(crate) fn parse_marked(source: Source<'_>, reductions: &[Reduction]) -> Result<Option<AST>, Vec<Fault>> {
    let parsed = engine::parse_marked(source.text, reductions);
    parsed.map_err(|error| vec![errors::fault(source, &error)])
}

/// Runs `work` and converts panics, which are bugs of this crate or the engine, to a fault of the file.
pub(crate) fn catch_panics<T>(
    path: &str,
    work: impl FnOnce() -> Result<T, Vec<Fault>>,
) -> Result<T, Vec<Fault>> {
    let done = caught(work);
    done.unwrap_or_else(|| Err(vec![Fault::of_file(path, explain::INTERNAL_ERROR)]))
}
