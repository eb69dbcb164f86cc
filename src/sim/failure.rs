//! Why a behavior failed.

use crate::diagnostics::same_words;

/// Why a behavior contributed nothing to a unit in a step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// Line in the script, from 1; 0 where there is none.
    pub line: usize,
    /// Column in the script, from 1; 0 where there is none.
    pub column: usize,
    /// The cause in the user's words.
    pub message: String,
    /// A likely remedy, if one is known.
    pub help: Option<String>,
    /// The file it happened in, if that is not the script itself but one that it imports.
    pub file: Option<String>,
    /// Whether a limit on work stopped it. Such a behavior is suspended from the next step on, until it is
    /// replaced; see [`super::SuspendReason`].
    pub exhausted: bool,
}

impl Failure {
    /// A failure at no place in a script.
    pub fn new(message: impl Into<String>) -> Self {
        Self { line: 0, column: 0, message: message.into(), help: None, file: None, exhausted: false }
    }

    /// That a contribution holds a number that is not finite.
    pub(super) fn not_finite() -> Self {
        Self::new("the contribution is not a finite number")
    }

    /// Whether both have one cause: they happened in one place, and say the same but for numbers.
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
