//! Did-you-mean suggestions.

/// Maximum length of words that are compared, in bytes: a comparison costs the product of the lengths, and words come
/// from files.
const MAX_LENGTH: usize = 64;

/// Returns the candidate most similar to `word`, if it is similar enough.
///
/// Similarity is the Damerau–Levenshtein distance, ignoring case; at most a third of the longer word may differ. In a
/// tie, a candidate with the same first letter is preferred, then the alphabetically first; the order of the candidates
/// is irrelevant.
pub fn closest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    if word.len() > MAX_LENGTH {
        return None;
    }
    let lower = word.to_lowercase();
    let candidates = candidates.into_iter();
    candidates
        .filter(|candidate| candidate.len() <= MAX_LENGTH)
        .map(|candidate| {
            let distance = strsim::damerau_levenshtein(&lower, &candidate.to_lowercase());
            let is_other = candidate.chars().next() != word.chars().next();
            (distance, is_other, candidate)
        })
        .filter(|(distance, _, candidate)| {
            let longer = candidate.chars().count().max(lower.chars().count());
            candidate.chars().any(char::is_alphanumeric) && *distance * 3 <= longer.max(3)
        })
        .min()
        .map(|(_, _, candidate)| candidate)
}

/// Formats the help for [`closest`].
pub fn did_you_mean(word: &str) -> String {
    format!("did you mean `{word}`?")
}

/// Returns the help for the most similar candidate, if any is similar enough.
pub fn suggestion<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<String> {
    closest(word, candidates).map(did_you_mean)
}

/// [`suggestion`] for names in quotes.
pub fn quoted_suggestion<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<String> {
    closest(word, candidates).map(|near| format!("did you mean \"{near}\"?"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn similar_words_are_suggested_and_others_are_not() {
        let names = ["neighbors", "others", "enemies"];
        assert_eq!(closest("neighbours", names), Some("neighbors"));
        assert_eq!(closest("Enemies", names), Some("enemies"));
        assert_eq!(closest("position", names), None);
        assert_eq!(closest("x", ["."]), None);
        assert_eq!(closest(&"others".repeat(20), [&*"others".repeat(20)]), None);
    }

    #[test]
    fn ties_are_resolved_independently_of_the_order() {
        let mut names = ["x", "y", "z", "at", "b"];
        for _ in 0..names.len() {
            assert_eq!(closest("a", names), Some("at"));
            assert_eq!(closest("c", names), Some("b"));
            names.rotate_left(1);
        }
    }
}
