//! Values of a script's lines: records every `let`, assignment, condition and return in one call for one unit.
//!
//! A second tree of the script has probes (`insert`), which a separate engine evaluates (`recorder`). The probed program
//! runs as the behavior does, for one unit, on the same frozen state and a copy of the unit's memory.
//! A run takes some ten microseconds; without a display of values there is no cost.

mod code;
mod insert;
mod iterations;
mod lines;
mod recorder;
mod recording;
#[cfg(test)]
mod tests;
mod value;

pub use code::{Code, ProbedFile, Site, SiteKind, Span};
pub use iterations::{Iteration, LoopTable, loop_tables};
pub use lines::{Line, Piece, lines};
pub use recorder::{Entry, MAX_ENTRIES, SiteLog};
pub use recording::Recording;
pub use value::ProbedValue;

use std::sync::Arc;

use rhai::AST;
use steerbox_core::diagnostics::{Fault, caught};
use steerbox_core::sim::UnitContext;
use steerbox_core::world::ParamValue;

use super::behavior;
use super::front::imports;
use super::front::program::Program;
use super::front::script::Script;
use super::interpret::engine;
use super::interpret::imported::Imported;
use super::interpret::loop_order::{self, Reduction};
use insert::Inserter;

/// A script with probes, under one set of parameter values.
#[derive(Debug)]
pub struct Probed {
    program: Program,
    code: Arc<Code>,
}

impl Probed {
    /// Adds probes to a script and folds `values` into it; a parameter without a value keeps its default. The
    /// functions of imported files are probed, too.
    ///
    /// # Errors
    /// If the top level fails under these values.
    pub fn compile(script: &Script, values: &[(String, ParamValue)]) -> Result<Self, String> {
        let compiled = caught(|| Self::compiled(script, values));
        compiled.unwrap_or_else(|| Err("an error in steerbox itself".to_owned()))
    }

    fn compiled(script: &Script, values: &[(String, ParamValue)]) -> Result<Self, String> {
        let mut code = Code::default();
        let written = probed((&script.path, &script.text), &script.reductions, &mut code)?;
        let mut files: Vec<Arc<Imported>> = Vec::new();
        for imported in &script.imports {
            let written = probed((&imported.path, &imported.text), &imported.reductions, &mut code)?;
            let rebuilt = imports::rebuilt(imported, &written, &files);
            files.push(Arc::new(rebuilt.map_err(|error| error.to_string())?));
        }
        let program = Program::with_trees(script, (&script.ast, Some(&written)), (files, false), values);
        let program = program.map_err(|faults| faults.first().map_or_else(String::new, Fault::summary))?;
        Ok(Self { program, code: code.into() })
    }

    /// Returns the sites of its probes.
    pub fn code(&self) -> &Arc<Code> {
        &self.code
    }

    /// Decides for `context.unit()`, as [`steerbox_core::sim::Behavior::decide`], and records the values. It writes the same
    /// to `context` and `memory` as the behavior itself.
    pub fn run(&self, context: &mut UnitContext, memory: &mut [u32]) -> Recording {
        let run = || behavior::interpret((&self.program, 0), recorder::engine(), context, memory);
        let (result, logs) = recorder::record(&self.code, run);
        Recording { code: Arc::clone(&self.code), result, logs }
    }
}

/// Returns the syntax tree of a file with probes, whose sites are added to `code`.
fn probed((path, text): (&str, &Arc<str>), reductions: &[Reduction], code: &mut Code) -> Result<AST, String> {
    let file = code.files.len();
    code.files.push(ProbedFile { path: path.to_owned(), text: Arc::clone(text) });
    let lists = reductions.iter().map(|it| it.list).collect();
    let parsed = loop_order::parsed(lists, || engine::parse(text)).map_err(|error| error.to_string())?;
    let mut inserter = Inserter::new(text, file, code);
    Ok(engine::rewritten(&parsed, |body| {
        inserter.function(body);
        0
    }))
}
