//! Named fields in parentheses: each is read once by name; unread fields are faults.

use std::collections::BTreeMap;

use glam::Vec3;

use super::{
    foreign,
    node::{Node, NodeKind},
    reader::{Bounds, Reader},
    remedy::{self, KnownField},
    words::{one_of, quoted, short, shown},
};
use crate::diagnostics::closest;

/// The fields of one part of a scene.
pub(super) struct Fields<'r, 'a> {
    pub(super) reader: &'r mut Reader<'a>,
    /// Description of their owner, for messages.
    what: &'static str,
    /// Position for faults of the whole.
    pub(super) owner: Node<'a>,
    /// The word before their parentheses, or empty.
    case: &'static str,
    entries: Vec<(Node<'a>, Option<Node<'a>>)>,
    known: Vec<KnownField>,
    /// The value, if it has no named fields. It is reported at the end, when all fields are known, instead of missing
    /// fields.
    unnamed: Option<Node<'a>>,
}

impl<'r, 'a> Fields<'r, 'a> {
    fn new(reader: &'r mut Reader<'a>, what: &'static str, owner: Node<'a>) -> Self {
        let (case, entries, known) = ("", Vec::new(), Vec::new());
        Self { reader, what, owner, case, entries, known, unnamed: None }
    }

    /// The fields of `(name: value, …)`.
    pub(super) fn of(reader: &'r mut Reader<'a>, node: Node<'a>, what: &'static str) -> Self {
        let mut fields = Self::new(reader, what, node.head());
        match node.fields() {
            Some(pairs) => fields.add(pairs),
            None => fields.unnamed = Some(node),
        }
        fields
    }

    fn add(&mut self, pairs: Vec<(Node<'a>, Node<'a>)>) {
        let mut seen = BTreeMap::new();
        for (key, value) in pairs {
            let is_nothing = ["null", "None", "nil", "undefined"].contains(&value.text);
            if is_nothing {
                let message = format!("there is no {} in a scene", quoted(value.text));
                self.reader.fault_help(value, message, format!("leave out {}", quoted(key.text)));
                self.entries.push((key, None));
            } else if let Some(first) = seen.insert(key.text, key) {
                self.reader.twice(key, &quoted(key.text), first);
            } else {
                self.entries.push((key, Some(value)));
            }
        }
    }

    /// Reads one of `cases` and the fields in its parentheses. `others` maps likely mistakes to cases.
    pub(super) fn case(
        reader: &'r mut Reader<'a>,
        node: Node<'a>,
        what: &'static str,
        cases: &[&'static str],
    ) -> Option<(&'static str, Self)> {
        let (word, arguments) = node.word();
        if let Some(case) = cases.iter().find(|case| **case == word.text) {
            let mut fields = match arguments {
                Some(arguments) => Self::of(reader, arguments, case),
                None => Self::new(reader, case, word),
            };
            (fields.owner, fields.case) = (word, case);
            return Some((case, fields));
        }
        let expected = one_of(cases.iter().copied());
        if node.kind() != NodeKind::Word || word.text.is_empty() {
            let message = format!("{what} must be {expected}, not {}", shown(node));
            reader.fault_help(node, message, format!("write {}( … )", cases[0]));
            return None;
        }
        let spelled = short(word.text);
        let message = format!("`{spelled}` is not {what} here: expected {expected}");
        let meant = foreign::case(word.text, cases).or_else(|| closest(word.text, cases.iter().copied()));
        reader.misspelled(word, message, meant);
        None
    }

    /// Returns the fields of `case("name", field: value, …)`, and the value before them if there is exactly one.
    pub(super) fn after_value(
        reader: &'r mut Reader<'a>,
        node: Node<'a>,
        case: &'static str,
    ) -> (Option<Node<'a>>, Self) {
        let (word, arguments) = node.word();
        let mut fields = Self::new(reader, case, word);
        let parts = arguments.and_then(|node| node.parts('('));
        let (mut values, mut named) = (Vec::new(), Vec::new());
        for (name, value) in parts.unwrap_or_default() {
            match name {
                Some(name) => named.push((name, value)),
                None => values.push(value),
            }
        }
        fields.add(named);
        let value = values.pop().filter(|_| values.is_empty());
        (value, fields)
    }

    /// Returns true if they could not be read at all.
    pub(super) fn is_broken(&self) -> bool {
        self.unnamed.is_some()
    }

    /// Returns the key of field `name`, if present.
    pub(super) fn key(&self, name: &str) -> Option<Node<'a>> {
        let mut keys = self.entries.iter().map(|(key, _)| *key);
        keys.find(|key| key.text == name)
    }

    /// Returns the value of field `name`, if present.
    pub(super) fn take(&mut self, name: &'static str) -> Option<Node<'a>> {
        self.known.push((name, None));
        self.value(name)
    }

    fn value(&mut self, name: &str) -> Option<Node<'a>> {
        let entry = self.entries.iter_mut().find(|(key, _)| key.text == name)?;
        entry.1.take()
    }

    /// Returns the value of a required field; reports a fault with `example` as help if it is missing.
    pub(super) fn need(&mut self, name: &'static str, example: &'static str) -> Option<Node<'a>> {
        self.known.push((name, Some(example)));
        let value = self.value(name);
        if value.is_none() && self.unnamed.is_none() {
            let message = format!("{} needs the field `{name}`", self.what);
            self.reader.fault_help(self.owner, message, format!("add it, for example {name}: {example}"));
        }
        value
    }

    /// Reads field `name` with `read`, if present.
    pub(super) fn read<T>(
        &mut self,
        name: &'static str,
        read: impl FnOnce(&mut Reader<'a>, Node<'a>) -> T,
    ) -> Option<T> {
        self.take(name).map(|node| read(self.reader, node))
    }

    /// Reads a number within `bounds`; returns the default if it is missing or invalid.
    pub(super) fn number(&mut self, name: &'static str, bounds: Bounds, default: f32) -> f32 {
        let number = self.read(name, |reader, node| reader.number(node, name, bounds));
        number.flatten().unwrap_or(default)
    }

    /// Reads a non-negative integer, if present.
    pub(super) fn whole(&mut self, name: &'static str) -> Option<u64> {
        self.read(name, |reader, node| reader.whole(node, name)).flatten()
    }

    /// Reads a bool; returns the default if it is missing or invalid.
    pub(super) fn switch(&mut self, name: &'static str, default: bool) -> bool {
        let on = self.read(name, |reader, node| reader.switch(node, name));
        on.flatten().unwrap_or(default)
    }

    /// Reads a point or vector, if present.
    pub(super) fn vector(&mut self, name: &'static str) -> Option<Vec3> {
        self.read(name, |reader, node| reader.vector(node, name)).flatten()
    }

    /// Reads one of `cases`, a single word; returns the default if it is missing or invalid.
    pub(super) fn choice<T: Copy>(&mut self, name: &'static str, cases: &[(&str, T)], default: T) -> T {
        let choice = self.read(name, |reader, node| reader.choice(node, name, cases));
        choice.flatten().unwrap_or(default)
    }

    /// Reads a required positive number; returns 1 if it is missing or invalid.
    pub(super) fn size(&mut self, name: &'static str) -> f32 {
        let number = self.need(name, "10");
        let number = number.and_then(|node| self.reader.number(node, name, Bounds::Above));
        number.unwrap_or(1.0)
    }

    /// Reads a required point; returns the origin if it is missing or invalid.
    pub(super) fn point(&mut self, name: &'static str) -> Vec3 {
        let Some(node) = self.need(name, "(0, 0)") else {
            return Vec3::ZERO;
        };
        self.reader.vector(node, name).unwrap_or(Vec3::ZERO)
    }

    /// Reads the points of the list at `node`, if all are valid; more than `max` points are a fault with message `limit`.
    pub(super) fn listed_points(&mut self, node: Node<'a>, most: usize, limit: &str) -> Option<Vec<Vec3>> {
        let items = self.reader.list(node, "points");
        if items.len() > most {
            let message = format!("{limit}, not {}", items.len());
            self.reader.fault(node.head(), message);
            return None;
        }
        let points = items.iter().map(|item| self.reader.vector(*item, "points"));
        // Collected first, so that every fault is reported.
        let points: Vec<_> = points.collect();
        points.into_iter().collect()
    }

    /// Reports unread fields, and values without names.
    pub(super) fn finish(self) {
        if let Some(node) = self.unnamed {
            let message = format!("{} needs fields with names, not {}", self.what, shown(node));
            let in_parentheses = node.kind() == NodeKind::Parentheses;
            let at = if in_parentheses { node.head() } else { node };
            let help = remedy::fields(self.case, node, &self.known);
            self.reader.fault_help(at, message, help);
        }
        let names = || self.known.iter().map(|(name, _)| *name);
        for (key, value) in &self.entries {
            if value.is_some() && !names().any(|name| name == key.text) {
                let message = format!("{} has no field {}", self.what, quoted(key.text));
                let is_constant = key.text.chars().all(|c| c.is_ascii_uppercase() || c == '_');
                if is_constant && names().any(|name| name == "params") {
                    let value = value.map_or("…", |value| value.text);
                    let help =
                        format!("parameters are values of params: {{\"{}\": {}}}", key.text, short(value));
                    self.reader.fault_help(*key, message, help);
                } else if let Some(meant) = foreign::field(key.text, &names().collect::<Vec<_>>()) {
                    self.reader.misspelled(*key, message, Some(meant));
                } else {
                    self.reader.unknown(*key, message, key.text, names());
                }
            }
        }
    }
}
