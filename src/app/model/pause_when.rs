//! The condition at which the scene pauses.

use crate::script::Condition;

/// A condition that is watched.
pub(in crate::app) struct PauseWhen {
    pub(in crate::app) condition: Condition,
    /// The step that it was last looked at, and whether it was true then.
    pub(in crate::app) seen: Option<(u64, bool)>,
}
