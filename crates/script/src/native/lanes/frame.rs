//! State of the functions and loops being emitted.

use cranelift_codegen::ir::Block;
use cranelift_frontend::Variable;

use super::value::Parts;
use crate::typed::ir::Function;

/// The state of an inlined function.
pub(super) struct Frame<'b> {
    pub(super) function: &'b Function,
    pub(super) locals: Vec<Place>,
    /// Its result so far; empty for the entry point.
    pub(super) result: Vec<[Variable; 2]>,
}

/// The storage of a local.
pub(super) enum Place {
    /// Not yet assigned.
    Unset,
    /// Assigned once; the value itself.
    Bound(Parts),
    /// Assigned several times; variables. A planar vector has only x and y.
    Variables(Vec<[Variable; 2]>),
}

/// The state of a loop.
pub(super) struct LoopState {
    /// The block of the next iteration.
    pub(super) next: Block,
    /// The lanes that take part in the next iteration, and the lanes that exited and continue after the loop.
    pub(super) continuing: [Variable; 2],
    pub(super) exited: [Variable; 2],
}
