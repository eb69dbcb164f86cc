//! Named fields in parentheses: each is asked for once by name, and what nobody asked for is a fault.

use std::collections::BTreeMap;

use glam::Vec3;

use super::{
    node::{Form, Node},
    reader::{Bounds, Reader},
    remedy::{self, Known},
    words::{quoted, shown},
};

/// The fields of one part of a scene.
pub(super) struct Fields<'a> {
    /// What they belong to, in the user's words.
    what: &'static str,
    /// Where to point when one is missing.
    owner: Node<'a>,
    /// The word before their parentheses, or nothing.
    case: &'static str,
    entries: Vec<(Node<'a>, Option<Node<'a>>)>,
    asked: Vec<Known>,
    /// What stands there if it has no names. It is told at the end, when all fields are known; nothing
    /// can be said about what is missing.
    unnamed: Option<Node<'a>>,
}

impl<'a> Fields<'a> {
    /// The fields of `(name: value, …)`.
    pub(super) fn of(reader: &mut Reader<'a>, node: Node<'a>, what: &'static str) -> Self {
        let pairs = (node.form() == Form::Parentheses)
            .then(|| node.fields())
            .flatten();
        let mut fields = Self {
            what,
            owner: node.head(),
            case: "",
            entries: Vec::new(),
            asked: Vec::new(),
            unnamed: pairs.is_none().then_some(node),
        };
        let mut seen = BTreeMap::new();
        for (key, value) in pairs.unwrap_or_default() {
            if let Some(first) = seen.insert(key.text, key) {
                reader.twice(key, &quoted(key.text), first);
            } else {
                fields.entries.push((key, Some(value)));
            }
        }
        fields
    }

    /// The fields after the word `case`; without parentheses there are none.
    pub(super) fn of_case(
        reader: &mut Reader<'a>,
        word: Node<'a>,
        arguments: Option<Node<'a>>,
        case: &'static str,
    ) -> Self {
        let mut fields = match arguments {
            Some(node) => Self::of(reader, node, case),
            None => Self {
                what: case,
                owner: word,
                case,
                entries: Vec::new(),
                asked: Vec::new(),
                unnamed: None,
            },
        };
        (fields.owner, fields.case) = (word, case);
        fields
    }

    /// Where to point when they as a whole are meant.
    pub(super) fn owner(&self) -> Node<'a> {
        self.owner
    }

    /// Whether they could not be read at all.
    pub(super) fn is_broken(&self) -> bool {
        self.unnamed.is_some()
    }

    /// Where field `name` is named, if it is there.
    pub(super) fn key(&self, name: &str) -> Option<Node<'a>> {
        let mut keys = self.entries.iter().map(|(key, _)| *key);
        keys.find(|key| key.text == name)
    }

    /// The value of field `name`, if it is there.
    pub(super) fn take(&mut self, name: &'static str) -> Option<Node<'a>> {
        self.asked.push((name, None));
        self.value(name)
    }

    fn value(&mut self, name: &str) -> Option<Node<'a>> {
        let entry = self.entries.iter_mut().find(|(key, _)| key.text == name)?;
        entry.1.take()
    }

    /// The value of field `name`; without it, a fault with `example` as the remedy.
    pub(super) fn need(
        &mut self,
        reader: &mut Reader<'a>,
        name: &'static str,
        example: &'static str,
    ) -> Option<Node<'a>> {
        self.asked.push((name, Some(example)));
        let value = self.value(name);
        if value.is_none() && self.unnamed.is_none() {
            let message = format!("{} needs the field `{name}`", self.what);
            reader.fault_help(self.owner, message, format!("add {name}: {example}"));
        }
        value
    }

    /// A number within `bounds`; the default without one, or without a good one.
    pub(super) fn number(
        &mut self,
        reader: &mut Reader<'a>,
        name: &'static str,
        bounds: Bounds,
        default: f32,
    ) -> f32 {
        self.take(name)
            .and_then(|node| reader.number(node, name, bounds))
            .unwrap_or(default)
    }

    /// A number above zero that must be there; 1 stands in for a bad one.
    pub(super) fn size(&mut self, reader: &mut Reader<'a>, name: &'static str) -> f32 {
        self.need(reader, name, "10")
            .and_then(|node| reader.number(node, name, Bounds::Above))
            .unwrap_or(1.0)
    }

    /// A point that must be there; the origin stands in for a bad one.
    pub(super) fn point(&mut self, reader: &mut Reader<'a>, name: &'static str) -> Vec3 {
        self.need(reader, name, "(0, 0)")
            .and_then(|node| reader.vector(node, name))
            .unwrap_or(Vec3::ZERO)
    }

    /// Reports every field that nobody asked for, and values without names.
    pub(super) fn finish(self, reader: &mut Reader<'a>) {
        if let Some(node) = self.unnamed {
            let message = format!("{} needs fields with names, not {}", self.what, shown(node));
            let at = if node.form() == Form::Parentheses {
                node.head()
            } else {
                node
            };
            let help = remedy::fields(self.case, node, &self.asked);
            reader.fault_help(at, message, help);
        }
        let names = || self.asked.iter().map(|(name, _)| *name);
        for (key, value) in &self.entries {
            if value.is_some() && !names().any(|name| name == key.text) {
                let message = format!("{} has no field {}", self.what, quoted(key.text));
                reader.unknown(*key, message, key.text, names());
            }
        }
    }
}
