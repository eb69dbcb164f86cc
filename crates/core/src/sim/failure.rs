//! Failures of behaviors.

use crate::diagnostics::same_words;

/// The reason why a behavior contributed nothing to a unit in a step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// Line in the script, from 1; 0 if unknown.
    pub line: usize,
    /// Column in the script, from 1; 0 if unknown.
    pub column: usize,
    /// The error message.
    pub message: String,
    /// A suggested fix, if known.
    pub help: Option<String>,
    /// The imported file in which it happened; `None` for the script itself.
    pub file: Option<String>,
    /// True if a work limit was exceeded. The behavior is then suspended from the next step on, until it is replaced;
    /// see [`super::SuspendReason`].
    pub exhausted: bool,
}

impl Failure {
    /// Creates a failure without a position.
    pub fn new(message: impl Into<String>) -> Self {
        Self { line: 0, column: 0, message: message.into(), help: None, file: None, exhausted: false }
    }

    /// The failure of a contribution that is not finite.
    pub(super) fn not_finite() -> Self {
        Self::new("the contribution is not a finite number")
    }

    /// Returns true if both have the same cause: the same position, and the same message except for numbers.
    pub fn has_cause_of(&self, other: &Self) -> bool {
        (self.line, self.column, self.exhausted) == (other.line, other.column, other.exhausted)
            && self.file == other.file
            && same_words(&self.message, &other.message)
    }
}

/// A failure of a behavior for one unit.
#[derive(Debug)]
pub(super) struct UnitFailure {
    pub(super) unit: usize,
    pub(super) slot: usize,
    pub(super) failure: Failure,
}
