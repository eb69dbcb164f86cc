//! Scores of names as matches of typed letters.

/// The score of `name` as a match of `typed`; `None` without a match. The letters of `typed` must occur in this order;
/// in a word, only after its first letter. A contiguous match scores higher, and one at the start of a word highest.
pub(crate) fn fit(typed: &str, name: &str) -> Option<i32> {
    let (typed, name) = (typed.trim().to_lowercase(), name.to_lowercase());
    let wanted: Vec<char> = typed.chars().filter(|c| !c.is_whitespace()).collect();
    let begins = |(at, _): (usize, &str)| !name[..at].ends_with(char::is_alphanumeric);
    let fit = match name.match_indices(typed.as_str()).map(begins).max() {
        Some(true) => 1000,
        Some(false) => 500,
        None => starts(&wanted, &name)? * 10,
    };
    // Among equal matches, a shorter name scores higher.
    let length = i32::try_from(name.len()).unwrap_or(i32::MAX).min(99);
    Some(fit * 100 - length)
}

/// The most words of `name` that begin with a letter of `wanted`, if all its letters come in these words in order.
fn starts(wanted: &[char], name: &str) -> Option<i32> {
    if wanted.len() > name.len() {
        return None;
    }
    // The most words for each number of letters found so far.
    let mut most = vec![None; wanted.len() + 1];
    most[0] = Some(0);
    for word in name.split(|c: char| !c.is_alphanumeric()) {
        for (from, words) in most.clone().into_iter().enumerate() {
            let (Some(words), Some(first)) = (words, wanted.get(from)) else { continue };
            let mut letters = word.chars();
            let mut found = from + usize::from(letters.next() == Some(*first));
            while found > from {
                most[found] = most[found].max(Some(words + 1));
                match letters.next() {
                    Some(letter) => found += usize::from(wanted.get(found) == Some(&letter)),
                    None => break,
                }
            }
        }
    }
    most[wanted.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn typed_letters_match_names_that_contain_them_in_order() {
        assert_eq!(fit("xq", "pause or resume"), None);
        assert_eq!(fit("psr", "pause or resume").map(|_| ()), Some(()));
        assert_eq!(fit("ruser", "pause or resume"), None, "in this order");
        assert!(fit("", "anything").is_some());
        assert!(fit("res", "restart") > fit("res", "pause or resume at the first step"));
        assert!(fit("fw", "fit the world") > fit("fw", "flow"), "words begin there");
        for (typed, name) in
            [("new", "fit the world into the window"), ("video", "velocity and force of all units")]
        {
            assert_eq!(fit(typed, name), None, "{typed}");
        }
        assert_eq!(fit(&"p".repeat(1 << 20), "pause or resume"), None);
        assert!(fit("Trail", "trails") > fit("trail", "the rail"));
        assert!(fit("plot", "plots") > fit("plot", "Plots of all groups"));
        assert!(fit("sta", "restart") > fit("sta", "save the plots as CSV"), "in one piece");
    }
}
