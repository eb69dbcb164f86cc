//! Named fields in parentheses: each is read once by name; unread fields are faults.

use std::collections::BTreeMap;

use glam::Vec3;
use steerbox_core::diagnostics::{Fix, closest, did_you_mean};

use super::{
    about::{Fallback, FieldAbout, Value, about_field, cases_of, fields_of},
    bounds::Bounds,
    foreign,
    node::{Node, NodeKind},
    parts::{Item, KnownField, PresentField, Thing},
    reader::Reader,
    remedy,
    tokens::with_comma,
    words::{RangeFault, help_for, one_of, quoted, short, shown},
};

/// The fields of one part of a scene.
pub(super) struct Fields<'r, 'a> {
    pub(super) reader: &'r mut Reader<'a>,
    /// Description of their owner, for messages.
    what: &'static str,
    /// Position for faults of the whole.
    pub(super) owner: Node<'a>,
    /// The word before their parentheses, or empty.
    case: &'static str,
    /// Description of all cases of the owner, and its whole value, for records.
    recorded: (&'static str, Node<'a>),
    /// Values without names, for records.
    strays: Vec<Node<'a>>,
    entries: Vec<(Node<'a>, Option<Node<'a>>)>,
    /// The names of the fields that were read.
    read: Vec<&'static str>,
    /// The value, if it has no named fields. It is reported at the end, when all fields are known, instead of missing
    /// fields.
    unnamed: Option<Node<'a>>,
    /// Their parentheses, if any.
    whole: Option<Node<'a>>,
    /// The fields as written.
    written: Vec<(Node<'a>, Node<'a>)>,
    /// True if a field is lost to a syntax fault, so that none is known to be missing.
    is_partial: bool,
}

impl<'r, 'a> Fields<'r, 'a> {
    fn new(reader: &'r mut Reader<'a>, what: &'static str, owner: Node<'a>) -> Self {
        let (entries, read, strays, written) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        let (case, unnamed, whole, recorded) = ("", None, None, (what, owner));
        let is_partial = false;
        Self {
            reader,
            what,
            owner,
            case,
            recorded,
            strays,
            entries,
            read,
            unnamed,
            whole,
            written,
            is_partial,
        }
    }

    /// The fields of `(name: value, …)`.
    pub(super) fn of(reader: &'r mut Reader<'a>, node: Node<'a>, what: &'static str) -> Self {
        let mut fields = Self::new(reader, what, node.head());
        fields.recorded.1 = node;
        match node.fields() {
            Some(pairs) => {
                let values: Vec<_> = pairs.iter().map(|(_, value)| *value).collect();
                fields.whole = Some(node);
                fields.is_partial = fields.reader.has_lost_field(node, &values);
                fields.add(pairs);
            }
            None => fields.unnamed = Some(node),
        }
        fields.record_unnamed();
        fields
    }

    /// Reads the named ones of mixed fields, for records.
    fn record_unnamed(&mut self) {
        let unnamed = self.unnamed.filter(|_| self.reader.recorder.is_some());
        let Some(parts) = unnamed.and_then(|node| node.parts('(')) else {
            return;
        };
        self.unnamed = None;
        let (named, strays): (Vec<_>, Vec<_>) = parts.into_iter().partition(|(name, _)| name.is_some());
        self.add(named.into_iter().filter_map(|(name, value)| Some((name?, value))).collect());
        self.strays = strays.into_iter().map(|(_, value)| value).collect();
    }

    /// Returns true if a syntax fault may affect a field: its value, or a field whose name is lost.
    pub(super) fn is_lost(&self, name: &str) -> bool {
        let mut values = self.entries.iter().filter(|(key, _)| key.text == name);
        self.is_partial || values.any(|(_, value)| value.is_some_and(|value| self.reader.has_lost(value)))
    }

    fn add(&mut self, pairs: Vec<(Node<'a>, Node<'a>)>) {
        self.written.clone_from(&pairs);
        let mut seen = BTreeMap::new();
        for (key, value) in pairs {
            // `None` is a contact.
            let is_nothing =
                ["null", "None", "nil", "undefined"].contains(&value.text) && self.what != "contacts";
            if is_nothing {
                let message = format!("there is no value {}", quoted(value.text));
                let help = format!("leave out {}", quoted(key.text));
                let fix = self.without(key, value);
                self.reader.note(RangeFault::new(value.range(), message).help(help).fixed([fix]));
                self.entries.push((key, None));
            } else if let Some(first) = seen.insert(key.text, key) {
                self.reader.twice(key, &quoted(key.text), first);
            } else {
                self.entries.push((key, Some(value)));
            }
        }
    }

    /// Reads one of the cases of `what` and the fields in its parentheses.
    pub(super) fn case(
        reader: &'r mut Reader<'a>,
        node: Node<'a>,
        what: &'static str,
    ) -> Option<(&'static str, Self)> {
        reader.record_choice(node, what);
        let cases: Vec<_> = cases_of(what, reader.plane).collect();
        let (word, arguments) = node.word();
        if let Some(case) = cases.iter().find(|case| **case == word.text) {
            let mut fields = match arguments {
                Some(arguments) => Self::of(reader, arguments, case),
                None => Self::new(reader, case, word),
            };
            (fields.owner, fields.case, fields.recorded) = (word, case, (what, node));
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
        let meant = foreign::case(word.text, &cases).or_else(|| closest(word.text, cases.iter().copied()));
        reader.misspelled(word, message, meant);
        None
    }

    /// Returns the fields of `case("name", field: value, …)`, and the value before them if there is exactly one.
    pub(super) fn after_value(
        reader: &'r mut Reader<'a>,
        node: Node<'a>,
        what: &'static str,
        case: &'static str,
    ) -> (Option<Node<'a>>, Self) {
        let (word, arguments) = node.word();
        let mut fields = Self::new(reader, case, word);
        (fields.case, fields.recorded) = (case, (what, node));
        let parts = arguments.and_then(|node| node.parts('('));
        let (mut values, mut named) = (Vec::new(), Vec::new());
        for (name, value) in parts.unwrap_or_default() {
            match name {
                Some(name) => named.push((name, value)),
                None => values.push(value),
            }
        }
        fields.add(named);
        fields.strays.clone_from(&values);
        let value = values.pop().filter(|_| values.is_empty());
        (value, fields)
    }

    /// Returns true if they could not be read at all.
    pub(super) fn is_broken(&self) -> bool {
        self.unnamed.is_some()
    }

    /// The offset of the first field.
    pub(super) fn start(&self) -> usize {
        self.written.first().map_or(self.owner.start, |(key, _)| key.start)
    }

    /// Returns the key of field `name`, if present.
    pub(super) fn key(&self, name: &str) -> Option<Node<'a>> {
        let mut keys = self.entries.iter().map(|(key, _)| *key);
        keys.find(|key| key.text == name)
    }

    fn about(&self, name: &str) -> Option<&'static FieldAbout> {
        about_field((self.recorded.0, self.what), name)
    }

    /// Returns its fields with examples of the required ones.
    fn known(&self) -> Vec<KnownField> {
        let is_plane = self.reader.plane != Some(false);
        let known = fields_of(self.recorded.0, self.what);
        known.map(|field| (field.name, field.example(is_plane))).collect()
    }

    /// Returns the value of field `name`, if present.
    pub(super) fn take(&mut self, name: &'static str) -> Option<Node<'a>> {
        self.read.push(name);
        let entry = self.entries.iter_mut().find(|(key, _)| key.text == name)?;
        entry.1.take()
    }

    /// Returns the value of a required field; reports a fault with its example as help if it is missing.
    pub(super) fn need(&mut self, name: &'static str) -> Option<Node<'a>> {
        self.need_like(name, None)
    }

    /// [`Self::need`] with a value for the fix.
    pub(super) fn need_like(&mut self, name: &'static str, fix: Option<&str>) -> Option<Node<'a>> {
        let value = self.take(name);
        if value.is_none() && self.unnamed.is_none() && !self.is_partial {
            let example = self.about(name).and_then(|about| about.example(self.reader.plane != Some(false)));
            let example = example.or(fix).unwrap_or("…");
            let message = format!("{} needs the field `{name}`", self.what);
            let help = format!("add it, for example {name}: {example}");
            let fix = self.with(name, fix.unwrap_or(example));
            self.reader.note(RangeFault::new(self.owner.range(), message).help(help).fixed(fix));
        }
        value
    }

    /// Returns the fix that adds a field.
    pub(super) fn with(&self, name: &str, example: &str) -> Option<Fix> {
        let field = format!("{name}: {example}");
        let (at, text) = match (self.whole, self.written.last()) {
            (_, Some((_, last))) => (last.range().end, format!(", {field}")),
            (Some(whole), None) => (whole.start + 1, field.clone()),
            (None, None) => (self.owner.range().end, format!("({field})")),
        };
        (!example.contains('…')).then(|| Fix::insert(format!("add {}", quoted(&field)), at, text))
    }

    /// Returns the fix that removes a field.
    fn without(&self, key: Node<'_>, value: Node<'_>) -> Fix {
        let range = with_comma(self.reader.source(), key.start..value.range().end);
        Fix::replace(format!("leave out {}", quoted(key.text)), range, "")
    }

    /// Reads field `name` with `read`, if present.
    pub(super) fn read<T>(
        &mut self,
        name: &'static str,
        read: impl FnOnce(&mut Reader<'a>, Node<'a>) -> T,
    ) -> Option<T> {
        self.take(name).map(|node| read(self.reader, node))
    }

    /// Returns the bounds of a number.
    pub(super) fn bounds(&self, name: &str) -> Bounds {
        self.about(name).map_or(Bounds::Any, |about| about.value.bounds())
    }

    /// Reads the value of field `name`, a number.
    pub(super) fn limited(&mut self, node: Node<'a>, name: &'static str) -> Option<f32> {
        let bounds = self.bounds(name);
        self.reader.number(node, name, bounds)
    }

    /// Reads a number, if present.
    pub(super) fn optional(&mut self, name: &'static str) -> Option<f32> {
        let node = self.take(name)?;
        self.limited(node, name)
    }

    /// Reads a required number.
    pub(super) fn needed(&mut self, name: &'static str) -> Option<f32> {
        let node = self.need(name)?;
        self.limited(node, name)
    }

    /// Reads a number; returns its default if it is missing or invalid.
    pub(super) fn number(&mut self, name: &'static str) -> f32 {
        let default = match self.about(name).map(|about| about.default) {
            Some(Fallback::Is(number)) => Some(number),
            _ => None,
        };
        assert!(!cfg!(test) || default.is_some(), "{name} of {} has no number as its default", self.what);
        self.optional(name).or(default).unwrap_or_default()
    }

    /// Reads the name of a thing, if present, and returns its index in `known`.
    pub(super) fn declared<'k>(
        &mut self,
        name: &'static str,
        thing: Thing,
        known: impl Iterator<Item = &'k str> + Clone,
    ) -> Option<usize> {
        let node = self.take(name)?;
        self.reader.declared((node, name), thing, known)
    }

    /// Reads an integer from 0, or from 1 if the table states that, if present.
    pub(super) fn whole(&mut self, name: &'static str) -> Option<u64> {
        let node = self.take(name)?;
        let value = self.reader.whole(node, name)?;
        if value == 0 && self.about(name).is_some_and(|about| about.value == Value::Positive) {
            self.reader.fault(node, format!("`{name}` must be above 0"));
            return None;
        }
        Some(value)
    }

    /// Reads a bool; returns its default if it is missing or invalid.
    pub(super) fn switch(&mut self, name: &'static str) -> bool {
        let on = self.read(name, |reader, node| reader.switch(node, name)).flatten();
        on.unwrap_or_else(|| self.about(name).is_some_and(|about| about.default == Fallback::On))
    }

    /// Reads a point or vector, if present.
    pub(super) fn vector(&mut self, name: &'static str) -> Option<Vec3> {
        self.read(name, |reader, node| reader.vector(node, name)).flatten()
    }

    /// Reads one of `cases`, a single word, if present.
    pub(super) fn word<T: Copy>(&mut self, name: &'static str, cases: &[(&'static str, T)]) -> Option<T> {
        self.read(name, |reader, node| reader.choice(node, name, cases)).flatten()
    }

    /// Reads a required positive number; returns 1 if it is missing or invalid.
    pub(super) fn size(&mut self, name: &'static str) -> f32 {
        self.needed(name).unwrap_or(1.0)
    }

    /// Reads a required point; returns the position (0, 0, 0) if it is missing or invalid.
    pub(super) fn point(&mut self, name: &'static str) -> Vec3 {
        let point = self.need(name).and_then(|node| self.reader.point(node, name));
        point.unwrap_or(Vec3::ZERO)
    }

    /// Reads the points or vectors of the list at `node` with `read`, if all are valid; more than `max` are a fault with
    /// message `limit`.
    pub(super) fn listed(
        &mut self,
        node: Node<'a>,
        read: fn(&mut Reader<'a>, Node<'a>, &str) -> Option<Vec3>,
        (max, limit): (usize, &str),
    ) -> Option<Vec<Vec3>> {
        let items = self.reader.list(node, "points");
        if items.len() > max {
            let message = format!("{limit}, not {}", items.len());
            self.reader.fault(node.head(), message);
            return None;
        }
        let points = items.iter().map(|item| read(self.reader, *item, "points"));
        // Collected first, so that every fault is reported.
        let points: Vec<_> = points.collect();
        points.into_iter().collect()
    }

    /// Reports unread fields, and values without names.
    pub(super) fn finish(mut self) {
        self.record();
        // Only in tests of this crate: a scene beyond a limit is not read to its end.
        assert!(!cfg!(test) || self.is_read(), "{:?} of {}, not {:?}", self.known(), self.what, self.read);
        if let Some(node) = self.unnamed.filter(|node| !self.reader.is_repaired(*node)) {
            let (known, message) =
                (self.known(), format!("{} needs fields with names, not {}", self.what, shown(node)));
            let in_parentheses = node.kind() == NodeKind::Parentheses;
            let at = if in_parentheses { node.head() } else { node };
            let help = remedy::fields(self.case, node, &known);
            let mut found = RangeFault::new(at.range(), message).help(help);
            if let Some(fields) = remedy::with_names(node, &known) {
                found = found.write(node.range(), fields);
            }
            self.reader.note(found);
        }
        let unread = |(key, value): &(Node<'a>, Option<Node<'a>>)| Some((*key, (*value)?));
        let unread: Vec<_> = self.entries.iter().filter_map(unread).collect();
        for (key, value) in unread {
            let known = self.known();
            let names = || known.iter().map(|(name, _)| *name);
            if names().any(|name| name == key.text) {
                continue;
            }
            let message = format!("{} has no field {}", self.what, quoted(key.text));
            let mut found = RangeFault::new(key.range(), message);
            let is_constant = key.text.chars().all(|c| c.is_ascii_uppercase() || c == '_');
            let meant = if is_constant && names().any(|name| name == "params") {
                let (name, value) = (key.text, short(value.text));
                found = found.help(format!("parameters are values of params: {{\"{name}\": {value}}}"));
                None
            } else if let Some(meant) = foreign::field(key.text, &names().collect::<Vec<_>>()) {
                found = found.help(did_you_mean(meant));
                Some(meant)
            } else {
                found.help = help_for(key.text, names());
                closest(key.text, names())
            };
            let is_free = |name: &&str| self.written.iter().all(|(key, _)| key.text != *name);
            if let Some(meant) = meant.filter(is_free) {
                found = found.write(key.range(), meant);
            }
            let fix = self.without(key, value);
            self.reader.note(found.fixed([fix]));
        }
    }

    /// Returns true if the fields that were read are those of the table.
    fn is_read(&self) -> bool {
        let known = self.known();
        let is_known = |name: &&'static str| known.iter().any(|(known, _)| known == name);
        self.read.iter().all(is_known) && known.iter().all(|(name, _)| self.read.contains(name))
    }

    /// Records the item.
    fn record(&mut self) {
        let known = if self.reader.recorder.is_some() { self.known() } else { Vec::new() };
        let Self { reader, what, case, recorded: (family, node), strays, written, unnamed, .. } = self;
        reader.record_item(|| {
            let word = if case.is_empty() { node.start..node.start } else { node.word().0.range() };
            let of = |key: &Node<'_>| known.iter().map(|(name, _)| *name).find(|name| *name == key.text);
            let field = |(key, value): &(Node<'_>, Node<'_>)| PresentField {
                key: key.range(),
                value: value.range(),
                known: of(key),
            };
            let fields = written.iter().map(field).collect();
            Item {
                range: node.range(),
                word,
                owner: what,
                family,
                fields,
                known,
                strays: strays.iter().map(|stray| stray.range()).collect(),
                is_bare: unnamed.is_some() || (!case.is_empty() && node.word().1.is_none()),
            }
        });
    }
}
