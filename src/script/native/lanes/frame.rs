//! Functions that are being emitted.

use cranelift_frontend::Variable;

use super::value::Parts;
use crate::script::typed::form::Function;

/// A function that is being emitted.
pub(super) struct Frame<'b> {
    pub(super) function: &'b Function,
    pub(super) locals: Vec<Place>,
    /// What it returned so far; nothing for the entry.
    pub(super) result: Vec<[Variable; 2]>,
}

/// Where the value of a local is.
pub(super) enum Place {
    /// Nowhere yet.
    Unset,
    /// It is set once, and so is the value itself.
    Bound(Parts),
    /// It changes.
    Kept(Vec<[Variable; 2]>),
}
