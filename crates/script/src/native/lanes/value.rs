//! Machine representation of values for eight units.

use cranelift_codegen::ir::Value;

/// A machine value for each of eight units.
#[derive(Clone, Copy, Debug)]
pub(in super::super) enum LaneValue {
    /// The same value in all lanes; a bool is a byte.
    Uniform(Value),
    /// Two vectors of four lanes; a bool is a mask of all bits.
    Varying([Value; 2]),
}

pub(super) use LaneValue::{Uniform, Varying};

/// The components of a value, as in [`super::super::emit`].
pub(super) type Parts = Vec<LaneValue>;
