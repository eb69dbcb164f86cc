//! Values of a scene as slices of its text, split one level at a time.
//!
//! The RON parser has accepted the text, so the positions of commas and colons suffice. Reason: the RON crate can split
//! values itself, but parses everything within a level again for each level, which is six times slower.

use std::ops::Range;

use glam::DVec3;
use serde::de::Deserialize;

use super::tokens::{Token, TokenKind, skip_blank, tokens};

/// A value or name and its position. The RON parser has accepted the text.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node<'a> {
    /// The text of the value, without surrounding white space and comments.
    pub(super) text: &'a str,
    /// Byte offset in the scene's text.
    pub(super) start: usize,
}

/// The kind of a value by its first character.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NodeKind {
    Parentheses,
    List,
    Map,
    Text,
    Number,
    Word,
}

impl<'a> Node<'a> {
    /// The whole scene, which the parser must have accepted.
    pub(super) fn root(text: &'a str) -> Self {
        let rest = skip_blank(text);
        Self { text: rest.trim_end(), start: text.len() - rest.len() }
    }

    pub(super) fn range(self) -> Range<usize> {
        self.start..self.start + self.text.len()
    }

    /// Its first character, for faults where the whole value is too long to underline.
    pub(super) fn head(self) -> Self {
        let first = self.text.chars().next().map_or(0, char::len_utf8);
        Self { text: &self.text[..first], start: self.start }
    }

    pub(super) fn kind(self) -> NodeKind {
        match self.text.chars().next() {
            Some('(') => NodeKind::Parentheses,
            Some('[') => NodeKind::List,
            Some('{') => NodeKind::Map,
            Some('"' | '\'') => NodeKind::Text,
            Some('r' | 'b') if self.word().0.text.len() <= 2 && self.text.contains(['"', '\'']) => {
                NodeKind::Text
            }
            Some('0'..='9' | '+' | '-' | '.') => NodeKind::Number,
            _ => NodeKind::Word,
        }
    }

    /// Parses a number, bool or text of type `T`, if it is one.
    pub(super) fn leaf<T: Deserialize<'a>>(self) -> Option<T> {
        ron::from_str(self.text).ok()
    }

    /// Parses the coordinates of a point or vector in double precision; missing ones are 0.
    pub(super) fn coordinates(self) -> DVec3 {
        let mut parts = self.tuple().into_iter().flatten().map(|part| part.leaf().unwrap_or_default());
        DVec3::from_array([(); 3].map(|()| parts.next().unwrap_or_default()))
    }

    /// Splits into the word at its start and the parenthesized value after it, if any: `Disc` and `(radius: 1)`.
    pub(super) fn word(self) -> (Self, Option<Self>) {
        let end = self.text.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(self.text.len());
        let rest = skip_blank(&self.text[end..]);
        let word = Self { text: &self.text[..end], start: self.start };
        let arguments = (!rest.is_empty())
            .then_some(Self { text: rest, start: self.start + self.text.len() - rest.len() });
        (word, arguments)
    }

    /// The names and values of `(name: value, …)`.
    pub(super) fn fields(self) -> Option<Vec<(Self, Self)>> {
        let mut pairs = self.pairs('(')?;
        for (name, _) in &mut pairs {
            name.text = name.text.strip_prefix("r#").unwrap_or(name.text);
        }
        Some(pairs)
    }

    /// The keys and values of `{key: value, …}`.
    pub(super) fn entries(self) -> Option<Vec<(Self, Self)>> {
        self.pairs('{')
    }

    /// The same, with empty values for keys without one. Best effort for texts that the parser has rejected.
    pub(super) fn loose_entries(self) -> Option<Vec<(Self, Self)>> {
        let parts = self.parts('{')?.into_iter();
        let entry = |(name, value): (Option<Self>, Self)| match name {
            Some(name) => (name, value),
            None => (value, Self { text: "", start: value.range().end }),
        };
        Some(parts.map(entry).collect())
    }

    /// The values of `[value, …]`.
    pub(super) fn items(self) -> Option<Vec<Self>> {
        self.values('[')
    }

    /// The values of `(value, …)`.
    pub(super) fn tuple(self) -> Option<Vec<Self>> {
        self.values('(')
    }

    fn pairs(self, open: char) -> Option<Vec<(Self, Self)>> {
        let parts = self.parts(open)?.into_iter();
        parts.map(|(name, value)| Some((name?, value))).collect()
    }

    fn values(self, open: char) -> Option<Vec<Self>> {
        let parts = self.parts(open)?.into_iter();
        let alone = parts.map(|(name, value)| name.is_none().then_some(value));
        alone.collect()
    }

    /// Splits the text within its brackets at commas, each part with the name before its colon. Best effort for texts
    /// that the parser has rejected.
    pub(super) fn parts(self, open: char) -> Option<Vec<(Option<Self>, Self)>> {
        if !self.text.starts_with(open) {
            return None;
        }
        let (mut parts, mut depth) = (Vec::new(), 0_usize);
        let (mut name, mut part) = (None, None::<Range<usize>>);
        for Token { kind, range } in tokens(self.text) {
            match kind {
                TokenKind::Comment => continue,
                TokenKind::Open(_) => depth += 1,
                TokenKind::Close(_) => depth = depth.saturating_sub(1),
                _ => {}
            }
            match (depth, kind) {
                (1, TokenKind::Open(_)) => {}
                (0, _) | (1, TokenKind::Comma) => {
                    parts.extend(part.take().map(|part| (name.take(), self.part(part))));
                }
                (1, TokenKind::Colon) if name.is_none() => {
                    name = part.take().map(|part| self.part(part));
                }
                _ => part = Some(part.map_or(range.start, |part| part.start)..range.end),
            }
        }
        Some(parts)
    }

    /// Returns a part of its text as a node.
    fn part(self, range: Range<usize>) -> Self {
        Self { start: self.start + range.start, text: &self.text[range] }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(pairs: Vec<(Node<'_>, Node<'_>)>) -> Vec<String> {
        let text = |(a, b): (Node<'_>, Node<'_>)| format!("{}@{}={}@{}", a.text, a.start, b.text, b.start);
        pairs.into_iter().map(text).collect()
    }

    #[test]
    fn values_are_found_without_surrounding_comments() {
        let text = "// top\n( a: /* x */ 1 /* y */, b: (2) // z\n)";
        let root = Node::root(text);
        assert_eq!(root.start, 7);
        assert_eq!(texts(root.fields().unwrap()), ["a@9=1@20", "b@31=(2)@34"]);
    }

    #[test]
    fn every_bracket_splits() {
        let map = Node::root("{ \"k\": [1, 2] , 'c': 3}");
        assert_eq!(texts(map.entries().unwrap()), ["\"k\"@2=[1, 2]@7", "'c'@16=3@21"]);
        let list = map.entries().unwrap()[0].1;
        assert_eq!(list.items().unwrap()[1].start, 11);
        let tuple = Node::root("(1, -2.5 ,Disc (r: 1),)").tuple().unwrap();
        assert_eq!(tuple[1].text, "-2.5");
        let (word, arguments) = tuple[2].word();
        assert_eq!((word.text, arguments.unwrap().text), ("Disc", "(r: 1)"));
        assert_eq!(arguments.unwrap().start, 15);
        assert!(Node::root("(1, 2)").fields().is_none());
        assert!(Node::root("(a: 2)").tuple().is_none());
        assert_eq!(Node::root("()").fields().unwrap().len(), 0);
    }

    #[test]
    fn leaves_are_parsed_by_type() {
        assert_eq!(Node::root("10").leaf::<f32>(), Some(10.0));
        assert_eq!(Node::root("1.5").leaf::<i64>(), None);
        assert_eq!(Node::root("\"a\\n\"").leaf::<String>().unwrap(), "a\n");
        assert_eq!(Node::root("r#\"a\"#").kind(), NodeKind::Text);
        assert_eq!(Node::root("red").kind(), NodeKind::Word);
    }
}
