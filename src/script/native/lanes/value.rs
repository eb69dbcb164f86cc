//! Values of eight units.

use cranelift_codegen::ir::Value;

/// A machine value for each of eight units.
#[derive(Clone, Copy, Debug)]
pub(in super::super) enum LaneValue {
    /// The same for all: a single value, a switch being a byte.
    Uniform(Value),
    /// Four and four; of a switch, all bits are set or none.
    Varying([Value; 2]),
}

pub(super) use LaneValue::{Uniform, Varying};

/// The parts of one value, as of [`super::super::emit`].
pub(super) type Parts = Vec<LaneValue>;
