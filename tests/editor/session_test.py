"""`mpfc lsp` as pytest-lsp drives it: its client checks the types of every message."""
import os

import pytest
import pytest_lsp
from lsprotocol import types
from pytest_lsp import ClientServerConfig, LanguageClient, client_capabilities

URI = "file:///model.mpf"
MODEL = "domain yesno = { no, yes }\nvar rain, wet : yesno\nfactor f(rain, wet) = rain == yes ? 2 : 1\nquery P(wte)\n"
HERE = types.TextDocumentIdentifier(uri=URI)


@pytest_lsp.fixture(params=["neovim", "visual_studio_code"],
                    config=ClientServerConfig(server_command=[os.environ["MPFC"], "lsp"]))
async def client(request, lsp_client: LanguageClient):
    await lsp_client.initialize_session(types.InitializeParams(
        capabilities=client_capabilities(request.param), root_uri="file:///"))
    lsp_client.text_document_did_open(types.DidOpenTextDocumentParams(
        text_document=types.TextDocumentItem(uri=URI, language_id="mpf", version=1, text=MODEL)))
    await lsp_client.wait_for_notification(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
    yield
    await lsp_client.shutdown_session()


@pytest.mark.asyncio
async def test_messages_and_fixes(client: LanguageClient):
    found = client.diagnostics[URI]
    assert [d.message.splitlines()[0] for d in found] == ["no variable is called 'wte'"]
    actions = await client.text_document_code_action_async(types.CodeActionParams(
        text_document=HERE, range=found[0].range, context=types.CodeActionContext(diagnostics=found)))
    assert [e.new_text for e in actions[0].edit.changes[URI]] == ["wet"]
    client.text_document_did_change(types.DidChangeTextDocumentParams(
        text_document=types.VersionedTextDocumentIdentifier(uri=URI, version=2),
        content_changes=[types.TextDocumentContentChangePartial(range=found[0].range, text="wet")]))
    await client.wait_for_notification(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
    assert not client.diagnostics[URI]


@pytest.mark.asyncio
async def test_names(client: LanguageClient):
    place = {"text_document": HERE, "position": types.Position(line=2, character=24)}
    hover = await client.text_document_hover_async(types.HoverParams(**place))
    assert "var rain : { no, yes }" in hover.contents.value
    definition = await client.text_document_definition_async(types.DefinitionParams(**place))
    assert definition.range.start == types.Position(line=1, character=4)
    references = await client.text_document_references_async(types.ReferenceParams(
        **place, context=types.ReferenceContext(include_declaration=True)))
    assert len(references) == 3
    edit = await client.text_document_rename_async(types.RenameParams(**place, new_name="drizzle"))
    assert [e.new_text for e in edit.changes[URI]] == ["drizzle"] * 3
    highlights = await client.text_document_document_highlight_async(types.DocumentHighlightParams(**place))
    assert len(highlights) == 3
    symbols = await client.text_document_document_symbol_async(types.DocumentSymbolParams(text_document=HERE))
    assert [s.name for s in symbols] == ["yesno", "rain", "wet", "f"]


@pytest.mark.asyncio
async def test_texts(client: LanguageClient):
    items = await client.text_document_completion_async(types.CompletionParams(
        text_document=HERE, position=types.Position(line=2, character=30)))
    assert [i.label for i in items.items][:2] == ["no", "yes"]
    edits = await client.text_document_formatting_async(types.DocumentFormattingParams(
        text_document=HERE, options=types.FormattingOptions(tab_size=2, insert_spaces=True)))
    assert not edits
    tokens = await client.text_document_semantic_tokens_full_async(types.SemanticTokensParams(text_document=HERE))
    assert len(tokens.data) % 5 == 0 and tokens.data
