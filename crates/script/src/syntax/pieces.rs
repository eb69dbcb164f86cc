//! A scan of a script or a scene for display: comments, texts, numbers, words and brackets. Any text has one.

use std::ops::Range;

use super::lexemes::{Lexeme, LexemeKind, lexemes};

/// Kind of a piece of text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PieceKind {
    /// A comment.
    Comment,
    /// A quoted text.
    Text,
    /// A number, without its sign.
    Number,
    /// A keyword of either language.
    Keyword,
    /// A name.
    Word,
    /// A bracket.
    Bracket,
    /// Operators and white space.
    Other,
}

/// Words of both languages that structure the code.
const KEYWORDS: [&str; 22] = [
    "let", "const", "fn", "if", "else", "for", "in", "while", "loop", "do", "until", "switch", "return",
    "break", "continue", "import", "as", "true", "false", "this", "Some", "None",
];

/// Returns the pieces of a text, in order and without gaps: byte ranges with their kinds.
pub fn pieces(text: &str) -> Vec<(Range<usize>, PieceKind)> {
    let (mut pieces, mut at) = (Vec::new(), 0);
    for Lexeme { kind, range } in lexemes(text) {
        if at < range.start {
            pieces.push((at..range.start, PieceKind::Other));
        }
        at = range.end;
        let kind = match kind {
            LexemeKind::Comment => PieceKind::Comment,
            LexemeKind::Text => PieceKind::Text,
            LexemeKind::Number => PieceKind::Number,
            LexemeKind::Word if KEYWORDS.contains(&&text[range.clone()]) => PieceKind::Keyword,
            LexemeKind::Word => PieceKind::Word,
            LexemeKind::Open(_) | LexemeKind::Close(_) => PieceKind::Bracket,
            LexemeKind::End | LexemeKind::Symbol => PieceKind::Other,
        };
        pieces.push((range, kind));
    }
    if at < text.len() {
        pieces.push((at..text.len(), PieceKind::Other));
    }
    pieces
}
