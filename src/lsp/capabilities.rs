//! Capabilities of the server.

use gen_lsp_types::{
    ChangeNotifications, CodeActionKind, CodeActionOptions, CodeLensOptions, CompletionOptions,
    ExecuteCommandOptions, InitializeResult, RenameOptions, SemanticTokenModifiers, SemanticTokenTypes,
    SemanticTokensLegend, SemanticTokensOptions, ServerCapabilities, ServerInfo, SignatureHelpOptions,
    TextDocumentSyncKind, TextDocumentSyncOptions, WorkspaceFoldersServerCapabilities, WorkspaceOptions,
};
use steerbox_project::language::TokenKind;

/// The commands, answered with an error where no window runs.
pub(super) const COMMANDS: [&str; 8] = [
    "steerbox.selectUnit",
    "steerbox.pause",
    "steerbox.resume",
    "steerbox.step",
    "steerbox.restart",
    "steerbox.runBuffer",
    "steerbox.discardBuffer",
    "steerbox.openScene",
];

/// The modifiers of tokens; the bits of a token are their indices.
pub(super) const MODIFIERS: [SemanticTokenModifiers; 2] =
    [SemanticTokenModifiers::Declaration, SemanticTokenModifiers::DefaultLibrary];

/// The types of tokens; the type of a token is an index.
const TYPES: [SemanticTokenTypes; 14] = [
    SemanticTokenTypes::Comment,
    SemanticTokenTypes::String,
    SemanticTokenTypes::Number,
    SemanticTokenTypes::Keyword,
    SemanticTokenTypes::Operator,
    SemanticTokenTypes::Variable,
    SemanticTokenTypes::Parameter,
    SemanticTokenTypes::Function,
    SemanticTokenTypes::Method,
    SemanticTokenTypes::Property,
    SemanticTokenTypes::Namespace,
    SemanticTokenTypes::EnumMember,
    SemanticTokenTypes::Macro,
    SemanticTokenTypes::Type,
];

/// Returns the index of a token's type in the legend.
pub(super) fn type_of(kind: TokenKind) -> u32 {
    let named = match kind {
        TokenKind::Comment => SemanticTokenTypes::Comment,
        TokenKind::Text => SemanticTokenTypes::String,
        TokenKind::Number => SemanticTokenTypes::Number,
        TokenKind::Keyword => SemanticTokenTypes::Keyword,
        TokenKind::Operator => SemanticTokenTypes::Operator,
        TokenKind::Variable => SemanticTokenTypes::Variable,
        TokenKind::Parameter => SemanticTokenTypes::Parameter,
        // Editors have a color for macros, but not for constants.
        TokenKind::Constant => SemanticTokenTypes::Macro,
        TokenKind::Function => SemanticTokenTypes::Function,
        TokenKind::Method => SemanticTokenTypes::Method,
        TokenKind::Property | TokenKind::Field => SemanticTokenTypes::Property,
        TokenKind::Module => SemanticTokenTypes::Namespace,
        TokenKind::Case => SemanticTokenTypes::EnumMember,
        TokenKind::Name => SemanticTokenTypes::Type,
    };
    TYPES.iter().position(|known| *known == named).unwrap_or_default() as u32
}

/// Returns the answer to `initialize`.
pub(super) fn initialize_result() -> InitializeResult {
    InitializeResult {
        capabilities: capabilities(),
        server_info: Some(ServerInfo {
            name: "steerbox".to_owned(),
            version: Some(env!("CARGO_PKG_VERSION").to_owned()),
        }),
    }
}

fn capabilities() -> ServerCapabilities {
    let characters = |all: &[&str]| Some(all.iter().map(|&one| one.to_owned()).collect());
    let sync = TextDocumentSyncOptions {
        open_close: Some(true),
        change: Some(TextDocumentSyncKind::Incremental),
        save: Some(true.into()),
        ..Default::default()
    };
    ServerCapabilities {
        text_document_sync: Some(sync.into()),
        completion_provider: Some(CompletionOptions {
            trigger_characters: characters(&[".", "\"", "("]),
            ..Default::default()
        }),
        hover_provider: Some(true.into()),
        signature_help_provider: Some(SignatureHelpOptions {
            trigger_characters: characters(&["(", ","]),
            ..Default::default()
        }),
        definition_provider: Some(true.into()),
        references_provider: Some(true.into()),
        document_symbol_provider: Some(true.into()),
        code_action_provider: Some(
            CodeActionOptions {
                code_action_kinds: Some(vec![CodeActionKind::QuickFix, CodeActionKind::Refactor]),
                ..Default::default()
            }
            .into(),
        ),
        code_lens_provider: Some(CodeLensOptions::default()),
        color_provider: Some(true.into()),
        document_formatting_provider: Some(true.into()),
        rename_provider: Some(RenameOptions { prepare_provider: Some(true), ..Default::default() }.into()),
        folding_range_provider: Some(true.into()),
        execute_command_provider: Some(ExecuteCommandOptions {
            commands: COMMANDS.map(str::to_owned).into(),
            ..Default::default()
        }),
        semantic_tokens_provider: Some(tokens().into()),
        inlay_hint_provider: Some(true.into()),
        workspace: Some(WorkspaceOptions {
            workspace_folders: Some(WorkspaceFoldersServerCapabilities {
                supported: Some(true),
                change_notifications: Some(ChangeNotifications::Bool(true)),
            }),
            ..Default::default()
        }),
        ..Default::default()
    }
}

fn tokens() -> SemanticTokensOptions {
    SemanticTokensOptions {
        legend: SemanticTokensLegend {
            token_types: TYPES.iter().map(ToString::to_string).collect(),
            token_modifiers: MODIFIERS.iter().map(ToString::to_string).collect(),
        },
        range: Some(true.into()),
        full: Some(true.into()),
        ..Default::default()
    }
}
