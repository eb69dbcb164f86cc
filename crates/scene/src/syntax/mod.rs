//! Syntax of scenes: explanations of faults, from the RON parser's error and its position; and repairs, so that the rest of
//! a scene can be read.

mod brackets;
mod check;
mod innermost;
mod missing_comma;
mod mistakes;
mod repair;
mod repaired;

pub(super) use check::is_valid;
pub(super) use repair::{Parsed, parse};
pub(super) use repaired::Repaired;
