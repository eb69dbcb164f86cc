//! Everything that scripts can name, as a table of rows: one for each property and function.
//!
//! A row is what scripts write, one line of documentation, and a Rust function, whose types are the
//! row's types. From the rows come the interpreter's functions, the names that messages suggest, the
//! types that the compiler works with, the functions that machine code calls, the definitions for
//! editors and the tables of `docs/scripting.md`. To add a function, add its row. If it is hot, its row
//! names an [`Intrinsic`], for which `native/intrinsics.rs` has the instructions.

mod attributes;
mod collections;
mod docs;
mod function;
mod host;
mod interpreter;
mod intrinsic;
mod lane_call;
mod lists;
mod me;
mod meaning;
pub(in crate::script) mod memory;
mod names;
mod numbers;
pub(in crate::script) mod obstacles;
mod params;
mod paths;
mod table;
mod units;
pub(in crate::script) mod values;
mod vectors;
mod work;
mod world;

pub use attributes::Need;
pub(super) use attributes::{Effect, ListRole, Tag};
pub use docs::{ApiRow, api_rows, api_tables};
pub(super) use function::{CallForm, Function};
pub(super) use host::{Host, HostCall};
pub(super) use interpreter::{REGISTERED, pay_for_loop, register};
pub(super) use lane_call::LaneCall;
pub use names::NOT_IN_SCENE;
pub(super) use table::{find, functions, is_tagged, named};
#[cfg_attr(not(feature = "native"), allow(unused_imports, reason = "machine code reads it"))]
pub(super) use {attributes::Charge, intrinsic::Intrinsic};

/// The function that `x in y` calls.
pub(super) const IN: &str = "contains";
/// The function that makes a range of numbers.
pub(super) const RANGE: &str = "range";
