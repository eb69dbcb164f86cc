//! Sanitizing of text from files and arguments for terminals and logs.

use std::borrow::Cow;

/// Replaces each character that moves the cursor, breaks the line or changes the text direction by a visible one: control
/// characters by their pictures (`␍`), all others by `�`. The number of characters is preserved.
pub fn printable(text: &str) -> Cow<'_, str> {
    replaced(text, shown)
}

/// [`printable`] for a line of source; tabs are preserved.
pub fn printable_source(text: &str) -> Cow<'_, str> {
    replaced(text, |letter| if letter == '\t' { letter } else { shown(letter) })
}

fn replaced(text: &str, shown: impl Fn(char) -> char) -> Cow<'_, str> {
    if text.chars().all(|letter| shown(letter) == letter) {
        return Cow::Borrowed(text);
    }
    Cow::Owned(text.chars().map(shown).collect())
}

fn shown(letter: char) -> char {
    match letter {
        '\0'..='\u{1f}' => char::from_u32(0x2400 + u32::from(letter)).unwrap_or('\u{fffd}'),
        '\u{7f}' => '\u{2421}',
        // Controls beyond ASCII, line separators, and direction marks, overrides and isolates.
        '\u{80}'..='\u{9f}'
        | '\u{61c}'
        | '\u{200e}'
        | '\u{200f}'
        | '\u{2028}'..='\u{202e}'
        | '\u{2066}'..='\u{2069}' => '\u{fffd}',
        _ => letter,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters_that_move_the_cursor_or_reverse_the_text_are_replaced_one_by_one() {
        let hostile =
            "a\r\n\tb\u{1b}[31m\u{7f}\u{9b}\u{202a}\u{202e}\u{2066}\u{2069}\u{200e}\u{61c}\u{2028}\u{2029}";
        let shown = printable(hostile);
        assert_eq!(
            shown,
            "a␍␊␉b␛[31m␡\u{fffd}\u{fffd}\u{fffd}\u{fffd}\u{fffd}\u{fffd}\u{fffd}\u{fffd}\u{fffd}"
        );
        assert_eq!(shown.chars().count(), hostile.chars().count());
        assert_eq!(printable_source("\ta\r"), "\ta␍");
        assert!(matches!(printable_source("\ta"), Cow::Borrowed("\ta")));
    }

    #[test]
    fn other_text_is_unchanged() {
        for text in ["", "flock: 3 × ½ „Zug“", "日本 🐟 עברית", "e\u{301}\u{200d}"] {
            assert!(matches!(printable(text), Cow::Borrowed(same) if same == text));
        }
    }
}
