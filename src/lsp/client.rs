//! Capabilities of the editor.

use serde_json::Value;

/// The capabilities of the editor that change answers. Those that are missing or malformed count as false.
#[derive(Clone, Copy, Debug, Default)]
#[allow(clippy::struct_excessive_bools, reason = "switches of the protocol")]
pub(super) struct Client {
    /// Completions may have tab stops.
    pub(super) snippets: bool,
    /// Edits of several files may have versions.
    pub(super) document_changes: bool,
    /// Edits may rename files.
    pub(super) renames_files: bool,
    /// Outlines may be trees.
    pub(super) outlines: bool,
    /// The editor reports changed files if requested.
    pub(super) watches_files: bool,
    /// The editor supports the request to refresh hints.
    pub(super) refreshes_hints: bool,
    /// The editor supports the request to refresh lenses.
    pub(super) refreshes_lenses: bool,
}

impl Client {
    /// Reads the parameters of `initialize`.
    pub(super) fn new(params: &Value) -> Self {
        let value = |path: &str| params.pointer(&format!("/capabilities/{path}"));
        let has = |path: &str| value(path).and_then(Value::as_bool).unwrap_or(false);
        let operations = value("workspace/workspaceEdit/resourceOperations").and_then(Value::as_array);
        Self {
            snippets: has("textDocument/completion/completionItem/snippetSupport"),
            document_changes: has("workspace/workspaceEdit/documentChanges"),
            renames_files: operations.is_some_and(|all| all.iter().any(|one| one == "rename")),
            outlines: has("textDocument/documentSymbol/hierarchicalDocumentSymbolSupport"),
            watches_files: has("workspace/didChangeWatchedFiles/dynamicRegistration"),
            refreshes_hints: has("workspace/inlayHint/refreshSupport"),
            refreshes_lenses: has("workspace/codeLens/refreshSupport"),
        }
    }
}
