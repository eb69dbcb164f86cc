//! Completion in scripts.

use std::path::Path;

use steerbox_core::sim::EventKind;
use steerbox_core::text::{Name, TextEdit};
use steerbox_script::{
    Declared, Item, ItemKind, Library as _, Outline, ParamRange, Role, UNFINISHED, named_by_argument,
};

use super::api;
use super::context::{Context, KEYWORDS, Place};
use crate::language::document::{Document, DocumentKind};
use crate::language::model::{Completion, CompletionKind};
use crate::language::workspace::Workspace;
use crate::reload::{BuiltIn, embedded_helpers, embedded_scripts};

/// Texts after an unfinished name with which the rest may parse.
const ENDINGS: [&str; 6] = ["", ";", ")", "))", ") {}", " {}"];

/// Statements as snippets: label, text, description; the first ones stand at the top of the file.
const SNIPPETS: [(&str, &str, &str, bool); 16] = [
    ("fn steer", "fn steer(me, world) {\n    $0\n}", "the function that decides for a unit", true),
    ("fn flow", "fn flow(point, world) {\n    $0\n}", "the function that fills a flow field", true),
    (
        "fn measure",
        "fn measure(group, world) {\n    $0\n}",
        "the function that computes a measure of a group",
        true,
    ),
    (
        "const param",
        "const ${1:NAME} = param(${2:1.0}, ${3:0.0}, ${4:4.0});$0",
        "a parameter: default, least, most",
        true,
    ),
    ("const MEMORY", "const MEMORY = #{ ${1:angle}: ${2:0.0} };$0", "values that each unit remembers", true),
    ("fn touched", "fn touched(other) {\n    $0\n}", EventKind::Touched.about(), true),
    ("fn entered", "fn entered(zone) {\n    $0\n}", EventKind::Entered.about(), true),
    ("fn left", "fn left(zone) {\n    $0\n}", EventKind::Left.about(), true),
    ("fn born", "fn born(parent) {\n    $0\n}", EventKind::Born.about(), true),
    ("import", "import \"${1:steering}\" as ${2:s};$0", "the functions of another script", true),
    ("fn", "fn ${1:name}(${2:unit}) {\n    $0\n}", "a function", true),
    ("for", "for ${1:mate} in ${2:me.neighbors} {\n    $0\n}", "a loop over a list", false),
    ("if", "if ${1:condition} { $0 }", "a branch", false),
    ("if empty", "if ${1:mates}.is_empty { return (); }$0", "nothing to do", false),
    ("let", "let ${1:name} = $0;", "a variable", false),
    ("return ()", "return ();", "no contribution", false),
];

/// Returns the completions at a place, the most likely first.
pub(in crate::language) fn complete(
    workspace: &Workspace,
    document: &Document,
    at: usize,
) -> Vec<Completion> {
    let place = Place::new(&document.text, at);
    let list = List { word: place.word.clone(), found: Vec::new() };
    match place.context() {
        Context::None => Vec::new(),
        Context::Import => list.scripts(workspace, document),
        Context::Argument(function) => list.names(workspace, &function),
        // Handlers name their argument so by convention.
        Context::Compared(name) if name == "zone" => list.names(workspace, &name),
        Context::Compared(name) => list.choices(document, &name),
        Context::Memory => list.memory(document.outline()),
        Context::Module(alias) => list.module(workspace, document, &alias),
        Context::Member => list.members(receiver(document, &place)),
        Context::Expression => list.expression(document, &place, at),
        Context::Head(start) => List { word: start..place.word.end, ..list }.heads(),
        Context::Top => list.snippets(true).keywords(&["const", "fn", "import"]).found,
    }
}

/// Returns the kind of the value before the dot.
fn receiver(document: &Document, place: &Place<'_>) -> Option<&'static str> {
    let (_, outline) = unfinished(document, place)?;
    let names = outline.names.iter();
    let mut receivers = names.filter_map(|one| match &one.name {
        Name::Api { receiver, name } if name == UNFINISHED => Some(*receiver),
        _ => None,
    });
    receivers.next().flatten()
}

/// Returns the outline of the text with an unfinished name at the place, and the place of that name.
pub(super) fn unfinished(document: &Document, place: &Place<'_>) -> Option<(usize, Outline)> {
    let (head, tail) = (&document.text[..place.word.start], &document.text[place.word.end..]);
    ENDINGS.iter().find_map(|ending| {
        let outline = Outline::of(&document.stem(), &format!("{head}{UNFINISHED}{ending}{tail}"));
        let mut names = outline.names.iter();
        let at = names.find(|one| one.name.text() == UNFINISHED)?.range.start;
        Some((at, outline))
    })
}

/// The completions found so far.
struct List {
    word: std::ops::Range<usize>,
    found: Vec<Completion>,
}

impl List {
    fn add(
        &mut self,
        label: &str,
        kind: CompletionKind,
        detail: impl Into<String>,
        about: impl Into<String>,
    ) {
        self.add_as(label, kind, (detail.into(), about.into()), (label.to_owned(), false));
    }

    fn add_as(
        &mut self,
        label: &str,
        kind: CompletionKind,
        (detail, documentation): (String, String),
        (text, is_snippet): (String, bool),
    ) {
        let edit = TextEdit::replace(self.word.clone(), text);
        self.found.push(Completion {
            label: label.to_owned(),
            kind,
            detail,
            documentation,
            edit,
            is_snippet,
        });
    }

    /// Adds a row of the API.
    fn row(&mut self, row: &Declared, is_method: bool) {
        let described = (row.signature(is_method), row.about());
        if row.is_property() {
            return self.add(&row.name, CompletionKind::Property, described.0, described.1);
        }
        let kind = if is_method { CompletionKind::Method } else { CompletionKind::Function };
        let params = row.params.iter().skip(usize::from(is_method)).map(|(name, _)| name.as_str());
        let text = format!("{}{}", row.name, api::arguments(params));
        self.add_as(&row.name, kind, described, (text, true));
    }

    /// Adds a function of a script.
    fn function(&mut self, item: &Item) {
        let params = item.detail.trim_matches(['(', ')']).split(',').map(str::trim);
        let text = format!("{}{}", item.name, api::arguments(params.filter(|name| !name.is_empty())));
        let described = (format!("fn {}{}", item.name, item.detail), item.about.clone());
        self.add_as(&item.name, CompletionKind::Function, described, (text, true));
    }

    fn members(mut self, receiver: Option<&str>) -> Vec<Completion> {
        let (properties, methods): (Vec<_>, Vec<_>) =
            api::members(receiver).partition(|row| row.is_property());
        for row in properties.into_iter().chain(methods) {
            self.row(row, true);
        }
        self.found
    }

    fn memory(mut self, outline: &Outline) -> Vec<Completion> {
        for item in outline.items.iter().filter(|item| item.kind == ItemKind::Memory) {
            self.add(&item.name, CompletionKind::Field, format!("{}: {}", item.name, item.detail), "");
        }
        self.found
    }

    fn module(mut self, workspace: &Workspace, document: &Document, alias: &str) -> Vec<Completion> {
        let mut locals = document.outline().locals.iter();
        let module = locals.find(|local| local.name == alias).and_then(|local| local.module.as_deref());
        let Some(text) = module.and_then(|module| workspace.library(&document.path).text(module).ok()) else {
            return self.found;
        };
        for item in &Outline::of(module.unwrap_or_default(), &text).items {
            match item.kind {
                ItemKind::Function => self.function(item),
                ItemKind::Constant => self.add(&item.name, CompletionKind::Constant, "", &*item.about),
                _ => {}
            }
        }
        self.found
    }

    fn expression(mut self, document: &Document, place: &Place<'_>, at: usize) -> Vec<Completion> {
        let unfinished = unfinished(document, place);
        let (at, outline) = match &unfinished {
            Some((at, outline)) => (*at, outline),
            None => (at, document.outline()),
        };
        for local in outline.visible_at(at).filter(|local| local.name != UNFINISHED) {
            let kind = if local.module.is_some() { CompletionKind::Module } else { CompletionKind::Variable };
            self.add(&local.name, kind, local.kind.unwrap_or_default(), "");
        }
        for item in &outline.items {
            match item.kind {
                ItemKind::Param => {
                    self.add(&item.name, CompletionKind::Constant, &*item.detail, &*item.about);
                }
                ItemKind::Constant if item.name != "MEMORY" => {
                    self.add(&item.name, CompletionKind::Constant, &*item.detail, &*item.about);
                }
                ItemKind::Function if !Role::is_entry(&item.name) => self.function(item),
                _ => {}
            }
        }
        for row in api::plain().filter(|row| row.name != "param") {
            self.row(row, false);
        }
        for name in ["PI", "TAU"] {
            self.add(name, CompletionKind::Constant, "number", "");
        }
        self.snippets(false).keywords(&KEYWORDS).found
    }

    fn snippets(mut self, is_top: bool) -> Self {
        for (label, text, about, _) in SNIPPETS.into_iter().filter(|(.., top)| *top == is_top) {
            let described = (about.to_owned(), String::new());
            self.add_as(label, CompletionKind::Snippet, described, (text.to_owned(), true));
        }
        self
    }

    /// Adds the functions that the program calls.
    fn heads(self) -> Vec<Completion> {
        let mut list = self.snippets(true);
        list.found.retain(|one| one.label.starts_with("fn "));
        list.found
    }

    fn keywords(mut self, words: &[&str]) -> Self {
        for word in words {
            self.add(word, CompletionKind::Keyword, "", "");
        }
        self
    }

    /// Adds the scripts that can be imported.
    fn scripts(mut self, workspace: &Workspace, document: &Document) -> Vec<Completion> {
        let folder = document.folder();
        let beside = workspace.of_kind(DocumentKind::Script).filter(|one| one.folder() == folder);
        let beside = beside.filter(|one| one.path != document.path).map(|one| one.stem());
        let built_in = embedded_helpers().chain(embedded_scripts());
        let built_in = built_in.filter_map(|(name, _)| Some(name.strip_suffix(".rhai")?.to_owned()));
        let mut names: Vec<_> = beside.chain(built_in).collect();
        names.sort();
        names.dedup();
        for name in names {
            let about = BuiltIn.text(&name).ok().and_then(|text| first_comment(&text));
            self.add(&name, CompletionKind::File, about.unwrap_or_default(), "");
        }
        self.found
    }

    /// Adds the names of the project that a function takes.
    fn names(mut self, workspace: &Workspace, function: &str) -> Vec<Completion> {
        let Some(kind) = named_by_argument(function, "") else {
            return self.found;
        };
        let is_kind = |name: &Name| std::mem::discriminant(name) == std::mem::discriminant(&kind);
        let documents = workspace.documents();
        let names = documents.flat_map(|one| one.names().iter().map(move |name| (name, &one.path)));
        let mut names: Vec<_> = names
            .filter(|(one, _)| is_kind(&one.name))
            .map(|(one, path)| (one.name.text().to_owned(), file_name(path)))
            .collect();
        names.sort();
        names.dedup_by(|b, a| a.0 == b.0);
        for (name, file) in names {
            self.add(&name, CompletionKind::Name, file, "");
        }
        self.found
    }

    /// Adds the choices of a parameter.
    fn choices(mut self, document: &Document, name: &str) -> Vec<Completion> {
        let params = document.outline().params.iter().filter(|param| param.name == name);
        for param in params {
            if let ParamRange::Choice(words) = &param.range {
                for word in words {
                    self.add(word, CompletionKind::Name, name, "");
                }
            }
        }
        self.found
    }
}

fn file_name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// Returns the first line of the comment at the head of a script.
fn first_comment(text: &str) -> Option<String> {
    let line = text.lines().next()?.strip_prefix("//")?;
    Some(line.trim_start_matches(['!', '/']).trim().to_owned())
}
