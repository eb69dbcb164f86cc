//! Hover, signature help, definitions and references.

use gen_lsp_types::{
    ActiveParameter, Contents, Definition, DefinitionParams, Hover, HoverParams, Location,
    ParameterInformation, ParameterInformationLabel, ReferenceParams, SignatureHelp, SignatureHelpParams,
    SignatureInformation,
};
use steerbox_project::language::Signature;

use super::live;
use super::markup::{documentation, markdown};
use super::snapshot::Snapshot;

/// Answers `textDocument/hover`.
pub(super) fn hover(snapshot: &Snapshot, params: &HoverParams) -> Option<Hover> {
    let at = &params.text_document_position_params;
    let text = snapshot.text(&at.text_document)?;
    let hover = snapshot.workspace.hover(text.path(), text.byte(at.position))?;
    let name = text.document.text.get(hover.range.clone());
    let live = name.and_then(|name| live::values_of(snapshot, &text, name));
    let all = [hover.markdown].into_iter().chain(live).collect::<Vec<_>>().join("\n\n");
    let contents = Contents::MarkupContent(markdown(&all));
    Some(Hover { contents, range: Some(text.range(&hover.range)) })
}

/// Answers `textDocument/signatureHelp`.
pub(super) fn signature(snapshot: &Snapshot, params: &SignatureHelpParams) -> Option<SignatureHelp> {
    let at = &params.text_document_position_params;
    let text = snapshot.text(&at.text_document)?;
    let signature = snapshot.workspace.signature(text.path(), text.byte(at.position))?;
    let active = signature.active as u32;
    let one = SignatureInformation {
        parameters: Some(parameters(&signature)),
        documentation: documentation(&signature.documentation),
        active_parameter: Some(ActiveParameter::Int(active)),
        label: signature.label,
    };
    Some(SignatureHelp {
        signatures: vec![one],
        active_signature: Some(0),
        active_parameter: Some(ActiveParameter::Int(active)),
    })
}

fn parameters(signature: &Signature) -> Vec<ParameterInformation> {
    let label = &signature.label;
    let units = |at: usize| label[..label.floor_char_boundary(at)].encode_utf16().count() as u32;
    let parts = signature.parameters.iter();
    parts
        .map(|part| ParameterInformation {
            label: ParameterInformationLabel::Tuple((units(part.start), units(part.end))),
            documentation: None,
        })
        .collect()
}

/// Answers `textDocument/definition`.
pub(super) fn definition(snapshot: &Snapshot, params: &DefinitionParams) -> Option<Definition> {
    let at = &params.text_document_position_params;
    let text = snapshot.text(&at.text_document)?;
    let found = snapshot.workspace.definition(text.path(), text.byte(at.position));
    (!found.is_empty()).then(|| Definition::LocationList(snapshot.locations(&found)))
}

/// Answers `textDocument/references`.
pub(super) fn references(snapshot: &Snapshot, params: &ReferenceParams) -> Option<Vec<Location>> {
    let at = &params.text_document_position_params;
    let text = snapshot.text(&at.text_document)?;
    let byte = text.byte(at.position);
    let mut found = snapshot.workspace.references(text.path(), byte);
    if !params.context.include_declaration {
        let declared = snapshot.workspace.definition(text.path(), byte);
        found.retain(|place| !declared.contains(place));
    }
    Some(snapshot.locations(&found))
}
