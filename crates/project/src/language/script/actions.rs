//! Refactorings of scripts.

use std::ops::Range;

use steerbox_core::text::TextEdit;
use steerbox_script::{Item, ItemKind, LexemeKind};

use super::context::Place;
use super::edits::{function_around, refactoring, start_with_comment, unused};
use super::extract;
use crate::language::document::Document;
use crate::language::model::Action;

/// Returns the refactorings for a part of a script.
pub(in crate::language) fn actions(document: &Document, range: &Range<usize>) -> Vec<Action> {
    [parameter(document, range), extract::extracted(document, range)].into_iter().flatten().collect()
}

/// Converts the number at a place to a parameter.
fn parameter(document: &Document, range: &Range<usize>) -> Option<Action> {
    let text = &*document.text;
    let place = Place::new(text, range.start);
    let mut numbers = place.lexemes.iter().filter(|one| one.kind == LexemeKind::Number);
    let number = numbers.find(|one| one.range.start <= range.start && range.end <= one.range.end)?;
    function_around(document, &number.range)?;
    let literal = &text[number.range.clone()];
    let value: f32 = literal.parse().ok()?;
    let name = unused(document, &name_for(document, &Place::new(text, number.range.start)));
    let is_integer = literal.parse::<i64>().is_ok();
    let most = if value == 0.0 { 1.0 } else { value * 4.0 };
    let (least, most) = if is_integer { ("0", format!("{most}")) } else { ("0.0", format!("{most:?}")) };
    let declared = format!("const {name} = param({literal}, {least}, {most});");
    let (at, before, after) = place_of_constant(document);
    let edits = vec![
        TextEdit::insert(at, format!("{before}{declared}{after}")),
        TextEdit::replace(number.range.clone(), name.clone()),
    ];
    Some(refactoring(document, &format!("Make {literal} the parameter {name}"), &name, edits))
}

/// Returns a name for the value at a place: that of its variable, its parameter, or the value with which it is
/// compared.
fn name_for(document: &Document, place: &Place<'_>) -> String {
    let text = &*document.text;
    let of_call = || {
        let (name, argument) = place.call()?;
        let signature = super::describe::parameter_name(document, &text[name], argument)?;
        (signature.len() > 2).then_some(signature)
    };
    let name = match (place.before(1), place.before(2), place.before(3)) {
        ("=", name, "let") => Some(name.to_owned()),
        ("(" | ",", ..) => of_call(),
        ("<" | ">" | "<=" | ">=", name, _) if is_word(name) => Some(name.to_owned()),
        _ => None,
    };
    name.unwrap_or_else(|| "value".to_owned()).to_uppercase()
}

fn is_word(text: &str) -> bool {
    text.starts_with(|c: char| c.is_alphabetic()) && text.chars().all(|c| c.is_alphanumeric() || c == '_')
}

/// Returns the place of a further constant, and the text before and after it: after the last one, or before the first
/// function.
fn place_of_constant(document: &Document) -> (usize, &'static str, &'static str) {
    let items = &document.outline().items;
    let is_function = |item: &&Item| item.kind == ItemKind::Function;
    let constants = items.iter().filter(|item| !is_function(item) && item.kind != ItemKind::Memory);
    if let Some(end) = constants.map(|item| item.range.end).max() {
        return (end, "\n", "");
    }
    let first = items.iter().find(is_function).map_or(0, |item| start_with_comment(document, item));
    (first, "", "\n\n")
}
