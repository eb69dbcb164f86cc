//! Readers of single values of a scene: faults are collected with their positions, and reading continues.

mod placement;

use std::collections::BTreeSet;

use glam::DVec3;
use steerbox_core::diagnostics::{Fix, closest, did_you_mean};
use steerbox_core::text::composed;
use steerbox_core::world::{Arena, Extrema};

use super::bounds::Bounds;
use super::{
    about::cases_of,
    data::DataTexts,
    node::{Node, NodeKind},
    parts::{Form, Thing},
    recorder::Recorder,
    remedy,
    span::{Lines, Span},
    syntax::Repaired,
    words::{MAX_FAULTS, MAX_KNOWN, RangeFault, help_for, one_of, quoted, short, shown},
};

/// Collects the faults of a scene while its parts are read.
pub(super) struct Reader<'a> {
    lines: &'a Lines<'a>,
    /// The text of the nodes.
    repaired: &'a Repaired<'a>,
    /// The fields of the scene that a syntax fault affects: names that they may declare are not faults.
    lost: BTreeSet<&'static str>,
    /// True if the world is a plane; `None` while unknown.
    pub(super) plane: Option<bool>,
    /// The coordinates of the position (0, 0, 0): subtracted from all points.
    pub(super) origin: DVec3,
    /// The fix that makes the world seamless, unless the scene states whether it is.
    pub(super) make_seamless: Option<Fix>,
    /// The bounds of the world; `None` while unknown.
    pub(super) arena: Option<Arena>,
    found: Vec<RangeFault>,
    more: usize,
    warnings: Vec<RangeFault>,
    /// Texts of files that the scene names; `None` if they are not known.
    pub(super) data: Option<&'a DataTexts>,
    /// Records parts for editors, if requested.
    pub(super) recorder: Option<Box<Recorder>>,
}

impl<'a> Reader<'a> {
    pub(super) fn new(lines: &'a Lines<'a>, repaired: &'a Repaired<'a>) -> Self {
        let (found, warnings, lost) = (Vec::new(), Vec::new(), BTreeSet::new());
        let (plane, arena, more, data, recorder) = (None, None, 0, None, None);
        Self {
            lines,
            repaired,
            lost,
            plane,
            origin: DVec3::ZERO,
            make_seamless: None,
            arena,
            found,
            more,
            warnings,
            data,
            recorder,
        }
    }

    /// Records that a syntax fault affects a field of the scene.
    pub(super) fn lose(&mut self, field: &'static str) {
        self.lost.insert(field);
    }

    /// Returns true if a syntax fault affects one of these fields of the scene.
    pub(super) fn is_lost(&self, fields: &[&str]) -> bool {
        fields.iter().any(|field| self.lost.contains(field))
    }

    /// Returns true if a syntax fault affects a value.
    pub(super) fn has_lost(&self, node: Node<'_>) -> bool {
        self.repaired.has_lost(&node.range())
    }

    /// The text of the nodes.
    pub(super) fn source(&self) -> &'a str {
        &self.repaired.text
    }

    /// Returns true if a value contains a repair, so that its form is uncertain.
    pub(super) fn is_repaired(&self, node: Node<'_>) -> bool {
        self.repaired.is_repaired(&node.range())
    }

    /// Returns true if a field is lost between the values of `whole`.
    pub(super) fn has_lost_field(&self, whole: Node<'_>, values: &[Node<'_>]) -> bool {
        let values: Vec<_> = values.iter().map(|value| value.range()).collect();
        self.repaired.has_lost_field(&whole.range(), &values)
    }

    /// Returns the faults in the order of the file, and the number of further ones.
    pub(super) fn finish(mut self) -> (Vec<RangeFault>, usize) {
        self.found.sort_by_key(|found| found.range.start);
        (self.found, self.more)
    }

    /// Returns the warnings so far, at most [`MAX_FAULTS`].
    pub(super) fn take_warnings(&mut self) -> Vec<RangeFault> {
        std::mem::take(&mut self.warnings)
    }

    /// Adds a warning.
    pub(super) fn warn(&mut self, node: Node<'_>, message: impl Into<String>, help: &str) {
        self.warn_fixed(node, message, help, None);
    }

    fn warn_fixed(&mut self, node: Node<'_>, message: impl Into<String>, help: &str, fix: Option<Fix>) {
        if self.warnings.len() < MAX_FAULTS {
            self.warnings.push(RangeFault::new(node.range(), message).help(help).fixed(fix));
        }
    }

    pub(super) fn span(&self, node: Node<'_>) -> Span {
        self.lines.span(node.range())
    }

    pub(super) fn fault(&mut self, node: Node<'_>, message: impl Into<String>) {
        self.note(RangeFault::new(node.range(), message));
    }

    pub(super) fn fault_help(&mut self, node: Node<'_>, message: impl Into<String>, help: impl Into<String>) {
        self.note(RangeFault::new(node.range(), message).help(help));
    }

    pub(super) fn note(&mut self, found: RangeFault) {
        if self.repaired.has_lost(&found.range) {
            return;
        }
        if self.found.len() < MAX_FAULTS {
            self.found.push(found);
        } else {
            self.more += 1;
        }
    }

    /// Reports a word that is not in `known`, with a suggestion.
    pub(super) fn unknown<'b>(
        &mut self,
        node: Node<'_>,
        message: impl Into<String>,
        word: &str,
        known: impl IntoIterator<Item = &'b str>,
    ) {
        if self.found.len() >= MAX_FAULTS {
            self.more += 1;
            return;
        }
        let known: Vec<&str> = known.into_iter().collect();
        let mut found = RangeFault::new(node.range(), message);
        found.help = help_for(word, known.iter().copied());
        if let Some(near) = closest(word, known.iter().copied().take(MAX_KNOWN)) {
            let is_text = node.kind() == NodeKind::Text;
            found = found.write(node.range(), if is_text { format!("{near:?}") } else { near.to_owned() });
        }
        self.note(found);
    }

    /// Reports a fault that writing `text` instead of the value fixes.
    pub(super) fn fault_write(
        &mut self,
        node: Node<'_>,
        message: impl Into<String>,
        help: Option<String>,
        text: impl Into<String>,
    ) {
        let found = RangeFault::new(node.range(), message);
        self.note(RangeFault { help, ..found }.write(node.range(), text));
    }

    /// Reports a word; the message already lists the valid ones.
    pub(super) fn misspelled(&mut self, node: Node<'_>, message: String, meant: Option<&str>) {
        let mut found = RangeFault::new(node.range(), message);
        found.help = meant.map(did_you_mean);
        if let Some(meant) = meant.filter(|_| !node.text.contains(['(', '['])) {
            found = found.write(node.range(), meant);
        }
        self.note(found);
    }

    /// Reads a number within `bounds`; integers are converted.
    pub(super) fn number(&mut self, node: Node<'a>, name: &str, bounds: Bounds) -> Option<f32> {
        self.record_form(node, Form::Number);
        let Some(value) = node.leaf::<f32>() else {
            let message = format!("`{name}` must be a number, not {}", shown(node));
            self.no_number(node, message);
            return None;
        };
        if !value.is_finite() {
            let what = if node.text.contains(|c: char| c.is_ascii_digit()) {
                "is too large a number"
            } else {
                "must be a finite number"
            };
            self.fault(node, format!("`{name}` {what}"));
            return None;
        }
        if let Some(broken) = bounds.broken(value) {
            let message = format!("`{name}` {broken}, not {}", short(node.text));
            match bounds {
                Bounds::Between(least, most) => {
                    self.fault_write(node, message, None, value.limited(least, most).to_string());
                }
                _ => self.fault(node, message),
            }
            return None;
        }
        Some(value)
    }

    /// Reports a value that is not a number; for a number in quotes, the help omits them.
    fn no_number(&mut self, node: Node<'a>, message: String) {
        let written = node.leaf::<String>().filter(|_| node.kind() == NodeKind::Text);
        match written.filter(|text| text.parse::<f32>().is_ok()) {
            Some(number) => {
                let help = format!("write {number} without quotes");
                self.fault_write(node, message, Some(help), number);
            }
            None => match remedy::lone_number(node) {
                Some(number) => self.fault_write(node, message, Some(format!("write {number}")), number),
                None => self.fault(node, message),
            },
        }
    }

    /// Reads an integer from 0 to 2⁶⁴ − 1.
    pub(super) fn whole(&mut self, node: Node<'a>, name: &str) -> Option<u64> {
        self.record_form(node, Form::Number);
        let value = node.leaf::<u64>();
        if value.is_none() {
            let what = shown(node);
            let message = format!("`{name}` must be a whole number from 0 up, not {what}");
            match node.leaf::<f32>().filter(|value| (0.0..1e6).contains(value)) {
                Some(value) => self.fault_write(node, message, None, value.round().to_string()),
                None => self.no_number(node, message),
            }
        }
        value
    }

    /// Reads `true` or `false`.
    pub(super) fn switch(&mut self, node: Node<'a>, name: &str) -> Option<bool> {
        self.record_form(node, Form::Switch);
        let value = node.leaf::<bool>();
        if value.is_none() {
            let message = format!("`{name}` must be true or false, not {}", shown(node));
            let word = node.text.trim_matches(['"', '\'']).to_lowercase();
            match word.as_str() {
                "true" | "yes" | "on" | "1" => {
                    self.fault_write(node, message, Some("write true".to_owned()), "true");
                }
                "false" | "no" | "off" | "0" => {
                    self.fault_write(node, message, Some("write false".to_owned()), "false");
                }
                _ => self.fault(node, message),
            }
        }
        value
    }

    /// Reads a text in quotes.
    pub(super) fn text(&mut self, node: Node<'a>, name: &str) -> Option<String> {
        self.record_form(node, Form::Text);
        let value = (node.kind() == NodeKind::Text).then(|| node.leaf::<String>()).flatten();
        if value.is_none() {
            let message = format!("`{name}` must be a text in quotes, not {}", shown(node));
            match (node.kind(), node.word().1) {
                (NodeKind::Word, Some(_)) => {
                    let help = "give it a name in the scene, and write that name here, in quotes";
                    self.fault_help(node, message, help);
                }
                (kind, arguments)
                    if node.text.starts_with('\'')
                        || kind == NodeKind::Number
                        || (kind == NodeKind::Word && arguments.is_none()) =>
                {
                    let plain = node.text.trim_matches('\'');
                    let help = format!("write \"{}\"", short(plain));
                    self.fault_write(node, message, Some(help), format!("{plain:?}"));
                }
                _ => self.fault(node, message),
            }
        }
        value
    }

    /// Reads a text in quotes that is not empty.
    pub(super) fn name(&mut self, node: Node<'a>, name: &str) -> Option<String> {
        let value = self.text(node, name)?;
        if value.trim().is_empty() {
            self.fault(node, format!("`{name}` must not be empty"));
            return None;
        }
        Some(composed(&value).into_owned())
    }

    /// Reads the name of a thing, the value of field `name`, and returns its index in `known`.
    pub(super) fn declared<'k>(
        &mut self,
        (node, name): (Node<'a>, &str),
        thing: Thing,
        known: impl Iterator<Item = &'k str> + Clone,
    ) -> Option<usize> {
        self.record_use(node, thing);
        let word = self.name(node, name)?;
        let at = known.clone().position(|known| known == word);
        let declaring: &[_] = match thing {
            Thing::View => &["views"],
            Thing::Path => &["paths"],
            Thing::FlowField => &["fields"],
            Thing::Zone => &["zones"],
            _ => &["groups", "player"],
        };
        if at.is_none() && !self.is_lost(declaring) {
            let message = format!("there is no {} {}", thing.noun(), quoted(&word));
            self.unknown(node, message, &word, known);
        }
        at
    }

    /// Reads the values of a list.
    pub(super) fn list(&mut self, node: Node<'a>, name: &'static str) -> Vec<Node<'a>> {
        self.record_form(node, Form::List);
        let items = (node.kind() == NodeKind::List).then(|| node.items()).flatten();
        if let Some(items) = &items {
            self.record_collection(node, name, items.iter().map(|item| (None, *item)));
        }
        items.unwrap_or_else(|| {
            let message = format!("`{name}` must be a list, not {}", shown(node));
            let found = RangeFault::new(node.range(), message).help(remedy::list(name, node));
            let items = remedy::items(node).map(|items| format!("[{items}]"));
            self.note(match items {
                Some(items) => found.write(node.range(), items),
                None => found,
            });
            Vec::new()
        })
    }

    /// Reads names and values of a map; of duplicate names, which are a fault, the first is used.
    pub(super) fn map(&mut self, node: Node<'a>, name: &'static str) -> Vec<(Node<'a>, String, Node<'a>)> {
        self.record_form(node, Form::Map);
        let is_recorded = self.recorder.is_some();
        let is_map = node.kind() == NodeKind::Map;
        let entries =
            is_map.then(|| if is_recorded { node.loose_entries() } else { node.entries() }).flatten();
        let Some(entries) = entries else {
            let message = format!("`{name}` must be a map, not {}", shown(node));
            let found = RangeFault::new(node.range(), message).help(remedy::map(name, node));
            self.note(match remedy::entries(node) {
                Some(entries) => found.write(node.range(), entries),
                None => found,
            });
            return Vec::new();
        };
        self.record_collection(node, name, entries.iter().map(|(key, value)| (Some(*key), *value)));
        let mut seen = std::collections::BTreeMap::new();
        let mut named = Vec::new();
        for (key, value) in entries {
            let Some(text) = self.name(key, &format!("name in {name}")) else {
                if is_recorded {
                    named.push((key, String::new(), value));
                }
                continue;
            };
            if let Some(first) = seen.insert(text.clone(), key) {
                self.twice(key, &format!("the name {}", quoted(&text)), first);
            } else {
                named.push((key, text, value));
            }
        }
        named
    }

    /// Reports a duplicate item.
    pub(super) fn twice(&mut self, node: Node<'_>, what: &str, first: Node<'_>) {
        let line = self.span(first).line;
        self.fault_help(node, format!("{what} is given twice"), format!("the first one is in line {line}"));
    }

    /// Reads one of `cases`, a single word.
    pub(super) fn choice<T: Copy>(
        &mut self,
        node: Node<'a>,
        name: &'static str,
        cases: &[(&'static str, T)],
    ) -> Option<T> {
        self.record_choice(node, name);
        assert!(!cfg!(test) || cases_of(name, self.plane).eq(cases.iter().map(|(case, _)| *case)), "{name}");
        let (word, arguments) = node.word();
        let known = cases.iter().find(|(case, _)| *case == word.text);
        if let (Some((_, value)), None) = (known, arguments) {
            return Some(*value);
        }
        let spelled = if node.kind() == NodeKind::Text {
            node.leaf::<String>().unwrap_or_default()
        } else {
            word.text.to_owned()
        };
        let names = || cases.iter().map(|(case, _)| *case);
        let message = format!("`{name}` must be {}, not {}", one_of(names()), shown(node));
        if node.kind() == NodeKind::Text && names().any(|case| case == spelled) {
            let help = format!("write {spelled} without quotes");
            self.fault_write(node, message, Some(help), spelled);
        } else {
            self.misspelled(node, message, closest(&spelled, names()));
        }
        None
    }
}
