//! Wording of faults: found and expected values, suggestions.

use std::ops::Range;

use steerbox_core::diagnostics::{Fix, suggestion};

use super::node::{Node, NodeKind};

/// Maximum number of faults reported for a scene; further ones are counted.
pub(super) const MAX_FAULTS: usize = 100;

/// Maximum number of names that are compared with a misspelled one.
pub(super) const MAX_KNOWN: usize = 1000;

/// A fault without line and column.
pub(super) struct RangeFault {
    pub(super) range: Range<usize>,
    pub(super) message: String,
    pub(super) help: Option<String>,
    pub(super) fixes: Vec<Fix>,
}

impl RangeFault {
    pub(super) fn new(range: Range<usize>, message: impl Into<String>) -> Self {
        Self { range, message: message.into(), help: None, fixes: Vec::new() }
    }

    pub(super) fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    pub(super) fn fixed(mut self, fixes: impl IntoIterator<Item = Fix>) -> Self {
        self.fixes.extend(fixes);
        self
    }

    /// Adds a fix that replaces a range by `text`.
    pub(super) fn write(self, range: Range<usize>, text: impl Into<String>) -> Self {
        let text = text.into();
        let title = format!("write {}", quoted(&text));
        self.fixed([Fix::replace(title, range, text)])
    }
}

/// Describes a value in a message.
pub(super) fn shown(node: Node<'_>) -> String {
    match node.kind() {
        NodeKind::Parentheses => "( … )".to_owned(),
        NodeKind::List => "a list".to_owned(),
        NodeKind::Map => "a map".to_owned(),
        NodeKind::Text => short(node.text),
        NodeKind::Number | NodeKind::Word => quoted(node.text),
    }
}

/// Quotes a word of the user.
pub(super) fn quoted(word: &str) -> String {
    format!("`{}`", short(word))
}

/// Truncates a text of the user to one short line.
pub(super) fn short(text: &str) -> String {
    const MAX_CHARACTERS: usize = 40;
    let line = text.lines().next().unwrap_or_default();
    if line.chars().count() <= MAX_CHARACTERS && line.len() == text.len() {
        return line.to_owned();
    }
    line.chars().take(MAX_CHARACTERS).chain(['…']).collect()
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

/// Returns help for `word`, which is not in `known`.
pub(super) fn help_for<'b>(word: &str, known: impl IntoIterator<Item = &'b str>) -> Option<String> {
    let known: Vec<&str> = known.into_iter().take(MAX_KNOWN).collect();
    suggestion(word, known.iter().copied()).or_else(|| {
        let names: Vec<String> = known.iter().map(|name| short(name)).collect();
        (1..=12).contains(&names.len()).then(|| format!("known: {}", names.join(", ")))
    })
}
