//! The condition at which the scene pauses.

use steerbox_script::Condition;

/// A condition that is watched.
pub(crate) struct PauseWhen {
    pub(crate) condition: Condition,
    /// The last step in which it was evaluated, and its value.
    pub(crate) last_value: Option<(u64, bool)>,
}
