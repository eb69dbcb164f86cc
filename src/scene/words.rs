//! The wording of faults: what was found, what was expected, what was likely meant.

use std::ops::Range;

use super::node::{Node, NodeKind};
use crate::diagnostics::suggestion;

/// Faults reported for one scene; later ones are only counted.
pub(super) const MOST_FAULTS: usize = 100;

/// A fault before its line and column are worked out.
pub(super) struct RangeFault {
    pub(super) range: Range<usize>,
    pub(super) message: String,
    pub(super) help: Option<String>,
}

impl RangeFault {
    pub(super) fn new(range: Range<usize>, message: impl Into<String>) -> Self {
        Self { range, message: message.into(), help: None }
    }

    pub(super) fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }
}

/// What a fault says was found.
pub(super) fn shown(node: Node<'_>) -> String {
    match node.kind() {
        NodeKind::Parentheses => "( … )".to_owned(),
        NodeKind::List => "a list".to_owned(),
        NodeKind::Map => "a map".to_owned(),
        NodeKind::Text => short(node.text),
        NodeKind::Number | NodeKind::Word => quoted(node.text),
    }
}

/// A word of the user's in a message.
pub(super) fn quoted(word: &str) -> String {
    format!("`{}`", short(word))
}

/// At most a line's worth of the user's own text.
pub(super) fn short(text: &str) -> String {
    const MOST: usize = 40;
    let line = text.lines().next().unwrap_or_default();
    if line.chars().count() <= MOST && line.len() == text.len() {
        return line.to_owned();
    }
    line.chars().take(MOST).chain(['…']).collect()
}

/// "a, b or c".
pub(super) fn one_of<'b>(names: impl IntoIterator<Item = &'b str>) -> String {
    let names: Vec<String> = names.into_iter().map(short).collect();
    match names.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} or {last}", rest.join(", ")),
        Some((last, _)) => last.clone(),
        None => "none".to_owned(),
    }
}

/// A remedy for `word`, which is none of `known`.
pub(super) fn help_for<'b>(word: &str, known: impl IntoIterator<Item = &'b str>) -> Option<String> {
    const MOST: usize = 1000;
    let known: Vec<&str> = known.into_iter().take(MOST).collect();
    suggestion(word, known.iter().copied()).or_else(|| {
        let names: Vec<String> = known.iter().map(|name| short(name)).collect();
        (1..=12).contains(&names.len()).then(|| format!("known: {}", names.join(", ")))
    })
}
