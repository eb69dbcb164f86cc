//! Extraction of a selection to a function.

use std::ops::Range;

use steerbox_core::text::{Name, TextEdit};
use steerbox_script::{Lexeme, LexemeKind, Local, Outline, lexemes};

use super::edits::{function_around, refactoring, start_with_comment, unused};
use super::format::formatted;
use crate::language::document::Document;
use crate::language::model::Action;

/// Words that have no meaning in another function.
const BOUND: [&str; 6] = ["return", "break", "continue", "this", "fn", "import"];
/// Operators that change the variable before them.
const ASSIGNMENTS: [&str; 6] = ["=", "+=", "-=", "*=", "/=", "%="];

/// Extracts an expression or statements to a function, if nothing in them depends on their place.
pub(super) fn extracted(document: &Document, range: &Range<usize>) -> Option<Action> {
    let text = &*document.text;
    let selected = text.get(range.clone())?;
    let start = range.start + selected.len() - selected.trim_start().len();
    let range = start..start + selected.trim().len();
    let around = function_around(document, &range).filter(|_| range.len() > 1)?;
    let all = lexemes(text);
    let within: Vec<_> = all.iter().filter(|one| range.contains(&one.range.start)).collect();
    let is_aligned = within.last().is_some_and(|one| one.range.end == range.end);
    if !is_aligned || within.iter().any(|one| BOUND.contains(&&text[one.range.clone()])) {
        return None;
    }
    let selected = &text[range.clone()];
    let parses = |body: &str| Outline::of("extracted", &format!("fn f() {{ {body} }}")).is_whole;
    let is_expression = parses(&format!("let it = {selected};"));
    let locals = used(document, &range);
    if (!is_expression && !parses(selected)) || assigns(text, &within, &locals) {
        return None;
    }
    let kept = declared_and_used_later(document, &range, around.range.end);
    let (before, result) = match (&kept[..], is_expression) {
        (_, true) | ([], _) => (String::new(), String::new()),
        ([one], _) => (format!("let {} = ", one.name), format!("\n{}", one.name)),
        _ => return None,
    };
    let name = unused(document, "extracted");
    let names: Vec<_> = locals.iter().map(|local| local.name.as_str()).collect();
    let head = format!("{name}({})", names.join(", "));
    let function = formatted(&format!("fn {head} {{\n{selected}{result}\n}}\n"));
    let ending = if is_expression { "" } else { ";" };
    let edits = vec![
        TextEdit::insert(start_with_comment(document, around), format!("{function}\n")),
        TextEdit::replace(range, format!("{before}{head}{ending}")),
    ];
    Some(refactoring(document, "Extract a function", &name, edits))
}

/// Returns the variables from outside that a part of the text uses, in the order of their use.
fn used<'a>(document: &'a Document, range: &Range<usize>) -> Vec<&'a Local> {
    let outline = document.outline();
    let mut found: Vec<&Local> = Vec::new();
    for name in outline.names.iter().filter(|name| range.contains(&name.range.start)) {
        let Name::Local { at, .. } = name.name else { continue };
        let local = outline.locals.iter().find(|local| local.at == at && local.module.is_none());
        found.extend(local.filter(|local| !range.contains(&at) && !found.contains(local)));
    }
    found
}

/// Returns true if one of these variables is changed.
fn assigns(text: &str, within: &[&Lexeme], locals: &[&Local]) -> bool {
    within.windows(2).any(|pair| {
        let [word, operator] = pair else { return false };
        let name = &text[word.range.clone()];
        let is_local = word.kind == LexemeKind::Word && locals.iter().any(|local| local.name == name);
        is_local && ASSIGNMENTS.contains(&&text[operator.range.clone()])
    })
}

/// Returns the variables that a part of the text declares for code behind it.
fn declared_and_used_later<'a>(document: &'a Document, range: &Range<usize>, end: usize) -> Vec<&'a Local> {
    let outline = document.outline();
    let declared = outline.locals.iter().filter(|local| range.contains(&local.at));
    let is_used = |local: &&Local| {
        outline.names.iter().any(|name| {
            (range.end..end).contains(&name.range.start)
                && matches!(name.name, Name::Local { at, .. } if at == local.at)
        })
    };
    declared.filter(is_used).collect()
}
