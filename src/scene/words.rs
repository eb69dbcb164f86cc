//! How faults speak: what was found, what was expected, what was likely meant.

use std::ops::Range;

use super::node::{Form, Node};
use crate::diagnostics::closest;

/// Faults told of one scene; later ones are only counted.
pub(super) const MOST_FAULTS: usize = 100;

/// A fault before its line and column are worked out.
pub(super) struct Found {
    pub(super) range: Range<usize>,
    pub(super) message: String,
    pub(super) help: Option<String>,
}

impl Found {
    pub(super) fn new(range: Range<usize>, message: impl Into<String>) -> Self {
        Self {
            range,
            message: message.into(),
            help: None,
        }
    }

    pub(super) fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }
}

/// What a fault says was found.
pub(super) fn shown(node: Node<'_>) -> String {
    match node.form() {
        Form::Parentheses => "( … )".to_owned(),
        Form::List => "a list".to_owned(),
        Form::Map => "a map".to_owned(),
        Form::Text => short(node.text),
        Form::Number | Form::Word => quoted(node.text),
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
pub(super) fn suggestion<'b>(
    word: &str,
    known: impl IntoIterator<Item = &'b str>,
) -> Option<String> {
    const MOST: usize = 1000;
    let known: Vec<&str> = known.into_iter().take(MOST).collect();
    if let Some(meant) = nearest(word, known.iter().copied()) {
        return Some(did_you_mean(meant));
    }
    let names: Vec<String> = known.iter().map(|name| short(name)).collect();
    (1..=12)
        .contains(&names.len())
        .then(|| format!("known: {}", names.join(", ")))
}

/// The one of `known` that `word` was likely meant to be.
pub(super) fn nearest<'b>(word: &str, known: impl IntoIterator<Item = &'b str>) -> Option<&'b str> {
    // The distance costs the product of the lengths, and the words come from the file.
    const LONGEST: usize = 64;
    let known = known.into_iter().filter(|name| name.len() <= LONGEST);
    if word.len() > LONGEST {
        return None;
    }
    closest(word, known)
}

pub(super) fn did_you_mean(word: &str) -> String {
    format!("did you mean `{word}`?")
}
