//! Numbers with their nouns.

/// A number and its noun: "1 unit", "2 units".
pub(in crate::app) fn counted(count: usize, [one, many]: [&str; 2]) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}

/// So many units, in words.
pub(in crate::app) fn units_of(count: usize) -> String {
    counted(count, ["unit", "units"])
}
