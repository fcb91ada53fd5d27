"""Public names over restarts and other orders of servers, and what is told of those that had to change."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
from toolgraft import AnyServer, Http, Renamed, Stdio, ToolRef, connect
from toolgraft.errors import ConfigError

from tests.toolbox.conftest import Scripted

pytestmark = pytest.mark.anyio


@pytest.mark.faults("N1", "N6", "N7")
async def test_what_was_renamed_stands_on_the_toolbox_with_the_reason(demo_http: Http, demo_stdio: Stdio) -> None:
    one, other = replace(demo_http, name="docs", only=["notes.delete", "add"]), replace(demo_stdio, name="wiki")
    async with connect(one, replace(other, only=["notes.delete"], prefix=False)) as toolbox:
        names = {tool.spec.ref: tool.name for tool in toolbox.tools}
        assert names[ToolRef("docs", "notes.delete")] == "docs_notes_delete"
        assert names[ToolRef("wiki", "notes.delete")] == "wiki_notes_delete"
        why = "models take names of letters, digits, `_` and `-`; wiki.notes.delete would have that name too"
        assert toolbox.renamed[0] == Renamed(ToolRef("docs", "notes.delete"), "docs_notes_delete", why)
        assert [each.ref.server for each in toolbox.renamed] == ["docs", "wiki"]


@pytest.mark.faults("N7")
async def test_a_prefix_that_fails_starts_nothing_and_one_that_fails_later_leaves_the_list_as_it_was(
    scripted: Any, caplog: pytest.LogCaptureFixture
) -> None:
    def prefix(server: str, tool: str) -> str:
        return {"read": "s/read", "touch": "touch"}[tool]

    server: Scripted = scripted("s", "read", "touch")
    async with connect(server.declared(prefix=prefix)) as toolbox:
        assert [tool.name for tool in toolbox.tools] == ["s_read", "touch"]
        server.says(["read", "new"])
        await toolbox.refresh()
        assert [tool.name for tool in toolbox.tools] == ["s_read", "touch"]
        assert "prefix in prefix= raised KeyError for the tool 'new'" in caplog.text
    with pytest.raises(ConfigError, match="raised KeyError for the tool 'new'"):
        async with connect(server.declared(prefix=prefix)):
            pass


def orders(demo_http: Http, demo_stdio: Stdio) -> Sequence[Sequence[AnyServer]]:
    one, other = replace(demo_http, name="docs"), replace(demo_stdio, name="wiki")
    return [[one, other], [other, one]]


@pytest.mark.faults("N4", "N8")
async def test_a_stored_langchain_transcript_finds_its_tool_after_a_restart_and_in_another_order(
    demo_http: Http, demo_stdio: Stdio
) -> None:
    langchain = pytest.importorskip("toolgraft_langchain")
    found: list[dict[str, tuple[str, str]]] = []
    for servers in orders(demo_http, demo_stdio):
        async with langchain.graft(*servers) as tools:
            found.append({tool.name: (tool.metadata["mcp"]["server"], tool.metadata["mcp"]["tool"]) for tool in tools})
            stored = {"type": "tool_call", "name": "wiki_notes_delete", "args": {"id": 3}, "id": "stored"}
            meant = next(tool for tool in tools if tool.name == stored["name"])
            assert "Note 3 is deleted." in str((await meant.ainvoke(stored)).content)
            assert meant.metadata["mcp"]["server"] == "wiki"
    assert found[0] == found[1]


@pytest.mark.faults("N4", "N8")
def test_a_stored_agents_transcript_finds_its_tool_after_a_restart_and_in_another_order(
    demo_http: Http, demo_stdio: Stdio
) -> None:
    agents = pytest.importorskip("toolgraft_openai_agents")

    async def told(servers: Sequence[AnyServer]) -> dict[str, tuple[str, str]]:
        async with agents.graft(*servers) as tools:
            return {tool.name: (tool.mcp.server, tool.mcp.tool) for tool in tools}

    first, second = [asyncio.run(told(servers)) for servers in orders(demo_http, demo_stdio)]  # a loop of its own each
    assert first == second
    assert first["wiki_notes_delete"] == ("wiki", "notes.delete")
