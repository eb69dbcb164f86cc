//! The front end: from a text with its imports to a [`script::Script`], and to a [`program::Program`] with parameter
//! values folded in.

pub(super) mod catalog;
pub(super) mod condition;
pub(super) mod constants;
pub(super) mod definitions;
pub(super) mod imported;
pub(super) mod imports;
pub(super) mod param;
pub(super) mod parse;
pub(super) mod program;
pub(super) mod script;
mod tried;
pub(super) mod unsupported;
