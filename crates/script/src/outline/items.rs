//! The declarations at the top of a script.

use std::ops::Range;

use steerbox_core::text::Name;

use super::blocks::Blocks;
use super::names::Typed;
use crate::param::{Param, ParamRange, to_dynamic};
use crate::syntax::lexemes::{Lexeme, LexemeKind, statement_end};

/// The kind of an item.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ItemKind {
    /// `fn name(…) { … }`
    Function,
    /// `const NAME = …;`
    Constant,
    /// `const NAME = param(…);`
    Param,
    /// A field of `const MEMORY`.
    Memory,
    /// `import "…" as name;`
    Import,
}

/// A declaration at the top of a script.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Item {
    /// Its name.
    pub name: String,
    /// Its kind.
    pub kind: ItemKind,
    /// The parameters of a function, or range and default of a parameter.
    pub detail: String,
    /// The comment directly above it, without slashes.
    pub about: String,
    /// Its name in the text, bytes.
    pub selection: Range<usize>,
    /// The whole declaration, bytes.
    pub range: Range<usize>,
}

/// Returns the items of the declared names.
pub(super) fn of_names(
    text: &str,
    names: &[Typed],
    params: &[Param],
    lexemes: &[Lexeme],
    blocks: &Blocks,
) -> Vec<Item> {
    let mut items = of_heads(text, lexemes, blocks);
    for one in names.iter().filter(|one| one.is_declaration) {
        let (kind, detail) = match &one.name {
            Name::Constant { .. } => (ItemKind::Constant, one.kind.unwrap_or_default().to_owned()),
            Name::Param { name, .. } => {
                let param = params.iter().find(|param| param.name == *name);
                (ItemKind::Param, param.map_or_else(String::new, describe))
            }
            Name::Memory { .. } => (ItemKind::Memory, one.kind.unwrap_or_default().to_owned()),
            Name::Local { .. } if one.kind == Some("module") => (ItemKind::Import, String::new()),
            _ => continue,
        };
        let is_field = kind == ItemKind::Memory;
        let range = if is_field { one.range.clone() } else { statement(text, lexemes, one.range.start) };
        let about = if is_field { String::new() } else { comment_above(text, range.start) };
        let (name, selection) = (one.name.text().to_owned(), one.range.clone());
        items.push(Item { name, kind, detail, about, selection, range });
    }
    items.sort_by_key(|item| item.selection.start);
    items
}

/// Returns the functions, by their heads: `fn name(a, b)`.
pub(super) fn of_heads(text: &str, lexemes: &[Lexeme], blocks: &Blocks) -> Vec<Item> {
    let word = |at: usize| lexemes.get(at).filter(|one| one.kind == LexemeKind::Word);
    let mut items = Vec::new();
    for at in 0..lexemes.len() {
        let (Some(head), Some(name)) = (word(at), word(at + 1)) else {
            continue;
        };
        if &text[head.range.clone()] != "fn" {
            continue;
        }
        let start = head.range.start;
        let block = blocks.from(name.range.end);
        let head_end = block.as_ref().map_or(name.range.end, |block| block.start);
        let end = block.map_or(name.range.end, |block| block.end);
        let detail = text[name.range.end..head_end].trim();
        items.push(Item {
            name: text[name.range.clone()].to_owned(),
            kind: ItemKind::Function,
            detail: detail.lines().next().unwrap_or_default().to_owned(),
            about: comment_above(text, start),
            selection: name.range.clone(),
            range: start..end,
        });
    }
    items
}

/// Describes the values and the default of a parameter: `1.5, from 0 to 4`.
pub(super) fn describe(param: &Param) -> String {
    let default = to_dynamic(&param.default);
    match &param.range {
        ParamRange::Number(least, most) => format!("{default}, from {least} to {most}"),
        ParamRange::Integer(least, most) => format!("{default}, whole, from {least} to {most}"),
        ParamRange::Switch => format!("{default}"),
        ParamRange::Choice(words) => format!("\"{default}\", one of {}", words.join(", ")),
    }
}

/// Returns the statement around a place outside of all blocks: from its first word to its `;`.
fn statement(text: &str, lexemes: &[Lexeme], at: usize) -> Range<usize> {
    let here = lexemes.partition_point(|one| one.range.end <= at);
    let is_end = |one: &&Lexeme| matches!(one.kind, LexemeKind::End | LexemeKind::Close('}'));
    let before = lexemes[..here].iter().rposition(|one| is_end(&one) || one.kind == LexemeKind::Comment);
    let start = lexemes.get(before.map_or(0, |before| before + 1)).map_or(at, |one| one.range.start);
    let end = statement_end(&lexemes[here.min(lexemes.len())..]);
    start..end.map_or(text.len(), |(_, last)| last.range.end)
}

/// Returns the comment lines directly above a declaration at the start of a line, without slashes.
pub(super) fn comment_above(text: &str, at: usize) -> String {
    let before = text[..at].trim_end_matches([' ', '\t']);
    let before = before.strip_suffix("private").unwrap_or(before).trim_end_matches([' ', '\t']);
    if !before.ends_with('\n') {
        return String::new();
    }
    let above = before.lines().rev().take_while(|line| {
        let line = line.trim_start();
        line.starts_with("//") && !line.starts_with("//!")
    });
    let mut lines: Vec<_> = above.map(|line| line.trim_start().trim_start_matches('/').trim()).collect();
    lines.reverse();
    lines.join("\n")
}
