//! Readers of single values of a scene: faults are collected with their positions, and reading continues.

use glam::Vec3;

use super::{
    node::{Node, NodeKind},
    remedy,
    span::{Lines, Span},
    words::{MAX_FAULTS, RangeFault, help_for, one_of, quoted, short, shown},
};
use crate::{
    diagnostics::{closest, did_you_mean},
    world::{Arena, Domain, Edges},
};

/// The valid range of a number.
#[derive(Clone, Copy)]
pub(super) enum Bounds {
    /// Any finite number, for values that only scripts interpret.
    Finite,
    /// Any number whose square and cube are finite; this also holds for the variants below.
    Any,
    NotNegative,
    Above,
    Between(f32, f32),
}

/// Limits beyond which squares and quotients of a scene's numbers overflow or underflow.
const MAX_NUMBER: f32 = 1e12;
const MIN_NUMBER: f32 = 1e-6;

impl Bounds {
    fn broken(self, value: f32) -> Option<String> {
        match self {
            Self::Finite => None,
            _ if value.abs() > MAX_NUMBER => Some(format!("must be within ±{MAX_NUMBER:e}")),
            Self::NotNegative if value < 0.0 => Some("must not be negative".to_owned()),
            Self::Above if value <= 0.0 => Some("must be above zero".to_owned()),
            Self::Above if value < MIN_NUMBER => Some(format!("must be at least {MIN_NUMBER}")),
            Self::Between(least, most) if value < least || value > most => {
                Some(format!("must be from {least} to {most}"))
            }
            _ => None,
        }
    }
}

/// Collects the faults of a scene while its parts are read.
pub(super) struct Reader<'a> {
    lines: &'a Lines<'a>,
    /// True if the world is a plane; `None` while unknown.
    pub(super) plane: Option<bool>,
    /// The bounds of the world; `None` while unknown.
    pub(super) arena: Option<Arena>,
    found: Vec<RangeFault>,
    more: usize,
    warnings: Vec<RangeFault>,
}

impl<'a> Reader<'a> {
    pub(super) fn new(lines: &'a Lines<'a>) -> Self {
        Self { lines, plane: None, arena: None, found: Vec::new(), more: 0, warnings: Vec::new() }
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

    /// Adds a warning if `what` is outside a world with closed edges. `nearest` is its point nearest to the center of
    /// the world, and `radius` its extent about that point.
    pub(super) fn inside(&mut self, node: Node<'_>, what: &str, nearest: Vec3, radius: f32) {
        let Some(arena) = self.arena.filter(|arena| arena.edges != Edges::Open) else {
            return;
        };
        if arena.distance_to(nearest) <= radius || self.warnings.len() >= MAX_FAULTS {
            return;
        }
        let extent = match arena.domain {
            Domain::Plane { size } => format!("from (0, 0) to ({}, {})", size.x, size.y),
            Domain::Space { center: Vec3 { x, y, z }, radius } => {
                format!("{radius} from its center, ({x}, {y}, {z})")
            }
        };
        let message = format!("{what} is outside the world, which reaches {extent}");
        let help = "move it inside, or make `world` larger";
        self.warnings.push(RangeFault::new(node.range(), message).help(help));
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

    fn note(&mut self, found: RangeFault) {
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
        let mut found = RangeFault::new(node.range(), message);
        found.help = help_for(word, known);
        self.note(found);
    }

    /// Reports a word; the message already lists the valid ones.
    pub(super) fn misspelled(&mut self, node: Node<'_>, message: String, meant: Option<&str>) {
        let mut found = RangeFault::new(node.range(), message);
        found.help = meant.map(did_you_mean);
        self.note(found);
    }

    /// Reads a number within `bounds`; integers are converted.
    pub(super) fn number(&mut self, node: Node<'a>, name: &str, bounds: Bounds) -> Option<f32> {
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
            let what = short(node.text);
            self.fault(node, format!("`{name}` {broken}, not {what}"));
            return None;
        }
        Some(value)
    }

    /// Reports a value that is not a number; for a number in quotes, the help omits them.
    fn no_number(&mut self, node: Node<'a>, message: String) {
        let written = node.leaf::<String>().filter(|_| node.kind() == NodeKind::Text);
        match written.filter(|text| text.parse::<f32>().is_ok()) {
            Some(number) => {
                self.fault_help(node, message, format!("write {number} without quotes"));
            }
            None => match remedy::lone_number(node) {
                Some(number) => self.fault_help(node, message, format!("write {number}")),
                None => self.fault(node, message),
            },
        }
    }

    /// Reads an integer from 0 to 2⁶⁴ − 1.
    pub(super) fn whole(&mut self, node: Node<'a>, name: &str) -> Option<u64> {
        let value = node.leaf::<u64>();
        if value.is_none() {
            let what = shown(node);
            let message = format!("`{name}` must be a whole number from 0 up, not {what}");
            self.no_number(node, message);
        }
        value
    }

    /// Reads `true` or `false`.
    pub(super) fn switch(&mut self, node: Node<'a>, name: &str) -> Option<bool> {
        let value = node.leaf::<bool>();
        if value.is_none() {
            let message = format!("`{name}` must be true or false, not {}", shown(node));
            let word = node.text.trim_matches(['"', '\'']).to_lowercase();
            match word.as_str() {
                "true" | "yes" | "on" | "1" => self.fault_help(node, message, "write true"),
                "false" | "no" | "off" | "0" => self.fault_help(node, message, "write false"),
                _ => self.fault(node, message),
            }
        }
        value
    }

    /// Reads a text in quotes.
    pub(super) fn text(&mut self, node: Node<'a>, name: &str) -> Option<String> {
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
                    self.fault_help(node, message, format!("write \"{}\"", short(plain)));
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
        Some(value)
    }

    /// Reads the values of a list.
    pub(super) fn list(&mut self, node: Node<'a>, name: &str) -> Vec<Node<'a>> {
        let items = (node.kind() == NodeKind::List).then(|| node.items()).flatten();
        items.unwrap_or_else(|| {
            let message = format!("`{name}` must be a list, not {}", shown(node));
            self.fault_help(node, message, remedy::list(name, node));
            Vec::new()
        })
    }

    /// Reads names and values of a map; of duplicate names, which are a fault, the first is used.
    pub(super) fn map(&mut self, node: Node<'a>, name: &str) -> Vec<(Node<'a>, String, Node<'a>)> {
        let entries = (node.kind() == NodeKind::Map).then(|| node.entries()).flatten();
        let Some(entries) = entries else {
            let message = format!("`{name}` must be a map, not {}", shown(node));
            self.fault_help(node, message, remedy::map(name, node));
            return Vec::new();
        };
        let mut seen = std::collections::BTreeMap::new();
        let mut named = Vec::new();
        for (key, value) in entries {
            let Some(text) = self.name(key, &format!("name in {name}")) else {
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
    pub(super) fn choice<T: Copy>(&mut self, node: Node<'a>, name: &str, cases: &[(&str, T)]) -> Option<T> {
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
            self.fault_help(node, message, format!("write {spelled} without quotes"));
        } else {
            self.misspelled(node, message, closest(&spelled, names()));
        }
        None
    }

    /// Reads a point or vector: (x, y), and in space (x, y, z).
    pub(super) fn vector(&mut self, node: Node<'a>, name: &str) -> Option<Vec3> {
        let parts = self.tuple(node, name)?;
        if !(2..=3).contains(&parts.len()) {
            let wanted = match self.plane {
                Some(true) => "2 numbers, (x, y)",
                Some(false) => "3 numbers, (x, y, z)",
                None => "2 or 3 numbers",
            };
            self.fault(node, format!("`{name}` needs {wanted}, not {}", parts.len()));
            return None;
        }
        let (vector, whole): ([f32; 3], bool) = self.each(&parts, name, Bounds::Any);
        if self.plane == Some(true) && vector[2] != 0.0 {
            let message = format!("the z of `{name}` must be 0 in a plane");
            self.fault_help(parts[2], message, "leave it out: (x, y)");
            return None;
        }
        whole.then(|| Vec3::from_array(vector))
    }

    /// Reads exactly `N` numbers in parentheses, each within `bounds`.
    pub(super) fn numbers<const N: usize>(
        &mut self,
        node: Node<'a>,
        name: &str,
        bounds: Bounds,
    ) -> Option<[f32; N]> {
        let parts = self.tuple(node, name)?;
        if parts.len() != N {
            let message = format!("`{name}` needs {N} numbers, not {}", parts.len());
            self.fault(node, message);
            return None;
        }
        let (numbers, whole) = self.each(&parts, name, bounds);
        whole.then_some(numbers)
    }

    /// Reads the numbers of `parts`, padded with 0; the flag is true if all are valid.
    fn each<const N: usize>(&mut self, parts: &[Node<'a>], name: &str, bounds: Bounds) -> ([f32; N], bool) {
        let (mut numbers, mut whole) = ([0.0; N], true);
        for (value, part) in numbers.iter_mut().zip(parts) {
            let number = self.number(*part, name, bounds);
            whole &= number.is_some();
            *value = number.unwrap_or_default();
        }
        (numbers, whole)
    }

    fn tuple(&mut self, node: Node<'a>, name: &str) -> Option<Vec<Node<'a>>> {
        let parts = (node.kind() == NodeKind::Parentheses).then(|| node.tuple()).flatten();
        if parts.is_none() {
            let message = format!("`{name}` must be numbers in parentheses, not {}", shown(node));
            self.fault_help(node, message, remedy::point(name, node));
        }
        parts
    }
}
