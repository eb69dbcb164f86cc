//! The names of a script with their places and types, for editors: a walk through the syntax tree of the part that
//! parses, with the kinds that the review infers.
//!
//! A reference to a variable is resolved by position: the last declaration of that name in an enclosing block. This also
//! holds for a text with syntax errors, of which the repair drops a statement.

mod blocks;
mod items;
mod names;
#[cfg(test)]
mod tests;

pub use items::{Item, ItemKind};
pub use names::{Local, Typed, named_by_argument};

use steerbox_core::diagnostics::caught;

use super::front::parse;
use super::interpret::constants;
use super::interpret::environment::Environment;
use super::param::Param;
use super::syntax::lexemes::lexemes;
use super::syntax::repair::UNKNOWN;
use super::syntax::text::Source;
use super::syntax::tree;
use super::typed::Kinds;
use blocks::Blocks;
use names::Names;

/// The name that stands for an unfinished one in a text: [`Outline::of`] records its kind of receiver.
pub const UNFINISHED: &str = UNKNOWN;

/// The names, declarations and types of a script.
#[derive(Clone, Debug, Default)]
pub struct Outline {
    /// All names in the order of the text.
    pub names: Vec<Typed>,
    /// The variables and parameters of functions, with the part of the text in which they are visible.
    pub locals: Vec<Local>,
    /// The functions, constants, parameters and imports at the top.
    pub items: Vec<Item>,
    /// The parameters.
    pub params: Vec<Param>,
    /// True if the text has no syntax errors.
    pub is_whole: bool,
}

impl Outline {
    /// Reads the script called `stem`. A text of which nothing parses has no names.
    pub fn of(stem: &str, text: &str) -> Self {
        caught(|| Self::read(stem, text)).unwrap_or_default()
    }

    fn read(stem: &str, text: &str) -> Self {
        let path = format!("{stem}.rhai");
        let source = Source { path: &path, text };
        let lexemes = lexemes(text);
        let blocks = Blocks::new(text, &lexemes);
        let Ok(parsed) = parse::parse_unfinished(source) else {
            return Self { items: items::of_heads(text, &lexemes, &blocks), ..Self::default() };
        };
        let constants = constants::evaluate(source, &parsed.ast, &[], &[]);
        let memory = constants::memory(source, &parsed.ast, &constants.scope).unwrap_or_default();
        let environment =
            Environment { constants: constants::by_name(&constants.scope), memory, ..Environment::default() };
        let bodies = tree::bodies(&parsed.ast, None);
        let mut names = Names::new(stem, text, &lexemes, &blocks);
        names.top_level(parsed.ast.statements(), &constants.params, &environment.memory);
        names.heads(&bodies);
        names.statements(parsed.ast.statements(), &Kinds::default());
        for body in &bodies {
            names.body(&bodies, body, &environment);
        }
        let (names, locals) = names.finish();
        let items = items::of_names(text, &names, &constants.params, &lexemes, &blocks);
        let is_whole = parsed.faults.is_empty();
        Self { names, locals, items, params: constants.params, is_whole }
    }

    /// Returns the name at a place, or directly before it.
    pub fn name_at(&self, at: usize) -> Option<&Typed> {
        let within = self.names.iter().find(|name| name.range.contains(&at));
        within.or_else(|| self.names.iter().find(|name| name.range.end == at))
    }

    /// Returns the variables that are visible at a place, the innermost of each name.
    pub fn visible_at(&self, at: usize) -> impl Iterator<Item = &Local> {
        let visible = self.locals.iter().filter(move |local| local.visible.contains(&at));
        visible.filter(move |local| {
            let hides = |other: &&Local| other.name == local.name && other.visible.contains(&at);
            let last = self.locals.iter().filter(hides).max_by_key(|other| other.visible.start);
            last.is_some_and(|last| last.visible == local.visible)
        })
    }
}
