//! Tokens of a scene with their kinds.

use std::collections::BTreeMap;
use std::ops::Range;

use steerbox_scene::{self as scene, Thing};

use crate::language::document::Document;
use crate::language::model::{Token, TokenKind};

/// Returns the tokens in the order of the text; one of several lines is split.
pub(in crate::language) fn tokens(document: &Document) -> Vec<Token> {
    let text = &*document.text;
    let known = known(document);
    let mut found = Vec::new();
    for scene::Token { kind, range } in scene::tokens(text) {
        let written = &text[range.clone()];
        let known = known.get(&range.start).copied();
        let (kind, is_declaration, is_built_in) = match kind {
            scene::TokenKind::Comment => (TokenKind::Comment, false, false),
            scene::TokenKind::Quoted => known.unwrap_or((TokenKind::Text, false, false)),
            scene::TokenKind::Plain => match (known, plain(written)) {
                (Some(known), _) => known,
                (None, Some(kind)) => (kind, false, false),
                (None, None) => continue,
            },
            _ => continue,
        };
        let token = |range| Token { range, kind, is_declaration, is_built_in };
        found.extend(lines(text, range).map(token));
    }
    found
}

/// Kind of a token, and whether it is a declaration or a name of the program.
type Known = (TokenKind, bool, bool);

/// Returns the kinds of recorded parts by their starts.
fn known(document: &Document) -> BTreeMap<usize, Known> {
    let outline = document.parts();
    let mut known = BTreeMap::new();
    for item in &outline.items {
        let fields = item.fields.iter().filter(|field| field.known.is_some());
        known.extend(fields.map(|field| (field.key.start, (TokenKind::Field, false, true))));
    }
    for choice in &outline.choices {
        if choice.words.contains(&&document.text[choice.range.clone()]) {
            known.insert(choice.range.start, (TokenKind::Case, false, true));
        }
    }
    for mention in &outline.mentions {
        let kind = match mention.thing {
            Thing::Rule | Thing::FlowScript => TokenKind::Module,
            Thing::Param => TokenKind::Parameter,
            _ => TokenKind::Name,
        };
        known.insert(mention.range.start, (kind, mention.is_declaration, false));
    }
    known
}

/// Returns the kind of a word by its characters.
fn plain(word: &str) -> Option<TokenKind> {
    match word {
        "true" | "false" => Some(TokenKind::Keyword),
        _ if word.starts_with(|c: char| c.is_ascii_digit() || "+-.".contains(c)) => Some(TokenKind::Number),
        _ => None,
    }
}

/// Splits a range into its lines, without empty ones.
fn lines(text: &str, range: Range<usize>) -> impl Iterator<Item = Range<usize>> {
    let mut start = range.start;
    let lines = text[range].split('\n').map(move |line| {
        let here = start..start + line.trim_end_matches('\r').len();
        start += line.len() + 1;
        here
    });
    lines.filter(|range| !range.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::language::scene::testing::document;

    #[test]
    fn every_token_has_the_kind_of_its_part() {
        let text = "/* a\r\nb */ (world: Plane(size: (1, -2)), bodies: {\"fish\": Mover()}, title: \"t\", \
            groups: [(name: \"g\", behaviors: [(script: \"x\", enabled: true, params: {\"A\": 1})])], no: 2)";
        let shown = |token: &Token| {
            let marks =
                [if token.is_declaration { "!" } else { "" }, if token.is_built_in { "*" } else { "" }];
            format!("{:?}{} {}", token.kind, marks.concat(), &text[token.range.clone()])
        };
        let shown: Vec<_> = tokens(&document("a.ron", text)).iter().map(shown).collect();
        assert_eq!(
            shown,
            [
                "Comment /* a",
                "Comment b */",
                "Field* world",
                "Case* Plane",
                "Field* size",
                "Number 1",
                "Number -2",
                "Field* bodies",
                "Name! \"fish\"",
                "Case* Mover",
                "Field* title",
                "Text \"t\"",
                "Field* groups",
                "Field* name",
                "Name! \"g\"",
                "Field* behaviors",
                "Field* script",
                "Module \"x\"",
                "Field* enabled",
                "Keyword true",
                "Field* params",
                "Parameter \"A\"",
                "Number 1",
                "Number 2",
            ]
        );
        for broken in ["", "é\"", "(\"\n\n", "(a: 'x"] {
            let found = tokens(&document("a.ron", broken));
            assert!(found.is_sorted_by_key(|token| token.range.start));
        }
    }
}
