//! Behavior scripts: the sandboxed engine, the API that scripts see, parameters. Knows no file and
//! no window.
//!
//! A text is compiled once to a script: its syntax tree, parameters, memory, marks and signals. For each set of
//! parameter values, a script is folded into a program: the values become constants, so that a parameter
//! costs nothing while units decide. A program runs as machine code or in the interpreter.

mod api;
mod behavior;
mod budget;
mod call;
mod catalog;
mod chain;
mod charges;
mod checks;
mod compile;
mod compiled;
mod condition;
mod constants;
mod cost;
mod definitions;
mod engine;
mod environment;
mod explain;
mod flow;
mod foreign;
mod handles;
mod idle;
mod imported;
mod imports;
mod loop_order;
mod missing;
#[cfg(feature = "native")]
mod native;
mod not_finite;
mod operands;
mod param;
pub mod probe;
mod program;
mod queries;
mod reductions;
mod reloaded;
mod repair;
mod requirement;
mod review;
mod syntax;
#[cfg(test)]
mod tests;
mod text;
mod tokens;
mod tree;
mod typed;
mod types;
mod unit_loops;
mod unsupported;
mod words;

pub use api::{ApiRow, NOT_IN_SCENE, Need, api_rows, api_tables};
pub use behavior::{Execution, ScriptBehavior};
pub use budget::MAX_SOURCE;
pub use catalog::NAMES as API_NAMES;
pub use checks::functions::Role;
pub use compiled::Script;
pub use condition::{Condition, ConditionFigures};
pub use definitions::definitions;
pub use flow::flow;
pub use idle::IdleParam;
pub use imported::{Imported, Library, NoLibrary, imported_names};
pub use param::{Param, ParamRange, parse_value};
pub use program::Program;
pub use requirement::{Lacking, Requirement};
pub use unit_loops::UnitLoop;
pub use unsupported::Unsupported;
