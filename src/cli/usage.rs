//! Errors of contradictory arguments.

/// The error of contradictory arguments, or of one that the command does not accept: exit status 2.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub(super) struct UsageError(pub(super) String);

/// Checks a condition of the arguments.
///
/// # Errors
/// The message unless `condition` is true.
pub(super) fn require(condition: bool, message: impl FnOnce() -> String) -> Result<(), UsageError> {
    if condition { Ok(()) } else { Err(UsageError(message())) }
}
