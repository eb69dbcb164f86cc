//! Completion: the readers record what they expect at the place, in a text that has a word there if it is missing.

mod candidates;
mod experiment;
#[cfg(test)]
mod tests;

use steerbox_core::text::TextEdit;
use steerbox_scene::{
    FieldAbout, Form, Item, Mention, SceneOutline, Thing, about_case, fields_of, outline_at,
};

use crate::language::document::{Document, DocumentKind};
use crate::language::model::{Completion, CompletionKind};
use crate::language::scene::cursor::{Cursor, Written};
use crate::language::scene::snippet;
use crate::language::workspace::Workspace;

/// Returns completions at a place.
pub(in crate::language) fn complete(
    workspace: &Workspace,
    document: &Document,
    at: usize,
) -> Vec<Completion> {
    let Some(cursor) = Cursor::new(&document.text, at) else {
        return Vec::new();
    };
    let outline = outline_at((&document.text, document.format()), at, cursor.is_missing());
    let completer = Completer { workspace, document, outline: &outline, cursor: &cursor };
    completer.all()
}

/// A name that can be inserted.
struct Candidate {
    name: String,
    detail: String,
    documentation: String,
}

struct Completer<'a> {
    workspace: &'a Workspace,
    document: &'a Document,
    outline: &'a SceneOutline,
    cursor: &'a Cursor,
}

impl Completer<'_> {
    fn all(&self) -> Vec<Completion> {
        let (outline, cursor) = (self.outline, self.cursor);
        let is_quoted = matches!(cursor.written, Written::Quoted { .. });
        if let Some(mention) = outline.mentions.iter().find(|mention| cursor.is_at(&mention.range)) {
            return self.mention(mention);
        }
        if outline.colors.iter().any(|(range, _)| cursor.is_at(range)) {
            return self.colors();
        }
        if is_quoted {
            return Vec::new();
        }
        if let Some(choice) = outline.choices.iter().find(|choice| cursor.is_at(&choice.range)) {
            let words = choice.words.iter();
            return words.map(|word| self.case(choice.owner, word)).collect();
        }
        let named = |item: &&Item| {
            let mut places = item.fields.iter().map(|field| &field.key).chain(&item.strays);
            places.any(|range| cursor.is_at(range))
        };
        if let Some(item) = outline.items.iter().filter(named).min_by_key(|item| item.range.len()) {
            return self.fields(item);
        }
        let bare = |item: &&Item| item.is_bare && cursor.is_at(&item.range);
        if let Some(item) = outline.items.iter().find(bare) {
            return self.items(item);
        }
        let form = outline.forms.iter().find(|(range, _)| cursor.is_at(range));
        form.map_or_else(Vec::new, |(_, form)| self.form(*form))
    }

    /// Returns an entry whose text replaces the word.
    fn entry(&self, label: &str, kind: CompletionKind, text: impl Into<String>) -> Completion {
        let text = text.into();
        Completion {
            label: label.to_owned(),
            kind,
            detail: String::new(),
            documentation: String::new(),
            is_snippet: text.contains('$'),
            edit: TextEdit::replace(self.cursor.word.clone(), text),
        }
    }

    /// Returns the fields that an item does not have yet, required ones first.
    fn fields(&self, item: &Item) -> Vec<Completion> {
        let has = |name: &str| {
            let mut others = item.fields.iter().filter(|field| !self.cursor.is_at(&field.key));
            others.any(|field| field.known == Some(name))
        };
        let missing = fields_of(item.family, item.owner).filter(|field| !has(field.name));
        let (required, others): (Vec<_>, Vec<_>) =
            missing.partition(|field| field.example(self.is_plane()).is_some());
        let entry = |field: &FieldAbout| {
            let text = match self.cursor.next {
                Some(':') => field.name.to_owned(),
                _ => snippet::field(field, self.is_plane()),
            };
            Completion {
                detail: format!("{}, default: {}", field.value, field.default).replace('`', ""),
                documentation: field.about.to_owned(),
                ..self.entry(field.name, CompletionKind::Field, text)
            }
        };
        required.into_iter().chain(others).map(entry).collect()
    }

    fn is_plane(&self) -> bool {
        self.outline.is_plane != Some(false)
    }

    /// Returns a case with its required fields, or a word alone.
    fn case(&self, owner: &str, word: &str) -> Completion {
        let is_bare = self.cursor.next != Some('(');
        let text = if is_bare { snippet::case(owner, word, self.is_plane()) } else { word.to_owned() };
        let about = about_case(owner, word).map_or("", |about| about.about);
        let fields: Vec<_> = fields_of(owner, word).filter(|_| is_bare).map(|field| field.name).collect();
        let detail = fields.join(", ");
        let entry = self.entry(word, CompletionKind::Case, text);
        Completion { detail, documentation: about.to_owned(), ..entry }
    }

    /// Returns whole items: with the names that their only required field takes, or with all required fields.
    fn items(&self, item: &Item) -> Vec<Completion> {
        let Some((field, thing)) = snippet::only_name(item.owner) else {
            let text = snippet::item(item.family, item.owner, self.is_plane());
            return vec![self.entry("( … )", CompletionKind::Snippet, text)];
        };
        let named = |candidate: Candidate| {
            let text = format!("({field}: \"{}\"$0)", candidate.name);
            let entry = self.entry(&candidate.name, CompletionKind::Snippet, text);
            Completion { detail: candidate.detail, documentation: candidate.documentation, ..entry }
        };
        self.candidates(thing).into_iter().map(named).collect()
    }

    fn form(&self, form: Form) -> Vec<Completion> {
        let entry = |label, kind, text| vec![self.entry(label, kind, text)];
        match form {
            Form::Switch => {
                let word = |word| self.entry(word, CompletionKind::Keyword, word);
                vec![word("true"), word("false")]
            }
            Form::List => entry("[ … ]", CompletionKind::Snippet, "[$0]"),
            Form::Map => entry("{ … }", CompletionKind::Snippet, "{\"$1\": $0}"),
            Form::Point if self.outline.is_plane == Some(false) => {
                entry("(x, y, z)", CompletionKind::Snippet, "(${1:0}, ${2:0}, ${3:0})")
            }
            Form::Point => entry("(x, y)", CompletionKind::Snippet, "(${1:0}, ${2:0})"),
            Form::Text => entry("\" … \"", CompletionKind::Snippet, "\"$0\""),
            Form::Number => Vec::new(),
        }
    }

    fn mention(&self, mention: &Mention) -> Vec<Completion> {
        if mention.is_declaration && mention.thing != Thing::Kind {
            return Vec::new();
        }
        if mention.thing == Thing::Param {
            return self.params(mention);
        }
        let named = |candidate: Candidate| {
            let Candidate { name, detail, documentation } = candidate;
            let entry = self.quoted(&name, CompletionKind::Name, "");
            Completion { detail, documentation, ..entry }
        };
        match self.document.kind {
            DocumentKind::Experiment => self.of_experiment(mention.thing).into_iter().map(named).collect(),
            _ => self.candidates(mention.thing).into_iter().map(named).collect(),
        }
    }

    /// Returns an entry for a name in quotes, and text after it.
    fn quoted(&self, name: &str, kind: CompletionKind, after: &str) -> Completion {
        let text = match self.cursor.written {
            Written::Quoted { is_closed: true } if after.is_empty() => name.to_owned(),
            Written::Quoted { .. } => format!("{name}\"{after}"),
            Written::Bare | Written::Missing => format!("\"{name}\"{after}"),
        };
        let mut entry = self.entry(name, kind, text);
        if self.cursor.written == (Written::Quoted { is_closed: true }) && !after.is_empty() {
            entry.edit.range.end += 1;
        }
        entry
    }
}
