"""An independent client of the language server: each capability once, without a window.

    pip install pytest-lsp
    STEERBOX=target/release/steerbox pytest tests/editors/test_server.py
"""

import os
import pathlib

import pytest
import pytest_lsp
from lsprotocol import types
from pygls.exceptions import JsonRpcException
from pytest_lsp import ClientServerConfig, LanguageClient, client_capabilities

PROGRAM = os.path.abspath(os.environ.get("STEERBOX", "target/release/steerbox"))
COMMANDS = [
    f"steerbox.{name}"
    for name in "selectUnit pause resume step restart runBuffer discardBuffer openScene".split()
]
SCENE = """(
    world: Plane(size: (80, 60)),
    bodies: {"fish": Mover()},
    groups: [(name: "fish", body: "fish", count: 3, look: (color: "#ff8000"), behaviors: [(script: "roam", params: {"SPEED": 1.5})])],
)
"""
SCRIPT = """// 🐟
const SPEED = param(1.0, 0.0, 2.0);
fn twice(x) { x * 2.0 }
fn steer(me, world) {
    let ahead = me.heading * SPEED;
    twice(ahead) * clamp(1.0, 0.0, 2.0)
}
"""


@pytest_lsp.fixture(config=ClientServerConfig(server_command=[PROGRAM, "lsp"]))
async def client(lsp_client: LanguageClient, tmp_path: pathlib.Path):
    for path, text in {"scenes/a.ron": SCENE, "scripts/roam.rhai": SCRIPT}.items():
        file = tmp_path / path
        file.parent.mkdir(parents=True)
        file.write_text(text)
    folder = types.WorkspaceFolder(uri=tmp_path.as_uri(), name="project")
    capabilities = client_capabilities("visual_studio_code")
    # The client answers no registration.
    capabilities.workspace.did_change_watched_files = None
    result = await lsp_client.initialize_session(
        types.InitializeParams(capabilities=capabilities, workspace_folders=[folder])
    )
    assert result.server_info.name == "steerbox"
    lsp_client.project = tmp_path
    yield
    await lsp_client.shutdown_session()


def document(client, path="scripts/roam.rhai"):
    return types.TextDocumentIdentifier(uri=(client.project / path).as_uri())


async def opened(client, text, path="scripts/roam.rhai"):
    """Opens a document, and returns its faults."""
    uri = document(client, path).uri
    item = types.TextDocumentItem(uri=uri, language_id="rhai", version=1, text=text)
    client.text_document_did_open(types.DidOpenTextDocumentParams(text_document=item))
    while uri not in client.diagnostics:
        await client.wait_for_notification("textDocument/publishDiagnostics")
    return client.diagnostics[uri]


def place(text, word, after=0):
    """Returns the position after the first letters of a word, in UTF-16."""
    lines = text[: text.index(word) + after].split("\n")
    return types.Position(line=len(lines) - 1, character=len(lines[-1].encode("utf-16-le")) // 2)


def at(client, kind, word, after=1, path="scripts/roam.rhai", **more):
    text = SCRIPT if path.endswith(".rhai") else SCENE
    return kind(text_document=document(client, path), position=place(text, word, after), **more)


@pytest.mark.asyncio
async def test_diagnostics_and_code_actions(client):
    faulty = SCRIPT.replace("heading", "headin")
    faults = await opened(client, faulty)
    assert [fault.range.start for fault in faults] == [place(faulty, "headin")]
    context = types.CodeActionContext(diagnostics=list(faults))
    params = types.CodeActionParams(text_document=document(client), range=faults[0].range, context=context)
    actions = await client.text_document_code_action_async(params)
    assert actions[0].kind == types.CodeActionKind.QuickFix
    edits = actions[0].edit.document_changes[0].edits
    assert [edit.new_text for edit in edits] == ["heading"]


@pytest.mark.asyncio
async def test_completion(client):
    items = await client.text_document_completion_async(at(client, types.CompletionParams, "me.heading", 3))
    assert "heading" in [item.label for item in getattr(items, "items", items)]


@pytest.mark.asyncio
async def test_hover(client):
    hover = await client.text_document_hover_async(at(client, types.HoverParams, "heading"))
    assert "heading" in hover.contents.value


@pytest.mark.asyncio
async def test_signature(client):
    help = await client.text_document_signature_help_async(at(client, types.SignatureHelpParams, "clamp(", 6))
    assert "clamp" in help.signatures[0].label


@pytest.mark.asyncio
async def test_definition_references_and_rename(client):
    declared = place(SCRIPT, "SPEED")
    found = await client.text_document_definition_async(at(client, types.DefinitionParams, "SPEED;"))
    found = found[0] if isinstance(found, list) else found
    assert found.range.start == declared
    context = types.ReferenceContext(include_declaration=True)
    references = await client.text_document_references_async(
        at(client, types.ReferenceParams, "SPEED", context=context)
    )
    assert sorted(pathlib.PurePath(one.uri).name for one in references) == ["a.ron", "roam.rhai", "roam.rhai"]
    prepared = await client.text_document_prepare_rename_async(at(client, types.PrepareRenameParams, "SPEED"))
    assert prepared is not None
    edit = await client.text_document_rename_async(at(client, types.RenameParams, "SPEED", new_name="PACE"))
    assert sorted(len(change.edits) for change in edit.document_changes) == [1, 2]


@pytest.mark.asyncio
async def test_structure(client):
    id = document(client)
    symbols = await client.text_document_document_symbol_async(types.DocumentSymbolParams(id))
    assert [symbol.name for symbol in symbols] == ["SPEED", "twice", "steer"]
    folds = await client.text_document_folding_range_async(types.FoldingRangeParams(id))
    assert 3 in [fold.start_line for fold in folds]
    tokens = await client.text_document_semantic_tokens_full_async(types.SemanticTokensParams(id))
    assert tokens.data and len(tokens.data) % 5 == 0


@pytest.mark.asyncio
async def test_colors(client):
    params = types.DocumentColorParams(document(client, "scenes/a.ron"))
    [color] = await client.text_document_document_color_async(params)
    assert (color.color.red, color.color.blue) == (1.0, 0.0)
    params = types.ColorPresentationParams(document(client, "scenes/a.ron"), color.color, color.range)
    assert await client.text_document_color_presentation_async(params)


@pytest.mark.asyncio
async def test_formatting(client):
    await opened(client, SCENE.replace("    world", " wurld"), "scenes/a.ron")
    options = types.FormattingOptions(tab_size=4, insert_spaces=True)
    params = types.DocumentFormattingParams(document(client, "scenes/a.ron"), options)
    assert await client.text_document_formatting_async(params)


@pytest.mark.asyncio
async def test_live_values_and_commands_without_a_window(client):
    lenses = await client.text_document_code_lens_async(types.CodeLensParams(document(client)))
    everything = types.Range(types.Position(0, 0), types.Position(99, 0))
    hints = await client.text_document_inlay_hint_async(types.InlayHintParams(document(client), everything))
    assert not lenses and not hints
    for command in COMMANDS:
        params = types.ExecuteCommandParams(command=command, arguments=[document(client).uri])
        with pytest.raises(JsonRpcException):
            await client.workspace_execute_command_async(params)
