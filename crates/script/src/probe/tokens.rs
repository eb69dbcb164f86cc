//! The engine's tokens of a script, with byte offsets.

use rhai::Token;

use crate::budget;
use crate::interpret::engine;
use crate::syntax::text::Offsets;

/// A token and its offset in bytes.
pub(super) struct Lexeme {
    pub(super) token: Token,
    pub(super) at: usize,
}

/// Returns the tokens of a text that parses; the last one is the end of the text.
///
/// For texts in backticks, the engine's parser signals the lexer that the text continues after `${…}`. Here, a count
/// of braces has the same purpose.
pub(super) fn tokens(text: &str) -> Vec<Lexeme> {
    let offsets = Offsets::new(text);
    budget::parsed(|| {
        let (tokens, control) = engine::engine().lex([&text]);
        let mut lexemes = Vec::new();
        // The number of open braces, now and at each `${`.
        let (mut depth, mut interpolations) = (0_usize, Vec::new());
        let mut goes_on = false;
        for (token, position) in tokens {
            match &token {
                Token::InterpolatedString(_) if !goes_on => interpolations.push(depth),
                Token::StringConstant(_) if goes_on => _ = interpolations.pop(),
                Token::LeftBrace | Token::MapStart => depth += 1,
                Token::RightBrace => depth = depth.saturating_sub(1),
                _ => {}
            }
            goes_on = token == Token::RightBrace && interpolations.last() == Some(&depth);
            if goes_on {
                control.borrow_mut().is_within_text = true;
            }
            let place = position.line().zip(position.position());
            let at = place.map_or(text.len(), |place| offsets.at(place));
            let is_end = token == Token::EOF;
            lexemes.push(Lexeme { token, at: if is_end { text.len() } else { at } });
            if is_end {
                break;
            }
        }
        lexemes
    })
}
