//! Numbers with their nouns.

use crate::diagnostics::counted;

/// Returns a number of units in words.
pub(crate) fn units_of(count: usize) -> String {
    counted(count, ["unit", "units"])
}
