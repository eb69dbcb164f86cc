//! Brackets and numbers in the pieces of a text: the matching bracket, and numbers that the pointer drags.

use std::ops::Range;

use steerbox_script::{PieceKind as Kind, pieces};

/// Returns the offsets of the bracket at a cursor, an offset in bytes, and of the one that it belongs to, in the pieces of a
/// text.
pub(crate) fn matching(text: &str, pieces: &[(Range<usize>, Kind)], cursor: usize) -> Option<[usize; 2]> {
    let is_bracket = |at: usize| text.as_bytes().get(at).is_some_and(|byte| b"()[]{}".contains(byte));
    if !is_bracket(cursor) && !cursor.checked_sub(1).is_some_and(is_bracket) {
        return None;
    }
    let (mut open, mut pairs) = (Vec::new(), Vec::new());
    for (range, kind) in pieces.iter().cloned() {
        match (kind, &text[range.clone()]) {
            (Kind::Bracket, bracket @ ("(" | "[" | "{" | "#{")) => {
                open.push((range.end - 1, bracket.trim_start_matches('#')));
            }
            (Kind::Bracket, bracket) => {
                let (start, opening) = open.pop()?;
                let fits = matches!((opening, bracket), ("(", ")") | ("[", "]") | ("{", "}"));
                pairs.push(fits.then_some([start, range.start])?);
            }
            _ => {}
        }
    }
    let at = |bracket: usize| pairs.iter().find(|pair| pair.contains(&bracket)).copied();
    cursor.checked_sub(1).and_then(at).or_else(|| at(cursor))
}

/// Returns the byte range of the number at an offset, with its sign.
pub(crate) fn number_at(text: &str, offset: usize) -> Option<Range<usize>> {
    let pieces = pieces(text);
    let found = pieces.iter().position(|(range, kind)| *kind == Kind::Number && range.contains(&offset))?;
    let range = pieces[found].0.clone();
    let before = text[..range.start].strip_suffix('-');
    let is_sign = before.is_some_and(|before| {
        let last = before.trim_end().chars().next_back();
        last.is_none_or(|last| "([{,=:+-*/%<>&|!;".contains(last))
    });
    Some(range.start - usize::from(is_sign)..range.end)
}

/// Returns a number that was dragged over some points, in the notation of the original; `None` if that is not a number.
pub(crate) fn dragged(original: &str, points: f32) -> Option<String> {
    const POINTS_PER_STEP: f32 = 3.0;
    let value: f64 = original.replace('_', "").parse().ok()?;
    let decimals = original
        .split_once('.')
        .map_or(0, |(_, fraction)| fraction.chars().take_while(char::is_ascii_digit).count().clamp(1, 6));
    let least = libm::pow(10.0, -(decimals as f64));
    let size = libm::floor(libm::log10((value.abs() / least).max(1.0)));
    let step = least * libm::pow(10.0, (size - 2.0).max(0.0));
    let moved = value + f64::from((points / POINTS_PER_STEP).round()) * step;
    moved.is_finite().then(|| {
        let text = format!("{moved:.decimals$}");
        if text.trim_start_matches(['-', '0', '.']).is_empty() { text.replace('-', "") } else { text }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn kinds(text: &str) -> Vec<(&str, Kind)> {
        pieces(text).into_iter().map(|(range, kind)| (&text[range], kind)).collect()
    }

    #[test]
    fn numbers_end_before_ranges_and_methods() {
        let numbers = |text: &'static str| -> Vec<&str> {
            kinds(text).into_iter().filter(|(_, kind)| *kind == Kind::Number).map(|(text, _)| text).collect()
        };
        assert_eq!(
            numbers("0..5 1.5e-3 2. 3.max(4) 1_000 7e x9"),
            ["0", "5", "1.5e-3", "2.", "3", "4", "1_000", "7"]
        );
    }

    #[test]
    fn comments_and_texts_contain_no_brackets() {
        let text = "f(\")\", /* ) */ [1]) // (";
        assert_eq!(matching(text, &pieces(text), 1), Some([1, 18]));
        assert_eq!(matching(text, &pieces(text), 19), Some([1, 18]));
        assert_eq!(matching(text, &pieces(text), 16), Some([15, 17]));
        assert_eq!(matching("(]", &pieces("(]"), 0), None);
    }

    #[test]
    fn the_sign_belongs_to_a_number_unless_it_subtracts() {
        let at = |text: &'static str, offset| number_at(text, offset).map(|range| &text[range]);
        assert_eq!(at("x = -0.5;", 6), Some("-0.5"));
        assert_eq!(at("x -0.5", 4), Some("0.5"));
        assert_eq!(at("(-3, 4)", 2), Some("-3"));
        assert_eq!(at("(-3, 4)", 4), None);
    }

    #[test]
    fn a_dragged_number_has_the_notation_of_the_original() {
        let by = |text: &str, points| dragged(text, points).expect("it is a number");
        assert_eq!(by("1.0", 9.0), "1.3");
        assert_eq!(by("0.25", -30.0), "0.15");
        assert_eq!(by("0.1", -3.0), "0.0");
        assert_eq!(by("2", -9.0), "-1");
        assert_eq!(by("100.0", 3.0), "101.0");
        assert_eq!(by("3000", 3.0), "3010");
        assert_eq!(by("2.", 3.0), "2.1");
        assert_eq!(dragged("x", 1.0), None);
    }

    proptest! {
        #[test]
        fn pieces_cover_any_text(text in "[ -~äé\n\"`/*(){}0-9.e_-]{0,80}") {
            let pieces = pieces(&text);
            let joined: String = pieces.iter().map(|(range, _)| &text[range.clone()]).collect();
            prop_assert_eq!(joined, &*text);
            for offset in 0..=text.len() {
                matching(&text, &pieces, offset);
                number_at(&text, offset);
            }
        }
    }
}
