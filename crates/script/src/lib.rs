//! Behavior scripts: compiler, sandboxed interpreter, script API, parameters.
//!
//! A text is compiled once to a script: its syntax tree, parameters, memory, marks and signals. For each set of
//! parameter values, the script is folded into a program: the values become constants, so that a parameter has no
//! cost at run time. A program runs as machine code or in the interpreter.
//!
//! Must not know scene files, folders or windows: texts of imported scripts come from a [`Library`], values of parameters
//! from the caller.

mod analysis;
mod api;
mod behavior;
mod budget;
mod checks;
mod foreign;
mod front;
mod handles;
mod interpret;
mod messages;
#[cfg(feature = "native")]
mod native;
mod outline;
mod param;
pub mod probe;
mod reductions;
mod review;
mod syntax;
#[cfg(test)]
mod tests;
mod typed;
mod types;
mod world_form;

pub use analysis::idle::IdleParam;
pub use analysis::requirement::{Reduced, Requirement};
pub use analysis::unit_loops::UnitLoop;
pub use api::{ApiRow, NOT_IN_SCENE, Need, api_rows, api_tables};
pub use behavior::flow::flow;
pub use behavior::measure::ScriptMeasure;
pub use behavior::{Execution, ScriptBehavior};
pub use budget::MAX_SOURCE;
pub use checks::functions::{MEASURES, Role};
pub use checks::names::about as head_comment;
pub use front::condition::Condition;
pub use front::declared::{Declared, api};
pub use front::program::Program;
pub use front::script::Script;
pub use interpret::catalog::NAMES as API_NAMES;
pub use interpret::imported::{Imported, Library, NoLibrary, imported_names};
pub use outline::{Item, ItemKind, Local, Outline, Typed, UNFINISHED, named_by_argument};
pub use param::{Param, ParamRange, parse_value};
pub use syntax::lexemes::{Lexeme, LexemeKind, lexemes};
pub use syntax::pieces::{PieceKind, pieces};
pub use typed::unsupported::Unsupported;
pub use world_form::WorldForm;
