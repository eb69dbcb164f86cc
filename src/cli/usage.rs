//! Arguments that contradict each other.

/// Arguments that contradict each other, or one that the command does not accept: exit status 2.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub(super) struct UsageError(pub(super) String);

/// Checks a condition of the arguments.
///
/// # Errors
/// With this message unless it holds.
pub(super) fn require(holds: bool, message: impl FnOnce() -> String) -> Result<(), UsageError> {
    if holds { Ok(()) } else { Err(UsageError(message())) }
}
