//! Completion, renaming, formatting and code actions.

use gen_lsp_types::{
    CodeAction, CodeActionKind, CodeActionParams, CompletionItem, CompletionItemKind, CompletionParams,
    DocumentChange, DocumentFormattingParams, InsertTextFormat, Message,
    OptionalVersionedTextDocumentIdentifier, PrepareRenameParams, Range, RenameFile, RenameParams,
    TextDocumentEdit, TextDocumentIdentifier, Uri,
};
use steerbox_project::language::{Action, ActionKind, Completion, CompletionKind, WorkspaceEdit};

use super::markup::documentation;
use super::snapshot::{Snapshot, Text};
use super::uri::uri_of;

/// Answers `textDocument/completion`.
pub(super) fn complete(snapshot: &Snapshot, params: &CompletionParams) -> Option<Vec<CompletionItem>> {
    let at = &params.text_document_position_params;
    let text = snapshot.text(&at.text_document)?;
    let found = snapshot.workspace.complete(text.path(), text.byte(at.position));
    let snippets = snapshot.client.snippets;
    let items = found.iter().enumerate();
    Some(items.map(|(rank, one)| item(&text, one, rank, snippets)).collect())
}

fn item(text: &Text<'_>, completion: &Completion, rank: usize, snippets: bool) -> CompletionItem {
    let mut edit = text.edit(&completion.edit);
    let is_snippet = completion.is_snippet && snippets;
    if completion.is_snippet && !snippets {
        edit.new_text = without_tab_stops(&edit.new_text);
    }
    CompletionItem {
        label: completion.label.clone(),
        kind: Some(kind(completion.kind)),
        detail: Some(completion.detail.clone()).filter(|detail| !detail.is_empty()),
        documentation: documentation(&completion.documentation),
        // Without it, Neovim offers all items after typed letters.
        filter_text: Some(completion.label.clone()),
        // Editors sort by letters otherwise.
        sort_text: Some(format!("{rank:05}")),
        insert_text_format: is_snippet.then_some(InsertTextFormat::Snippet),
        text_edit: Some(edit.into()),
        ..Default::default()
    }
}

fn kind(kind: CompletionKind) -> CompletionItemKind {
    match kind {
        CompletionKind::Property => CompletionItemKind::Property,
        CompletionKind::Method => CompletionItemKind::Method,
        CompletionKind::Function => CompletionItemKind::Function,
        CompletionKind::Variable => CompletionItemKind::Variable,
        CompletionKind::Constant => CompletionItemKind::Constant,
        CompletionKind::Keyword => CompletionItemKind::Keyword,
        CompletionKind::Snippet => CompletionItemKind::Snippet,
        CompletionKind::Module => CompletionItemKind::Module,
        CompletionKind::Field => CompletionItemKind::Field,
        CompletionKind::Case => CompletionItemKind::EnumMember,
        CompletionKind::File => CompletionItemKind::File,
        CompletionKind::Name => CompletionItemKind::Value,
    }
}

/// Replaces tab stops, `$1` and `${1:text}`, by their texts.
fn without_tab_stops(snippet: &str) -> String {
    let (mut plain, mut rest) = (String::with_capacity(snippet.len()), snippet);
    while let Some((before, after)) = rest.split_once(['$', '\\']) {
        plain.push_str(before);
        if rest.as_bytes()[before.len()] == b'\\' {
            let next = after.chars().next();
            plain.extend(next);
            rest = &after[next.map_or(0, char::len_utf8)..];
        } else if let Some((stop, after)) = after.strip_prefix('{').and_then(|stop| stop.split_once('}')) {
            plain.push_str(stop.split_once(':').map_or("", |(_, text)| text));
            rest = after;
        } else {
            rest = after.trim_start_matches(|letter: char| letter.is_ascii_digit());
        }
    }
    plain + rest
}

/// Answers `textDocument/prepareRename`.
pub(super) fn prepare_rename(snapshot: &Snapshot, params: &PrepareRenameParams) -> Option<Range> {
    let at = &params.text_document_position_params;
    let text = snapshot.text(&at.text_document)?;
    let renamed = snapshot.workspace.renamed_at(text.path(), text.byte(at.position))?;
    Some(text.range(&renamed))
}

/// Answers `textDocument/rename`.
pub(super) fn rename(
    snapshot: &Snapshot,
    params: &RenameParams,
) -> Result<Option<gen_lsp_types::WorkspaceEdit>, String> {
    let at = &params.text_document_position_params;
    let Some(text) = snapshot.text(&at.text_document) else {
        return Ok(None);
    };
    let edit = snapshot.workspace.rename(text.path(), text.byte(at.position), &params.new_name)?;
    workspace_edit(snapshot, &edit).map(Some)
}

/// Converts edits of several files.
fn workspace_edit(snapshot: &Snapshot, edit: &WorkspaceEdit) -> Result<gen_lsp_types::WorkspaceEdit, String> {
    if let Some((old, _)) = edit.renames.first().filter(|_| !snapshot.client.renames_files) {
        return Err(format!("this editor cannot rename files; rename {} by hand", old.display()));
    }
    let texts = edit.edits.iter().filter_map(|(path, edits)| Some((snapshot.text_at(path)?, edits)));
    let texts = texts.map(|(text, edits)| (text.path().to_owned(), text.edits(edits)));
    if !snapshot.client.document_changes {
        let changes = texts.map(|(path, edits)| (snapshot.uri(&path), edits)).collect();
        return Ok(gen_lsp_types::WorkspaceEdit { changes: Some(changes), ..Default::default() });
    }
    let edits = texts.map(|(path, edits)| {
        let version = snapshot.open.get(&path).map(|open| open.version);
        let id = TextDocumentIdentifier { uri: snapshot.uri(&path) };
        DocumentChange::TextDocumentEdit(TextDocumentEdit {
            text_document: OptionalVersionedTextDocumentIdentifier { version, text_document_identifier: id },
            edits: edits.into_iter().map(Into::into).collect(),
        })
    });
    let renames = edit.renames.iter().map(|(old, new)| {
        let (old_uri, new_uri) = (snapshot.uri(old), Uri(uri_of(new)));
        DocumentChange::RenameFile(RenameFile { old_uri, new_uri, options: None, annotation_id: None })
    });
    let document_changes = Some(edits.chain(renames).collect());
    Ok(gen_lsp_types::WorkspaceEdit { document_changes, ..Default::default() })
}

/// Answers `textDocument/formatting`.
pub(super) fn format(
    snapshot: &Snapshot,
    params: &DocumentFormattingParams,
) -> Option<Vec<gen_lsp_types::TextEdit>> {
    let text = snapshot.text(&params.text_document)?;
    Some(text.edits(&snapshot.workspace.format(text.path())))
}

/// Answers `textDocument/codeAction`.
pub(super) fn actions(snapshot: &Snapshot, params: &CodeActionParams) -> Option<Vec<CodeAction>> {
    let text = snapshot.text(&params.text_document)?;
    let range = text.lines.bytes(params.range);
    let mut found = snapshot.workspace.actions(text.path(), range);
    for fix in sent_fixes(snapshot, &text, params) {
        if !found.contains(&fix) {
            found.push(fix);
        }
    }
    let is_wanted = |kind: &CodeActionKind| {
        let only = params.context.only.as_deref();
        only.is_none_or(|only| only.iter().any(|one| contains(one, kind)))
    };
    let found = found.iter().filter_map(|one| action(snapshot, params, one));
    Some(found.filter(|action| action.kind.as_ref().is_some_and(is_wanted)).collect())
}

/// Returns the fixes of the diagnostics in a request. Neovim sends those of the line, wherever in it the cursor is.
fn sent_fixes(snapshot: &Snapshot, text: &Text<'_>, params: &CodeActionParams) -> Vec<Action> {
    let sent = &params.context.diagnostics;
    let found = if sent.is_empty() { Vec::new() } else { snapshot.workspace.diagnostics(text.path()) };
    let fixes = |one: &gen_lsp_types::Diagnostic| {
        snapshot.workspace.fixes(text.path(), &found, &text.lines.bytes(one.range))
    };
    sent.iter().flat_map(fixes).collect()
}

/// Returns true if a requested kind contains another: `refactor` contains `refactor.extract`.
fn contains(requested: &CodeActionKind, kind: &CodeActionKind) -> bool {
    let (requested, kind) = (requested.to_string(), kind.to_string());
    let rest = kind.strip_prefix(&requested);
    rest.is_some_and(|rest| requested.is_empty() || rest.is_empty() || rest.starts_with('.'))
}

fn action(snapshot: &Snapshot, params: &CodeActionParams, action: &Action) -> Option<CodeAction> {
    let fixed = |fault: &String| {
        let is_fixed = |diagnostic: &&gen_lsp_types::Diagnostic| match &diagnostic.message {
            Message::String(message) => message.starts_with(fault),
            Message::MarkupContent(_) => false,
        };
        params.context.diagnostics.iter().filter(is_fixed).cloned().collect::<Vec<_>>()
    };
    let is_fix = action.kind == ActionKind::Fix;
    Some(CodeAction {
        title: action.title.clone(),
        kind: Some(if is_fix { CodeActionKind::QuickFix } else { CodeActionKind::Refactor }),
        diagnostics: action.fault.as_ref().map(fixed).filter(|fixed| !fixed.is_empty()),
        is_preferred: is_fix.then_some(true),
        // A renaming that the editor cannot make is not offered.
        edit: Some(workspace_edit(snapshot, &action.edit).ok()?),
        ..Default::default()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tab_stops_are_replaced_by_their_texts() {
        for (snippet, plain) in [
            ("within(${1:radius})$0", "within(radius)"),
            ("a$1b${2}c", "abc"),
            ("cost \\$5 \\\\", "cost $5 \\"),
            ("plain", "plain"),
            ("${1:open", "{1:open"),
            ("é\\", "é"),
        ] {
            assert_eq!(without_tab_stops(snippet), plain, "{snippet}");
        }
    }

    #[test]
    fn kinds_contain_their_parts() {
        let extract = CodeActionKind::RefactorExtract;
        assert!(contains(&CodeActionKind::Refactor, &extract));
        assert!(contains(&CodeActionKind::Empty, &extract));
        assert!(!contains(&extract, &CodeActionKind::Refactor));
        assert!(!contains(&CodeActionKind::QuickFix, &extract));
    }
}
