//! Names and keywords of other languages and tools, with their equivalents here.
//!
//! The review and run-time errors share one table. It is searched only for unknown names, so a row can never hide a
//! name of the API.

mod row;
mod rows;
mod words;

pub(super) use words::{By, is_nothing, leading_operator, operator, replacement, word};

pub(super) use row::On;
use row::Row;
use rows::ROWS;

/// Returns the equivalent of an unknown name.
pub(super) fn help(on: On<'_>, name: &str) -> Option<String> {
    let mut found = ROWS.iter().filter(|Row(of, words, _)| {
        of.iter().any(|of| of.fits(on)) && words.split(' ').any(|word| is_same(word, name))
    });
    let Row(.., help) = found.next()?;
    found.all(|Row(.., other)| other == help).then(|| (*help).to_owned())
}

/// Calls with too few arguments, and the same with the usual values of the missing ones, as remedies.
const USUAL: [(&str, usize, &str); 4] = [
    ("turn", 1, "write `x`"),
    ("vec", 1, "write `vec(x, 0.0)`"),
    ("clamp", 2, "write `clamp(x, 0.0, most)`"),
    ("range", 1, "write `range(0, n)`"),
];

/// Returns the remedy for a call with too few arguments, if the missing ones have usual values.
pub(super) fn usual_arguments(name: &str, count: usize) -> Option<&'static str> {
    let found = USUAL.iter().find(|(known, given, _)| (*known, *given) == (name, count));
    found.map(|(.., remedy)| *remedy)
}

/// Returns true if two words are equal but for case and `_`.
fn is_same(a: &str, b: &str) -> bool {
    let letters = |word| str::chars(word).filter(|c| *c != '_').flat_map(char::to_lowercase);
    letters(a).eq(letters(b))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::row::Of;
    use super::*;
    use crate::interpret::catalog;
    use crate::syntax::text::is_part_of_name;

    fn kinds(of: Of) -> Vec<crate::types::Kind> {
        let [me, world] = catalog::arguments("steer");
        let gives = |kind, name| {
            let entry = catalog::property("get$", kind, name);
            entry.and_then(|entry| entry.returns).unwrap()
        };
        let list = gives(me, "neighbors");
        let unit = list.element().unwrap();
        let obstacles = gives(world, "obstacles");
        match of {
            Of::Vector => vec![gives(me, "position")],
            Of::Me => vec![me],
            Of::Unit => vec![me, unit],
            Of::List => vec![list],
            Of::Members => vec![crate::types::Kind::Members],
            Of::Obstacles => vec![obstacles],
            Of::Obstacle => vec![obstacles.element().unwrap()],
            Of::World => vec![world],
            Of::Number => vec![crate::types::Kind::Number, crate::types::Kind::Integer],
            Of::Name | Of::Call | Of::Array | Of::Map | Of::String => Vec::new(),
        }
    }

    #[test]
    fn every_word_is_found_once_for_each_of_its_kinds() {
        let mut seen = BTreeSet::new();
        for Row(of, words, help) in ROWS {
            for (of, word) in of.iter().flat_map(|of| words.split(' ').map(move |word| (of, word))) {
                let plain = word.replace('_', "").to_lowercase();
                assert!(seen.insert((format!("{of:?}"), plain)), "{of:?} {word} twice");
                assert!(!help.is_empty() && !help.ends_with('.'), "{help}");
            }
        }
    }

    #[test]
    fn names_after_a_dot_in_remedies_exist() {
        for Row(of, _, help) in ROWS {
            for kind in of.iter().flat_map(|of| kinds(*of)) {
                let Some(name) = help.strip_prefix("write `.") else {
                    continue;
                };
                let end = name.find(|c| !is_part_of_name(c));
                let name = &name[..end.unwrap_or(name.len())];
                let known = catalog::names(Some(kind)).any(|known| known == name);
                assert!(known, "{} has no `{name}`", kind.name());
            }
        }
    }

    #[test]
    fn words_match_without_regard_to_case_and_underscores() {
        let vector = On::Kind("a vector");
        for name in ["setMag", "set_mag", "SetMag"] {
            assert_eq!(help(vector, name).unwrap(), "write `v.normalized * length`");
        }
        assert_eq!(help(On::Kind("a unit"), "setMag"), None);
        assert!(help(On::Anything, "magnitude").is_some());
        assert_eq!(help(On::Anything, "get"), None, "of vectors and of lists");
        assert!(help(On::Call, "createVector").is_some());
    }
}
