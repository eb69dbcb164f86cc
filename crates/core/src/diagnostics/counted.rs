//! Numbers with their nouns.

use std::fmt::Display;

/// Returns a number and its noun in the singular or the plural: "1 unit", "2 units".
pub fn counted<N: Copy + Display + PartialEq + From<u8>>(count: N, [one, many]: [&str; 2]) -> String {
    let noun = if count == N::from(1) { one } else { many };
    format!("{count} {noun}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_alone_has_a_noun_in_the_singular() {
        let steps = [0_u64, 1, 2].map(|count| counted(count, ["step", "steps"]));
        assert_eq!(steps, ["0 steps", "1 step", "2 steps"]);
    }
}
