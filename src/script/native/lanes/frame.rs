//! Functions and loops that are being emitted.

use cranelift_codegen::ir::Block;
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
    /// It changes. Of a vector that is planar, only x and y are kept.
    Kept(Vec<[Variable; 2]>),
}

/// A loop that is being emitted.
pub(super) struct LoopState {
    /// Where the next round begins.
    pub(super) next: Block,
    /// The lanes that go on with it, and those that exited it and go on after it.
    pub(super) continuing: [Variable; 2],
    pub(super) exited: [Variable; 2],
}
