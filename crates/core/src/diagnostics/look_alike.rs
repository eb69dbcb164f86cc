//! Characters of word processors and web pages in place of those of code.

use super::fix::Fix;
use crate::text::TextEdit;

/// Characters, their names in Unicode, and the characters of code.
const CHARACTERS: [(char, &str, &str); 18] = [
    ('\u{2212}', "minus sign", "-"),
    ('\u{2010}', "hyphen", "-"),
    ('\u{2011}', "non-breaking hyphen", "-"),
    ('\u{2013}', "en dash", "-"),
    ('\u{2014}', "em dash", "-"),
    ('\u{a0}', "no-break space", " "),
    ('\u{2007}', "figure space", " "),
    ('\u{2009}', "thin space", " "),
    ('\u{202f}', "narrow no-break space", " "),
    ('\u{3000}', "ideographic space", " "),
    ('\u{2028}', "line separator", "\n"),
    ('\u{2029}', "paragraph separator", "\n"),
    ('\u{ad}', "soft hyphen", ""),
    ('\u{200b}', "zero width space", ""),
    ('\u{200c}', "zero width non-joiner", ""),
    ('\u{200d}', "zero width joiner", ""),
    ('\u{2060}', "word joiner", ""),
    ('\u{feff}', "byte order mark", ""),
];
/// Quotes around texts in place of `"`.
const QUOTES: &str = "“”„«»‘’";
/// Offset of the full-width forms of printable ASCII.
const FULL_WIDTH: u32 = 0xfee0;

/// A character that looks like one of code, at the start of a text.
pub struct LookAlike {
    /// The code point and the name: `U+2212 (minus sign)`.
    pub name: String,
    /// The remedy.
    pub help: String,
    /// The replacement.
    pub fix: Fix,
}

impl LookAlike {
    /// Returns true for a character that looks like one of code.
    pub fn is(c: char) -> bool {
        !c.is_ascii()
            && (QUOTES.contains(c)
                || CHARACTERS.iter().any(|row| row.0 == c)
                || ('\u{ff01}'..='\u{ff5e}').contains(&c))
    }

    /// Returns the character at an offset in `text` if it looks like one of code.
    pub fn at(text: &str, at: usize) -> Option<Self> {
        let found = text[at..].chars().next()?;
        let here = at..at + found.len_utf8();
        let name = |name: &str| format!("U+{:04X} ({name})", u32::from(found));
        if QUOTES.contains(found) {
            let help = "write straight quotes: \"leader\"".to_owned();
            let fix = quotes(text, at).unwrap_or_else(|| Fix::replace("write `\"`", here, "\""));
            return Some(Self { name: name("a typographic quote"), help, fix });
        }
        let wide =
            || char::from_u32(u32::from(found).checked_sub(FULL_WIDTH)?).filter(char::is_ascii_graphic);
        let row = CHARACTERS.iter().find(|row| row.0 == found);
        let (known, plain) = match row {
            Some((_, known, plain)) => (*known, (*plain).to_owned()),
            None => ("full-width form", wide()?.to_string()),
        };
        let help = match plain.as_str() {
            "" => "leave it out".to_owned(),
            " " => "write a space".to_owned(),
            "\n" => "write a line break".to_owned(),
            plain => format!("write `{plain}`"),
        };
        Some(Self { name: name(known), fix: Fix::replace(help.clone(), here, plain), help })
    }
}

/// Returns the fix of quotes of another kind around a text that begins at an offset.
pub fn quotes(text: &str, at: usize) -> Option<Fix> {
    let is_quote = |c: char| QUOTES.contains(c) || c == '\'';
    let rest = &text[at..];
    let first = rest.chars().next().filter(|first| is_quote(*first))?;
    let (end, last) = rest.lines().next()?.char_indices().skip(1).find(|(_, c)| is_quote(*c))?;
    let edit = |at: usize, c: char| TextEdit::replace(at..at + c.len_utf8(), "\"");
    Some(Fix::new("write straight quotes", vec![edit(at, first), edit(at + end, last)]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters_have_their_code_point_and_a_replacement() {
        for (text, name, help, fixed) in [
            ("−1", "U+2212 (minus sign)", "write `-`", "-1"),
            ("\u{a0}x", "U+00A0 (no-break space)", "write a space", " x"),
            ("\u{200b}x", "U+200B (zero width space)", "leave it out", "x"),
            ("，x", "U+FF0C (full-width form)", "write `,`", ",x"),
            ("“a” x", "U+201C (a typographic quote)", "write straight quotes: \"leader\"", "\"a\" x"),
            ("“a", "U+201C (a typographic quote)", "write straight quotes: \"leader\"", "\"a"),
        ] {
            let found = LookAlike::at(text, 0).expect(text);
            assert_eq!((&*found.name, &*found.help), (name, help));
            assert_eq!(crate::text::apply(text, &found.fix.edits).as_deref(), Some(fixed), "{text}");
        }
        for text in ["-1", " ", "\"a\"", "é", ""] {
            assert!(LookAlike::at(text, 0).is_none(), "{text}");
        }
    }
}
