//! The table of all names that scripts can use, with one row for each property and function.
//!
//! A row is a signature, one line of documentation, and a Rust function, whose types are the types of the row.
//! Everything else derives from the rows: the interpreter's functions, suggestions in messages, the types for the
//! compiler, the functions that machine code calls, the declarations for editors and the tables of `docs/scripting.md`.
//! To add a function, add its row. If it is hot, its row names an [`Intrinsic`], for which `native/intrinsics.rs`
//! has the instructions.

mod attributes;
pub(crate) mod collections;
mod docs;
mod function;
mod grids;
mod group;
mod host;
mod intrinsic;
mod lane_call;
mod lists;
mod me;
mod names;
mod native_fn;
mod numbers;
pub(crate) mod obstacles;
mod paths;
mod population;
mod table;
mod units;
pub(crate) mod values;
mod vectors;
mod work;
mod world;

pub use attributes::Need;
pub(super) use attributes::{Effect, ListRole, Tag};
pub use docs::{ApiRow, api_rows, api_tables};
pub(super) use function::{CallForm, Function};
pub(super) use host::{Host, HostCall};
pub(super) use lane_call::LaneCall;
pub use names::NOT_IN_SCENE;
pub(super) use table::{find, functions, is_tagged, named};
#[cfg_attr(not(feature = "native"), allow(unused_imports, reason = "only machine code uses it"))]
pub(super) use {
    attributes::Charge,
    intrinsic::{IntegerOp, Intrinsic, ListOp, SpecialOp, UnitOp, ValueOp},
};

/// The function of `x in y`.
pub(super) const IN: &str = "contains";
/// The function that creates a vector.
pub(super) const VECTOR: &str = "vec";
/// The method that compares a unit with a kind; in other languages, an operator.
pub(super) const IS: &str = "is";
/// The function that creates a range of numbers.
pub(super) const RANGE: &str = "range";
