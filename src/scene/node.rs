//! Values of a scene as slices of its text, split one level at a time by the RON parser.

use std::{fmt, ops::Range};

use ron::value::RawValue;
use serde::de::{self, Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};

/// One value, or one name, and where it stands. The text has passed the RON parser.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node<'a> {
    /// The value's own text, without the white space and comments around it.
    pub(super) text: &'a str,
    /// Its first byte in the scene's text.
    pub(super) start: usize,
}

/// What a value looks like from its first character.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    Parentheses,
    List,
    Map,
    Text,
    Number,
    Word,
}

impl<'a> Node<'a> {
    /// The whole scene, whose text must have passed the parser.
    pub(super) fn root(text: &'a str) -> Self {
        let rest = skip_blank(text);
        Self {
            text: rest.trim_end(),
            start: text.len() - rest.len(),
        }
    }

    pub(super) fn range(self) -> Range<usize> {
        self.start..self.start + self.text.len()
    }

    /// Its first character alone: where to point when all of it would be too much.
    pub(super) fn head(self) -> Self {
        let first = self.text.chars().next().map_or(0, char::len_utf8);
        Self {
            text: &self.text[..first],
            start: self.start,
        }
    }

    pub(super) fn form(self) -> Form {
        match self.text.chars().next() {
            Some('(') => Form::Parentheses,
            Some('[') => Form::List,
            Some('{') => Form::Map,
            Some('"' | '\'') => Form::Text,
            Some('r' | 'b') if self.word().0.text.len() <= 2 && self.text.contains(['"', '\'']) => {
                Form::Text
            }
            Some('0'..='9' | '+' | '-' | '.') => Form::Number,
            _ => Form::Word,
        }
    }

    /// A number, switch or text of type `T`, if it is one.
    pub(super) fn leaf<T: Deserialize<'a>>(self) -> Option<T> {
        ron::from_str(self.text).ok()
    }

    /// The word at its start and the parenthesized value after it, if any: `Disc` and `(radius: 1)`.
    pub(super) fn word(self) -> (Self, Option<Self>) {
        let end = self
            .text
            .find(|c: char| !c.is_alphanumeric() && c != '_')
            .unwrap_or(self.text.len());
        let rest = skip_blank(&self.text[end..]);
        let word = Self {
            text: &self.text[..end],
            start: self.start,
        };
        let arguments = (!rest.is_empty()).then_some(Self {
            text: rest,
            start: self.start + self.text.len() - rest.len(),
        });
        (word, arguments)
    }

    /// The names and values of `(name: value, …)`.
    pub(super) fn fields(self) -> Option<Vec<(Self, Self)>> {
        let Fields(pairs) = ron::from_str(self.text).ok()?;
        let inside = |(name, value): (&'a str, &'a RawValue)| (self.part(name), self.raw(value));
        Some(pairs.into_iter().map(inside).collect())
    }

    /// The keys and values of `{key: value, …}`.
    pub(super) fn entries(self) -> Option<Vec<(Self, Self)>> {
        let Entries(pairs) = ron::from_str(self.text).ok()?;
        let inside = |(key, value): (&'a RawValue, &'a RawValue)| (self.raw(key), self.raw(value));
        Some(pairs.into_iter().map(inside).collect())
    }

    /// The values of `[value, …]`.
    pub(super) fn items(self) -> Option<Vec<Self>> {
        let values: Vec<&'a RawValue> = ron::from_str(self.text).ok()?;
        Some(values.into_iter().map(|value| self.raw(value)).collect())
    }

    /// The values of `(value, …)`.
    pub(super) fn tuple(self) -> Option<Vec<Self>> {
        let Tuple(values) = ron::from_str(self.text).ok()?;
        Some(values.into_iter().map(|value| self.raw(value)).collect())
    }

    /// A slice of its text as a node of its own.
    fn part(self, text: &'a str) -> Self {
        let ahead = text.as_ptr() as usize - self.text.as_ptr() as usize;
        Self {
            text,
            start: self.start + ahead,
        }
    }

    fn raw(self, value: &'a RawValue) -> Self {
        let text = value.get_ron();
        // RON keeps comments beside a value; taking them off costs one more reading of it.
        let commented =
            text.starts_with('/') || text.ends_with("*/") || text.ends_with(char::is_whitespace);
        self.part(if commented {
            value.trim().get_ron()
        } else {
            text
        })
    }
}

/// `text` without the white space and comments at its start.
pub(super) fn skip_blank(text: &str) -> &str {
    let mut rest = text.trim_start();
    loop {
        if rest.starts_with("//") {
            rest = rest.find('\n').map_or("", |end| &rest[end..]);
        } else if rest.starts_with("/*") {
            rest = &rest[block_comment(rest)..];
        } else {
            return rest;
        }
        rest = rest.trim_start();
    }
}

/// The length of the block comment at the start of `text`; block comments nest.
pub(super) fn block_comment(text: &str) -> usize {
    let bytes = text.as_bytes();
    let (mut depth, mut at) = (0_usize, 0);
    while at + 1 < bytes.len() {
        match &bytes[at..at + 2] {
            b"/*" => depth += 1,
            b"*/" => depth -= 1,
            _ => {
                at += 1;
                continue;
            }
        }
        at += 2;
        if depth == 0 {
            return at;
        }
    }
    text.len()
}

struct Fields<'a>(Vec<(&'a str, &'a RawValue)>);
struct Entries<'a>(Vec<(&'a RawValue, &'a RawValue)>);
struct Tuple<'a>(Vec<&'a RawValue>);

impl<'de: 'a, 'a> Deserialize<'de> for Fields<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer
            .deserialize_struct("", &[], Pairs::new())
            .map(Self)
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for Entries<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(Pairs::new()).map(Self)
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for Tuple<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        // RON takes as many values as there are, whatever the length asked for.
        deserializer.deserialize_tuple(0, Values).map(Self)
    }
}

struct Pairs<K>(std::marker::PhantomData<K>);

impl<K> Pairs<K> {
    fn new() -> Self {
        Self(std::marker::PhantomData)
    }
}

impl<'de, K: de::Deserialize<'de>> Visitor<'de> for Pairs<K> {
    type Value = Vec<(K, &'de RawValue)>;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("names and values")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut pairs = Vec::new();
        while let Some(pair) = map.next_entry()? {
            pairs.push(pair);
        }
        Ok(pairs)
    }
}

struct Values;

impl<'de> Visitor<'de> for Values {
    type Value = Vec<&'de RawValue>;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("values")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Self::Value, A::Error> {
        let mut values = Vec::new();
        while let Some(value) = list.next_element()? {
            values.push(value);
        }
        Ok(values)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(pairs: Vec<(Node<'_>, Node<'_>)>) -> Vec<String> {
        let text =
            |(a, b): (Node<'_>, Node<'_>)| format!("{}@{}={}@{}", a.text, a.start, b.text, b.start);
        pairs.into_iter().map(text).collect()
    }

    #[test]
    fn values_are_found_without_the_comments_around_them() {
        let text = "// top\n( a: /* x */ 1 /* y */, b: (2) // z\n)";
        let root = Node::root(text);
        assert_eq!(root.start, 7);
        assert_eq!(texts(root.fields().unwrap()), ["a@9=1@20", "b@31=(2)@34"]);
    }

    #[test]
    fn every_bracket_splits() {
        let map = Node::root("{ \"k\": [1, 2] , 'c': 3}");
        assert_eq!(
            texts(map.entries().unwrap()),
            ["\"k\"@2=[1, 2]@7", "'c'@16=3@21"]
        );
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
    fn leaves_are_read_as_what_they_are() {
        assert_eq!(Node::root("10").leaf::<f32>(), Some(10.0));
        assert_eq!(Node::root("1.5").leaf::<i64>(), None);
        assert_eq!(Node::root("\"a\\n\"").leaf::<String>().unwrap(), "a\n");
        assert_eq!(Node::root("r#\"a\"#").form(), Form::Text);
        assert_eq!(Node::root("red").form(), Form::Word);
    }
}
