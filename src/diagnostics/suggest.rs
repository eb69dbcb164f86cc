//! Did-you-mean.

/// Longest word that is compared, in bytes: comparing costs the product of the lengths, and words
/// come from files.
const LONGEST: usize = 64;

/// The candidate nearest to `word`, if it is near enough to be what was meant.
///
/// Nearness is the Damerau–Levenshtein distance without regard to case; at most a third of the
/// longer word may differ. Of several that are equally near, one with the same first letter is taken,
/// else the first in the order of the alphabet, whatever the order of the candidates.
pub fn closest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    if word.len() > LONGEST {
        return None;
    }
    let lower = word.to_lowercase();
    let candidates = candidates.into_iter();
    candidates
        .filter(|candidate| candidate.len() <= LONGEST)
        .map(|candidate| {
            let distance = strsim::damerau_levenshtein(&lower, &candidate.to_lowercase());
            let is_other = candidate.chars().next() != word.chars().next();
            (distance, is_other, candidate)
        })
        .filter(|(distance, _, candidate)| {
            let longer = candidate.chars().count().max(lower.chars().count());
            *distance * 3 <= longer.max(3)
        })
        .min()
        .map(|(_, _, candidate)| candidate)
}

/// The help that goes with [`closest`].
pub fn did_you_mean(word: &str) -> String {
    format!("did you mean `{word}`?")
}

/// The help that names the candidate nearest to `word`, if one is near enough.
pub fn suggestion<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<String> {
    closest(word, candidates).map(did_you_mean)
}

/// As [`suggestion`], for names that stand in quotes.
pub fn quoted_suggestion<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<String> {
    closest(word, candidates).map(|near| format!("did you mean \"{near}\"?"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_words_are_suggested_and_far_ones_are_not() {
        let names = ["neighbors", "others", "enemies"];
        assert_eq!(closest("neighbours", names), Some("neighbors"));
        assert_eq!(closest("Enemies", names), Some("enemies"));
        assert_eq!(closest("position", names), None);
        assert_eq!(closest(&"others".repeat(20), [&*"others".repeat(20)]), None);
    }

    #[test]
    fn of_equally_near_words_the_same_is_suggested_whatever_their_order() {
        let mut names = ["x", "y", "z", "at", "b"];
        for _ in 0..names.len() {
            assert_eq!(closest("a", names), Some("at"));
            assert_eq!(closest("c", names), Some("b"));
            names.rotate_left(1);
        }
    }
}
