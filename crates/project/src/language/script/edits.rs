//! Parts of refactorings: places and names for new items.

use std::ops::Range;

use steerbox_core::text::{TextEdit, apply};
use steerbox_script::{Item, ItemKind, LexemeKind, lexemes};

use crate::language::document::Document;
use crate::language::model::{Action, ActionKind, WorkspaceEdit};

/// Builds a refactoring of one document that introduces a name.
pub(super) fn refactoring(document: &Document, title: &str, name: &str, edits: Vec<TextEdit>) -> Action {
    let new_name = apply(&document.text, &edits).and_then(|text| {
        let mut lexemes = lexemes(&text).into_iter();
        lexemes.find(|one| one.kind == LexemeKind::Word && text[one.range.clone()] == *name)
    });
    let edit = WorkspaceEdit { edits: vec![(document.path.clone(), edits)], renames: Vec::new() };
    Action {
        title: title.to_owned(),
        kind: ActionKind::Refactoring,
        edit,
        fault: None,
        new_name: new_name.map(|one| one.range),
    }
}

/// Returns the function that contains a part of the text.
pub(super) fn function_around<'a>(document: &'a Document, range: &Range<usize>) -> Option<&'a Item> {
    let mut items = document.outline().items.iter();
    items.find(|item| {
        item.kind == ItemKind::Function && item.range.start <= range.start && range.end <= item.range.end
    })
}

/// Returns a name that the script does not use yet.
pub(super) fn unused(document: &Document, name: &str) -> String {
    let is_used = |name: &str| document.outline().names.iter().any(|one| one.name.text() == name);
    let numbered = (2..).map(|number| format!("{name}{number}"));
    let mut names = std::iter::once(name.to_owned()).chain(numbered);
    names.find(|name| !is_used(name)).unwrap_or_else(|| name.to_owned())
}

/// Returns the start of an item with the comment directly above it.
pub(super) fn start_with_comment(document: &Document, item: &Item) -> usize {
    let lines = item.about.lines().count();
    let head = &document.text[..item.range.start];
    let mut start = item.range.start;
    for line in head.split_inclusive('\n').rev().take(lines) {
        start -= line.len();
    }
    start
}
