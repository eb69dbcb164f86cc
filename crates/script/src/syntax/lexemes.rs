//! Splits a text that need not parse into lexemes, comments included.

use std::ops::Range;

use steerbox_core::diagnostics::block_comment;

/// Symbols of several characters, longest first.
const SYMBOLS: [&str; 31] = [
    "<<=", ">>=", "**=", "..=", "===", "!==", "==", "!=", "<=", ">=", "&&", "||", "??", "?.", "?[", "::",
    "=>", "->", "..", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "**", "<<", ">>", "#{",
];

/// The kind of a lexeme.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LexemeKind {
    /// A comment, without the line ending.
    Comment,
    /// A text or character in quotes; one with `${…}` is a single lexeme.
    Text,
    /// A number.
    Number,
    /// A name or keyword.
    Word,
    /// `(`, `[` or `{`; a map's `#{` counts as `{`.
    Open(char),
    /// `)`, `]` or `}`.
    Close(char),
    /// A `;`.
    End,
    /// An operator or another symbol.
    Symbol,
}

/// A lexeme and its range, bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lexeme {
    /// Its kind.
    pub kind: LexemeKind,
    /// Its range.
    pub range: Range<usize>,
}

/// Returns true for a character that may be part of a name.
pub(crate) fn is_part_of_name(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// Returns the lexemes of a text without white space. An unclosed comment ends with the text, an unclosed quotation with
/// its line.
pub fn lexemes(text: &str) -> Vec<Lexeme> {
    let (mut found, mut at) = (Vec::new(), 0);
    loop {
        at += text[at..].len() - text[at..].trim_start().len();
        if at == text.len() {
            return found;
        }
        let rest = &text[at..];
        let (kind, length) = first(rest).unwrap_or_else(|kind| {
            let is_line = kind == LexemeKind::Text && !rest.starts_with('`');
            let end = rest.find('\n').filter(|_| is_line).unwrap_or(rest.len());
            (kind, rest[..end].trim_end().len())
        });
        found.push(Lexeme { kind, range: at..at + length });
        at += length;
    }
}

/// Returns the end of the first statement's code, and the lexeme after it: its `;`, or the bracket that closes the block
/// around it.
pub(crate) fn statement_end(lexemes: &[Lexeme]) -> Option<(usize, &Lexeme)> {
    let (mut depth, mut end) = (0_usize, 0);
    for one in lexemes.iter().filter(|one| one.kind != LexemeKind::Comment) {
        match one.kind {
            LexemeKind::Open(_) => depth += 1,
            LexemeKind::Close(_) | LexemeKind::End if depth == 0 => return Some((end, one)),
            LexemeKind::Close(_) => depth -= 1,
            _ => {}
        }
        end = one.range.end;
    }
    None
}

/// Returns kind and length of the lexeme at the start of `rest`, which begins with no white space.
///
/// # Errors
/// With the kind of a comment or a text that is not closed.
pub(super) fn first(rest: &str) -> Result<(LexemeKind, usize), LexemeKind> {
    let Some(head) = rest.chars().next() else {
        return Ok((LexemeKind::Symbol, 0));
    };
    if rest.starts_with("//") {
        return Ok((LexemeKind::Comment, rest.find('\n').unwrap_or(rest.len())));
    }
    if rest.starts_with("/*") {
        let length = block_comment(rest).ok_or(LexemeKind::Comment)?;
        return Ok((LexemeKind::Comment, length));
    }
    Ok(match head {
        '"' | '`' => (LexemeKind::Text, quoted(rest, head).ok_or(LexemeKind::Text)?),
        '\'' => quoted(rest, head).map_or((LexemeKind::Symbol, 1), |length| (LexemeKind::Text, length)),
        '(' | '[' | '{' => (LexemeKind::Open(head), 1),
        ')' | ']' | '}' => (LexemeKind::Close(head), 1),
        ';' => (LexemeKind::End, 1),
        '0'..='9' => (LexemeKind::Number, number(rest)),
        _ if is_part_of_name(head) => (LexemeKind::Word, word(rest)),
        _ => match SYMBOLS.iter().find(|symbol| rest.starts_with(*symbol)) {
            Some(&"#{") => (LexemeKind::Open('{'), 2),
            Some(symbol) => (LexemeKind::Symbol, symbol.len()),
            None => (LexemeKind::Symbol, head.len_utf8()),
        },
    })
}

fn word(rest: &str) -> usize {
    rest.find(|c| !is_part_of_name(c)).unwrap_or(rest.len())
}

/// Returns the length of a number. A range such as `0..5` contains two; in `1.max(2)`, the dot is not part of it.
fn number(rest: &str) -> usize {
    if rest.starts_with("0x") || rest.starts_with("0b") || rest.starts_with("0o") {
        return word(rest);
    }
    let digits = |from: usize| {
        rest[from..]
            .find(|c: char| !c.is_ascii_digit() && c != '_')
            .map_or(rest.len(), |length| from + length)
    };
    let whole = digits(0);
    let next = |at: usize| rest[at..].chars().next();
    let has_fraction = next(whole) == Some('.')
        && next(whole + 1).is_none_or(|c| !(c == '.' || c.is_alphabetic() || c == '_'));
    let mantissa = if has_fraction { digits(whole + 1) } else { whole };
    let exponent = rest[mantissa..].strip_prefix(['e', 'E']).map(|power| {
        let sign = power.len() - power.strip_prefix(['+', '-']).unwrap_or(power).len();
        (mantissa + 1 + sign, digits(mantissa + 1 + sign))
    });
    exponent.map_or(mantissa, |(from, end)| if end > from { end } else { mantissa })
}

/// Returns the length in bytes of the quoted text at the start of `rest`. Only backticks may span lines.
fn quoted(rest: &str, quote: char) -> Option<usize> {
    let mut escaped = false;
    for (at, letter) in rest.char_indices().skip(1) {
        match letter {
            '\n' if quote != '`' && !escaped => return None,
            _ if escaped => escaped = false,
            '\\' if quote != '`' => escaped = true,
            letter if letter == quote => return Some(at + 1),
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str) -> Vec<String> {
        lexemes(text).into_iter().map(|one| format!("{:?} {}", one.kind, &text[one.range])).collect()
    }

    #[test]
    fn a_text_is_split_into_lexemes_with_comments() {
        let found = shown("//! Ä\nlet a=1.5e-3..=2; /* x */ m = #{ b: \"c;\" };'q'");
        assert_eq!(
            found,
            [
                "Comment //! Ä",
                "Word let",
                "Word a",
                "Symbol =",
                "Number 1.5e-3",
                "Symbol ..=",
                "Number 2",
                "End ;",
                "Comment /* x */",
                "Word m",
                "Symbol =",
                "Open('{') #{",
                "Word b",
                "Symbol :",
                "Text \"c;\"",
                "Close('}') }",
                "End ;",
                "Text 'q'",
            ]
        );
    }

    #[test]
    fn unclosed_lexemes_end_with_the_line_or_the_text() {
        assert_eq!(shown("a \"b c \nd"), ["Word a", "Text \"b c", "Word d"]);
        assert_eq!(shown("a /* b\nc"), ["Word a", "Comment /* b\nc"]);
        assert_eq!(
            shown("1.max(2) don't"),
            [
                "Number 1",
                "Symbol .",
                "Word max",
                "Open('(') (",
                "Number 2",
                "Close(')') )",
                "Word don",
                "Symbol '",
                "Word t",
            ]
        );
    }
}
