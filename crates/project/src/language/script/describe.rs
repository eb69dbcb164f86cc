//! Hover and signatures in scripts.

use std::fmt::Write as _;
use std::ops::Range;
use std::path::Path;

use steerbox_core::diagnostics::counted;
use steerbox_core::text::{Name, Thing};
use steerbox_script::{Declared, Item, ItemKind, Library as _, Outline, Typed};

use super::api;
use super::complete::unfinished;
use super::context::Place;
use crate::language::document::Document;
use crate::language::document::DocumentKind;
use crate::language::model::{Hover, Signature};
use crate::language::workspace::Workspace;
use crate::reload::BuiltIn;

/// The largest number of overloads and of settings in scenes that a hover lists.
const MAX_LISTED: usize = 8;

/// Returns a description of the name at a place.
pub(in crate::language) fn hover(workspace: &Workspace, document: &Document, at: usize) -> Option<Hover> {
    let found = document.outline().name_at(at)?;
    let markdown = describe(workspace, document, found)?;
    Some(Hover { range: found.range.clone(), markdown })
}

fn describe(workspace: &Workspace, document: &Document, found: &Typed) -> Option<String> {
    let name = found.name.text();
    match &found.name {
        Name::Api { .. } => rows(&found.name).or_else(|| Some(code(&format!("{name}: {}", found.kind?)))),
        Name::Local { at, .. } => {
            let local = document.outline().locals.iter().find(|local| local.at == *at)?;
            match &local.module {
                Some(module) => script(workspace, &document.path, module),
                None => Some(code(&format!("let {name}: {}", local.kind.or(found.kind).unwrap_or("?")))),
            }
        }
        Name::Param { script, .. }
        | Name::Constant { script, .. }
        | Name::Memory { script, .. }
        | Name::Function { script, .. } => {
            let arity = if let Name::Function { arity, .. } = &found.name { Some(*arity) } else { None };
            let is = |item: &&Item| item.name == name && (arity.is_none() || arity_of(item) == arity);
            let item = |text: &str, outline: &Outline| Some(declared(text, outline.items.iter().find(is)?));
            let mut described = with_outline(workspace, document, script, item)?;
            settings(workspace, &found.name, &mut described);
            Some(described)
        }
        Name::Script(module) => script(workspace, &document.path, module),
        Name::Shared(thing, _) => {
            let is_of_units = matches!(thing, Thing::Mark | Thing::Signal | Thing::Kind);
            let of = if is_of_units { "" } else { " of the scene" };
            Some(format!("{} `{name}`{of}{}", thing.noun(), uses(workspace, &found.name)))
        }
        Name::OfScene { .. } | Name::Schema { .. } => None,
    }
}

/// Formats code as Markdown.
fn code(text: &str) -> String {
    format!("```rhai\n{text}\n```")
}

/// Describes the rows of the API that a name denotes; `None` if it has none.
fn rows(name: &Name) -> Option<String> {
    let rows = api::rows(name);
    let mut signatures: Vec<_> = rows.iter().map(|row| row.signature(api::is_method(row))).collect();
    signatures.dedup();
    signatures.truncate(MAX_LISTED);
    let about = rows.first()?.about();
    Some(format!("{}\n\n{about}", code(&signatures.join("\n"))).trim_end().to_owned())
}

/// Reads text and outline of a script: this one, one beside it, or a built-in one.
fn with_outline<T>(
    workspace: &Workspace,
    document: &Document,
    script: &str,
    read: impl FnOnce(&str, &Outline) -> Option<T>,
) -> Option<T> {
    if script == document.stem() {
        return read(&document.text, document.outline());
    }
    if let Some(other) = workspace.imported_by(&document.path, script) {
        return read(&other.text, other.outline());
    }
    let text = BuiltIn.text(script).ok()?;
    read(&text, &Outline::of(script, &text))
}

/// Describes a script by the comment at its head.
fn script(workspace: &Workspace, from: &Path, name: &str) -> Option<String> {
    let text = workspace.library(from).text(name).ok()?;
    let head = text.lines().take_while(|line| line.starts_with("//"));
    let lines: Vec<_> = head.map(|line| line.trim_start_matches(['/', '!']).trim_end()).collect();
    Some(format!("**{name}.rhai**\n```text\n{}\n```", lines.join("\n")))
}

/// Returns the number of parameters of a function.
fn arity_of(item: &Item) -> Option<usize> {
    let inside = item.detail.strip_prefix('(')?.strip_suffix(')')?;
    Some(if inside.trim().is_empty() { 0 } else { inside.split(',').count() })
}

/// Describes a declaration: its head, values and comment.
fn declared(text: &str, item: &Item) -> String {
    let head = match item.kind {
        ItemKind::Function => format!("fn {}{}", item.name, item.detail),
        ItemKind::Memory => format!("this.{}: {}", item.name, item.detail),
        _ => text[item.range.clone()].lines().next().unwrap_or_default().to_owned(),
    };
    let mut described = code(&head);
    if item.kind == ItemKind::Param {
        let _ = write!(described, "\nparameter, default {}", item.detail);
    }
    if !item.about.is_empty() {
        let _ = write!(described, "\n\n{}", item.about);
    }
    described
}

/// Adds the values that scenes set for a parameter.
fn settings(workspace: &Workspace, name: &Name, described: &mut String) {
    if !matches!(name, Name::Param { .. }) {
        return;
    }
    let mut listed = 0;
    for scene in workspace.of_kind(DocumentKind::Scene) {
        for one in scene.names().iter().filter(|one| one.name == *name) {
            let rest = scene.text[one.range.end..].trim_start_matches('"').trim_start();
            let value = rest.strip_prefix(':').unwrap_or(rest).trim_start();
            let value = value.split([',', '}', '\n']).next().unwrap_or_default().trim();
            if listed < MAX_LISTED {
                let _ = write!(described, "\n- {}: {value}", scene.file_name());
            }
            listed += 1;
        }
    }
}

/// Formats the number of places of a name in the project.
fn uses(workspace: &Workspace, name: &Name) -> String {
    let places = workspace.documents().flat_map(|document| document.names());
    let count = places.filter(|one| one.name == *name).count();
    format!("; {}", counted(count, ["place", "places"]))
}

/// Returns the signature of the innermost call around a place.
pub(in crate::language) fn signature(
    workspace: &Workspace,
    document: &Document,
    at: usize,
) -> Option<Signature> {
    let place = Place::new(&document.text, at);
    let (called, active) = place.call()?;
    let is_called = |outline: &Outline| {
        let found = outline.names.iter().find(|one| one.range == called);
        found.map(|found| found.name.clone())
    };
    // A call with an unfinished argument is parsed with a name in its place.
    let found = is_called(document.outline())
        .or_else(|| unfinished(document, &place).and_then(|(_, outline)| is_called(&outline)));
    let name = found.unwrap_or(Name::Api { receiver: None, name: document.text[called].to_owned() });
    let script = match &name {
        Name::Function { script, .. } => script.clone(),
        _ => document.stem(),
    };
    // While arguments are missing, the number of parameters is unknown.
    let is_own = |item: &&Item| item.kind == ItemKind::Function && item.name == name.text();
    let least = active + place.commas_after();
    let takes = |item: &&Item| arity_of(item).is_some_and(|arity| arity > least);
    let own = |_: &str, outline: &Outline| {
        let item = outline.items.iter().filter(is_own).find(takes)?;
        Some((format!("{}{}", item.name, item.detail), item.about.clone()))
    };
    let is_method = matches!(&name, Name::Api { receiver: Some(_), .. });
    let own = if is_method { None } else { with_outline(workspace, document, &script, own) };
    let (label, documentation) = own.or_else(|| {
        let rows = api::rows(&name);
        // The overload with the fewest parameters that has all arguments.
        let params = |row: &Declared| row.params.len() - usize::from(api::is_method(row));
        let fitting = rows.iter().filter(|row| params(row) > least);
        let row = fitting.min_by_key(|row| params(row)).or(rows.first())?;
        Some((row.signature(api::is_method(row)), row.about()))
    })?;
    Some(Signature { parameters: parameters(&label), label, active, documentation })
}

/// Returns the name of a parameter of a function of the API or of the script.
pub(super) fn parameter_name(document: &Document, function: &str, index: usize) -> Option<String> {
    let mut items = document.outline().items.iter();
    let own = items.find(|item| item.kind == ItemKind::Function && item.name == function);
    let of_api = || {
        let rows = api::rows(&Name::Api { receiver: None, name: function.to_owned() });
        let row = rows.into_iter().find(|row| row.params.len() > index)?;
        Some(row.signature(api::is_method(row)))
    };
    let label = own.map(|item| item.detail.clone()).or_else(of_api)?;
    let part = parameters(&label).into_iter().nth(index)?;
    let name = label[part].split(':').next()?.trim();
    Some(name.to_owned())
}

/// Returns the part of each parameter in a signature.
fn parameters(label: &str) -> Vec<Range<usize>> {
    let Some((open, close)) = label.find('(').zip(label.rfind(')')) else {
        return Vec::new();
    };
    let mut start = open + 1;
    let parts = label[start..close].split(',').filter(|part| !part.trim().is_empty());
    let range = |part: &str| {
        let from = start + part.len() - part.trim_start().len();
        start += part.len() + 1;
        from..from + part.trim().len()
    };
    parts.map(range).collect()
}
