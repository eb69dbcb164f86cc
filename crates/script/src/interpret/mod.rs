//! The interpreter: the sandboxed engine with the functions of the API, the state of a call, imported files, the static
//! cost of statements, and the wording of errors.

pub(super) mod call;
pub(super) mod catalog;
pub(super) mod charges;
pub(super) mod constants;
pub(super) mod cost;
pub(super) mod engine;
pub(super) mod environment;
pub(super) mod explain;
pub(super) mod functions;
pub(super) mod imported;
pub(super) mod loop_order;
pub(super) mod memory;
mod params;
