//! Numbers with their nouns.

use steerbox_core::diagnostics::counted;

/// Returns a number of units in words.
pub(crate) fn units_of(count: usize) -> String {
    counted(count, ["unit", "units"])
}
