//! Tokens of a scene's text, so that brackets, commas and colons are distinguished from those in texts and comments.

use std::ops::Range;

use steerbox_core::diagnostics::block_comment;

/// The kind of a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TokenKind {
    /// `(`, `[` or `{`.
    Open(char),
    /// `)`, `]` or `}`.
    Close(char),
    /// `,`.
    Comma,
    /// `:`.
    Colon,
    /// A text or character in quotes.
    Quoted,
    /// A line or block comment.
    Comment,
    /// Letters, digits and signs, up to white space or another token.
    Plain,
}

/// A token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Token {
    /// The kind of the token.
    pub kind: TokenKind,
    /// Its bytes in the text.
    pub range: Range<usize>,
}

/// Length of `\u{10ffff}` in bytes.
const MAX_ESCAPE: usize = 10;

/// Returns the tokens of `text`, which may be invalid: an unclosed token extends to the end.
pub fn tokens(text: &str) -> impl Iterator<Item = Token> {
    let bytes = text.as_bytes();
    let mut at = 0;
    std::iter::from_fn(move || {
        while text_space(text, at) > 0 {
            at += text_space(text, at);
        }
        let kind = match bytes.get(at)? {
            open @ (b'(' | b'[' | b'{') => TokenKind::Open(char::from(*open)),
            close @ (b')' | b']' | b'}') => TokenKind::Close(char::from(*close)),
            b',' => TokenKind::Comma,
            b':' => TokenKind::Colon,
            _ => return Some(longer(text, &mut at)),
        };
        at += 1;
        let range = at - 1..at;
        Some(Token { kind, range })
    })
}

/// Returns the length in bytes of the white-space character at `at`, or 0.
fn text_space(text: &str, at: usize) -> usize {
    match text.as_bytes().get(at) {
        Some(byte) if byte.is_ascii() => usize::from(byte.is_ascii_whitespace() || *byte == 0x0b),
        Some(_) => {
            let first = text[at..].chars().next();
            first.filter(|c| c.is_whitespace()).map_or(0, char::len_utf8)
        }
        None => 0,
    }
}

/// Reads a token of more than one character.
fn longer(text: &str, at: &mut usize) -> Token {
    let start = *at;
    let rest = &text[start..];
    let (kind, length) = match rest.as_bytes() {
        [b'/', b'/', ..] => (TokenKind::Comment, rest.find('\n').unwrap_or(rest.len())),
        [b'/', b'*', ..] => (TokenKind::Comment, block_comment(rest).unwrap_or(rest.len())),
        _ => match quoted(rest) {
            Some(length) => (TokenKind::Quoted, length),
            None => (TokenKind::Plain, plain(rest)),
        },
    };
    *at += length;
    let range = start..*at;
    Token { kind, range }
}

/// Returns the length of a quoted token at the start of `rest`: `"…"`, `'…'`, `b"…"`, `r#"…"#`.
fn quoted(rest: &str) -> Option<usize> {
    let bytes = rest.as_bytes();
    let at = usize::from(bytes[0] == b'b');
    if bytes.get(at) == Some(&b'r') {
        let raw = &bytes[at + 1..];
        let fence = raw.iter().take_while(|byte| **byte == b'#').count();
        if raw.get(fence) != Some(&b'"') {
            return None;
        }
        let open = at + fence + 2;
        let close = format!("\"{}", "#".repeat(fence));
        let length = rest[open..].find(&close).map(|end| open + end + close.len());
        return Some(length.unwrap_or(rest.len()));
    }
    match bytes.get(at)? {
        b'"' => Some(text(bytes, at + 1)),
        b'\'' => character(&rest[at + 1..]).map(|length| at + 1 + length),
        _ => None,
    }
}

/// Returns the end of a text whose first character is at `at`.
fn text(bytes: &[u8], mut at: usize) -> usize {
    loop {
        match bytes.get(at) {
            Some(b'"') => return at + 1,
            Some(b'\\') => at += 2,
            Some(_) => at += 1,
            None => return bytes.len(),
        }
    }
}

/// Returns the length of one character and its closing quote; `None` for an apostrophe in a word.
fn character(rest: &str) -> Option<usize> {
    let first = rest.chars().next()?;
    let least = first.len_utf8() + usize::from(first == '\\');
    let end = least + rest.get(least..)?.find('\'')?;
    let most = if first == '\\' { MAX_ESCAPE } else { least };
    (end <= most).then_some(end + 1)
}

/// Returns the length of a plain token; at least one character.
fn plain(rest: &str) -> usize {
    let bytes = rest.as_bytes();
    let ends = |at: usize| match bytes[at] {
        b'(' | b')' | b'[' | b']' | b'{' | b'}' | b',' | b':' | b'"' | b'\'' => true,
        b'/' => matches!(bytes.get(at + 1), Some(b'/' | b'*')),
        _ => text_space(rest, at) > 0,
    };
    let first = rest.chars().next().map_or(1, char::len_utf8);
    let mut within = (first..bytes.len()).filter(|at| rest.is_char_boundary(*at));
    within.find(|at| ends(*at)).unwrap_or(bytes.len())
}

/// Removes white space and comments from the start of `text`.
pub(super) fn skip_blank(text: &str) -> &str {
    let first = tokens(text).find(|token| token.kind != TokenKind::Comment);
    first.map_or("", |token| &text[token.range.start..])
}

/// Extends the range of a field, entry or item of a scene's text by the comma and the spaces after it.
pub fn with_comma(text: &str, range: Range<usize>) -> Range<usize> {
    let next = skip_blank(text.get(range.end..).unwrap_or_default());
    let end = next.strip_prefix(',').map(|next| next.trim_start_matches(' '));
    range.start..end.map_or(range.end, |next| text.len() - next.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds(text: &str) -> Vec<(TokenKind, &str)> {
        tokens(text).map(|token| (token.kind, &text[token.range])).collect()
    }

    #[test]
    fn structural_characters_in_texts_and_comments_are_ignored() {
        use TokenKind::{Close, Colon, Comma, Comment, Open, Plain, Quoted};
        assert_eq!(
            kinds("A(b:\"(\\\"\",/*[/*{*/*/'(' )// ]\n"),
            [
                (Plain, "A"),
                (Open('('), "("),
                (Plain, "b"),
                (Colon, ":"),
                (Quoted, "\"(\\\"\""),
                (Comma, ","),
                (Comment, "/*[/*{*/*/"),
                (Quoted, "'('"),
                (Close(')'), ")"),
                (Comment, "// ]"),
            ]
        );
        assert_eq!(
            kinds("r#\"a\"(\"# b\"]\" br\"\\\" r#name '\\'' -1.5e+3 é/2"),
            [
                (Quoted, "r#\"a\"(\"#"),
                (Quoted, "b\"]\""),
                (Quoted, "br\"\\\""),
                (Plain, "r#name"),
                (Quoted, "'\\''"),
                (Plain, "-1.5e+3"),
                (Plain, "é/2"),
            ]
        );
    }

    #[test]
    fn unclosed_tokens_extend_to_the_end() {
        for text in ["\"a\\", "/* /* */", "r##\"a\"#", "b\"", "//"] {
            assert_eq!(kinds(text).len(), 1, "{text}");
            assert_eq!(kinds(text)[0].1, text);
        }
        let words: Vec<_> = kinds("don't, it's").into_iter().map(|(_, text)| text).collect();
        assert_eq!(words, ["don", "'t", ",", "it", "'s"]);
    }

    #[test]
    fn blanks_are_skipped_with_comments() {
        assert_eq!(skip_blank(" \u{3000}// x\n /* y */ a b"), "a b");
        assert_eq!(skip_blank(" // x"), "");
    }
}
