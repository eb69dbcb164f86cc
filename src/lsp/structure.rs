//! Outline, folding, colors of tokens, and color swatches.

use gen_lsp_types::{
    ColorInformation, ColorPresentation, ColorPresentationParams, DocumentColorParams, DocumentSymbol,
    DocumentSymbolParams, FoldingRange, FoldingRangeKind, FoldingRangeParams, SemanticToken, SemanticTokens,
    SemanticTokensParams, SemanticTokensRangeParams, SymbolInformation, SymbolKind,
};
use serde_json::Value;
use steerbox_project::language::{self, Symbol, Token};

use super::capabilities::type_of;
use super::snapshot::{Snapshot, Text};

/// Answers `textDocument/documentSymbol`.
pub(super) fn symbols(snapshot: &Snapshot, params: &DocumentSymbolParams) -> Option<Value> {
    let text = snapshot.text(&params.text_document)?;
    let symbols = snapshot.workspace.symbols(text.path());
    let symbols: Vec<_> = symbols.iter().map(|symbol| outline(&text, symbol)).collect();
    if snapshot.client.outlines {
        return serde_json::to_value(symbols).ok();
    }
    let mut list = Vec::new();
    for symbol in symbols {
        flatten(snapshot, &text, symbol, None, &mut list);
    }
    serde_json::to_value(list).ok()
}

#[allow(deprecated, reason = "the type of the protocol still has the field")]
fn outline(text: &Text<'_>, symbol: &Symbol) -> DocumentSymbol {
    // An editor refuses an outline whose names are outside their items.
    let range = symbol.range.start.min(symbol.selection.start)..symbol.range.end.max(symbol.selection.end);
    let children: Vec<_> = symbol.children.iter().map(|child| outline(text, child)).collect();
    DocumentSymbol {
        // Nor may a name be empty.
        name: if symbol.name.is_empty() { "–".to_owned() } else { symbol.name.clone() },
        detail: Some(symbol.detail.clone()).filter(|detail| !detail.is_empty()),
        kind: kind(symbol.kind),
        tags: None,
        deprecated: None,
        range: text.range(&range),
        selection_range: text.range(&symbol.selection),
        children: Some(children).filter(|children| !children.is_empty()),
    }
}

fn kind(kind: language::SymbolKind) -> SymbolKind {
    match kind {
        language::SymbolKind::Function => SymbolKind::Function,
        language::SymbolKind::Constant | language::SymbolKind::Parameter => SymbolKind::Constant,
        language::SymbolKind::Memory => SymbolKind::Field,
        language::SymbolKind::Import => SymbolKind::Module,
        language::SymbolKind::Group => SymbolKind::Class,
        language::SymbolKind::Item => SymbolKind::Key,
    }
}

#[allow(deprecated, reason = "the type of the protocol still has the field")]
/// Adds a symbol and its parts to a list, for editors without trees.
fn flatten(
    snapshot: &Snapshot,
    text: &Text<'_>,
    symbol: DocumentSymbol,
    within: Option<&str>,
    list: &mut Vec<SymbolInformation>,
) {
    let location = gen_lsp_types::Location { uri: snapshot.uri(text.path()), range: symbol.range };
    let base = gen_lsp_types::BaseSymbolInformation {
        name: symbol.name.clone(),
        kind: symbol.kind,
        tags: None,
        container_name: within.map(str::to_owned),
    };
    list.push(SymbolInformation { location, base_symbol_information: base, deprecated: None });
    for child in symbol.children.into_iter().flatten() {
        flatten(snapshot, text, child, Some(&symbol.name), list);
    }
}

/// Answers `textDocument/foldingRange`.
pub(super) fn folds(snapshot: &Snapshot, params: &FoldingRangeParams) -> Option<Vec<FoldingRange>> {
    let text = snapshot.text(&params.text_document)?;
    let folds = snapshot.workspace.folds(text.path()).into_iter();
    let fold = |fold: language::Fold| FoldingRange {
        start_line: fold.start as u32,
        end_line: fold.end as u32,
        kind: fold.is_comment.then_some(FoldingRangeKind::Comment),
        ..Default::default()
    };
    Some(folds.map(fold).collect())
}

/// Answers `textDocument/semanticTokens/full`.
pub(super) fn tokens(snapshot: &Snapshot, params: &SemanticTokensParams) -> Option<SemanticTokens> {
    let text = snapshot.text(&params.text_document)?;
    Some(encoded(&text, &snapshot.workspace.tokens(text.path())))
}

/// Answers `textDocument/semanticTokens/range`.
pub(super) fn tokens_in(snapshot: &Snapshot, params: &SemanticTokensRangeParams) -> Option<SemanticTokens> {
    let text = snapshot.text(&params.text_document)?;
    let wanted = text.lines.bytes(params.range);
    let mut tokens = snapshot.workspace.tokens(text.path());
    tokens.retain(|token| token.range.end >= wanted.start && token.range.start <= wanted.end);
    Some(encoded(&text, &tokens))
}

/// Encodes tokens by the distances between them. A token of several lines is dropped: editors refuse it.
fn encoded(text: &Text<'_>, tokens: &[Token]) -> SemanticTokens {
    let (mut data, mut before) = (Vec::with_capacity(tokens.len()), gen_lsp_types::Position::default());
    for token in tokens {
        let range = text.range(&token.range);
        if range.start.line != range.end.line || range.start < before {
            continue;
        }
        let delta_line = range.start.line - before.line;
        let from = if delta_line == 0 { before.character } else { 0 };
        data.push(SemanticToken {
            delta_line,
            delta_start: range.start.character - from,
            length: range.end.character - range.start.character,
            token_type: type_of(token.kind),
            token_modifiers_bitset: u32::from(token.is_declaration) | u32::from(token.is_built_in) << 1,
        });
        before = range.start;
    }
    SemanticTokens { result_id: None, data }
}

/// Answers `textDocument/documentColor`.
pub(super) fn colors(snapshot: &Snapshot, params: &DocumentColorParams) -> Option<Vec<ColorInformation>> {
    let text = snapshot.text(&params.text_document)?;
    let colors = snapshot.workspace.colors(text.path()).into_iter();
    let color = |color: language::Color| {
        let [red, green, blue] = color.color;
        let value = gen_lsp_types::Color { red, green, blue, alpha: color.alpha };
        ColorInformation { range: text.range(&color.range), color: value }
    };
    Some(colors.map(color).collect())
}

/// Answers `textDocument/colorPresentation`: the names of a color, then its digits.
pub(super) fn presentations(params: &ColorPresentationParams) -> Vec<ColorPresentation> {
    let gen_lsp_types::Color { red, green, blue, alpha } = params.color;
    let presentation = |label: String| {
        let edit = gen_lsp_types::TextEdit { range: params.range, new_text: label.clone() };
        ColorPresentation { label, text_edit: Some(edit), ..Default::default() }
    };
    language::color_texts([red, green, blue], alpha).into_iter().map(presentation).collect()
}
