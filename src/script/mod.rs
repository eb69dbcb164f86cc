//! Behavior scripts: the sandboxed engine, the API that scripts see, parameters. Knows no file and
//! no window.
//!
//! A script is learned once (its parameters, its memory, its marks), and folded into a program for
//! each set of parameter values: the optimizer then works with the values as constants, so that a
//! parameter costs nothing while units decide.

mod api;
mod behavior;
mod budget;
mod call;
mod catalog;
mod chain;
mod compile;
mod definitions;
mod engine;
mod environment;
mod explain;
mod flow;
mod foreign;
mod imports;
mod learn;
mod missing;
#[cfg(feature = "native")]
mod native;
mod not_finite;
mod operands;
mod param;
mod program;
mod refusal;
mod reloaded;
mod review;
mod syntax;
#[cfg(test)]
mod tests;
mod text;
mod tree;
mod types;
mod words;

pub use api::{ApiRow, NOT_IN_SCENE, api_rows, api_tables};
pub use behavior::{Execution, ScriptBehavior};
pub use budget::MAX_SOURCE as LONGEST;
pub use catalog::NAMES as API_NAMES;
pub use definitions::definitions;
pub use flow::flow;
pub use imports::{Imported, Library, NoLibrary, imported_names};
pub use learn::{Role, Script};
pub use param::{Param, ParamRange, parse_value};
pub use program::Program;
pub use refusal::Refusal;
