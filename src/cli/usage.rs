//! Arguments that contradict each other.

/// The arguments do not fit together, or one of them cannot be meant: exit status 2.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub(super) struct UsageError(String);

/// # Errors
/// With this message unless a condition of the arguments holds.
pub(super) fn require(holds: bool, message: impl FnOnce() -> String) -> Result<(), UsageError> {
    if holds { Ok(()) } else { Err(UsageError(message())) }
}
