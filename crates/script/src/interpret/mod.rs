//! The interpreter: the sandboxed engine, its limits, the state of a call, and the wording of its errors.

pub(super) mod budget;
pub(super) mod call;
pub(super) mod charges;
pub(super) mod engine;
pub(super) mod environment;
pub(super) mod explain;
pub(super) mod flow;
pub(super) mod loop_order;
pub(super) mod measure;
pub(super) mod reloaded;
pub(super) mod unit_call;
