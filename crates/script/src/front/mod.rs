//! The front end: from a text with its imports to a [`script::Script`], and to a [`program::Program`] with parameter
//! values folded in.

pub(super) mod condition;
pub(super) mod declared;
pub(super) mod imports;
mod not_finite;
pub(super) mod parse;
pub(super) mod program;
pub(super) mod script;
mod tried;
