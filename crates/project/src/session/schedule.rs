//! Inputs of a replay that are due after later steps of a session.

use std::collections::VecDeque;

use super::input::Input;

/// Inputs that are due after later steps, and the end of their run.
#[derive(Clone, Default)]
pub(super) struct Schedule {
    /// With the number of steps before each, in order.
    pub(super) inputs: VecDeque<(u64, Input)>,
    /// The number of steps at the end, and the state hash there, until it is reached.
    pub(super) end: Option<(u64, u64)>,
}
