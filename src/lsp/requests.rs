//! Requests by their methods.

use lsp_server::{ErrorCode, ResponseError};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::snapshot::Snapshot;
use super::{edits, live, names, structure};

/// The result of a request.
pub(super) type Answer = Result<Value, ResponseError>;

/// Answers a request from a snapshot.
pub(super) fn answer(snapshot: &Snapshot, method: &str, params: Value) -> Answer {
    match method {
        "textDocument/completion" => infallible(snapshot, params, edits::complete),
        "textDocument/hover" => infallible(snapshot, params, names::hover),
        "textDocument/signatureHelp" => infallible(snapshot, params, names::signature),
        "textDocument/definition" => infallible(snapshot, params, names::definition),
        "textDocument/references" => infallible(snapshot, params, names::references),
        "textDocument/prepareRename" => infallible(snapshot, params, edits::prepare_rename),
        "textDocument/rename" => fallible(snapshot, params, edits::rename),
        "textDocument/documentSymbol" => infallible(snapshot, params, structure::symbols),
        "textDocument/foldingRange" => infallible(snapshot, params, structure::folds),
        "textDocument/semanticTokens/full" => infallible(snapshot, params, structure::tokens),
        "textDocument/semanticTokens/range" => infallible(snapshot, params, structure::tokens_in),
        "textDocument/documentColor" => infallible(snapshot, params, structure::colors),
        "textDocument/colorPresentation" => converted(&structure::presentations(&parameters(params)?)),
        "textDocument/formatting" => infallible(snapshot, params, edits::format),
        "textDocument/codeAction" => infallible(snapshot, params, edits::actions),
        "textDocument/inlayHint" => listed(snapshot, params, live::hints),
        "textDocument/codeLens" => listed(snapshot, params, live::lenses),
        _ => Err(error(ErrorCode::MethodNotFound, format!("{method} is not supported"))),
    }
}

/// Returns true for answers that the editor shows until it requests them again: they are useless for an earlier text.
pub(super) fn is_display(method: &str) -> bool {
    const DISPLAYS: [&str; 7] = [
        "textDocument/codeLens",
        "textDocument/documentColor",
        "textDocument/documentSymbol",
        "textDocument/foldingRange",
        "textDocument/inlayHint",
        "textDocument/semanticTokens/full",
        "textDocument/semanticTokens/range",
    ];
    DISPLAYS.contains(&method)
}

/// Returns an error for the editor.
pub(super) fn error(code: ErrorCode, message: impl Into<String>) -> ResponseError {
    ResponseError { code: code as i32, message: message.into(), data: None }
}

fn infallible<P: DeserializeOwned, R: Serialize>(
    snapshot: &Snapshot,
    params: Value,
    handle: fn(&Snapshot, &P) -> Option<R>,
) -> Answer {
    converted(&handle(snapshot, &parameters(params)?))
}

/// As [`infallible`], with an empty list in place of null: after null, editors retain the hints and lenses that they show.
fn listed<P: DeserializeOwned, R: Serialize>(
    snapshot: &Snapshot,
    params: Value,
    handle: fn(&Snapshot, &P) -> Option<Vec<R>>,
) -> Answer {
    converted(&handle(snapshot, &parameters(params)?).unwrap_or_default())
}

fn fallible<P: DeserializeOwned, R: Serialize>(
    snapshot: &Snapshot,
    params: Value,
    handle: fn(&Snapshot, &P) -> Result<R, String>,
) -> Answer {
    let result = handle(snapshot, &parameters(params)?);
    converted(&result.map_err(|reason| error(ErrorCode::RequestFailed, reason))?)
}

/// Reads parameters.
pub(super) fn parameters<P: DeserializeOwned>(params: Value) -> Result<P, ResponseError> {
    serde_json::from_value(params).map_err(|fault| error(ErrorCode::InvalidParams, fault.to_string()))
}

fn converted(result: &impl Serialize) -> Answer {
    serde_json::to_value(result).map_err(|fault| error(ErrorCode::InternalError, fault.to_string()))
}
