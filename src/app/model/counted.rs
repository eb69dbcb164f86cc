//! Numbers with their nouns.

/// A number and its noun: "1 unit", "2 units".
pub(crate) fn counted(count: usize, [one, many]: [&str; 2]) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}

/// So many units, in words.
pub(crate) fn units_of(count: usize) -> String {
    counted(count, ["unit", "units"])
}
