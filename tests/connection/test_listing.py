"""The whole list, whatever the server sends, and kept fresh."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from toolgraft.connection import ListChanged, ListCut
from toolgraft.connection.listing.listing import all_pages, list_all
from toolgraft.connection.listing.read_tool import read_tool
from toolgraft.spec import Refusal, ToolSpec

from tests.connection.conftest import Ledger, StartRaw, Talk, raw_http, raw_stdio, talk, until

WAYS = [("stdio", "modern"), ("stdio", "legacy"), ("http", "modern"), ("http", "legacy")]


def way(transport: str, start_raw: StartRaw, *options: str, **settings: Any) -> Any:
    return raw_stdio(*options, **settings) if transport == "stdio" else raw_http(start_raw(*options), **settings)


@pytest.mark.anyio
@pytest.mark.faults("S19", "S17")
@pytest.mark.parametrize(("transport", "era"), WAYS)
async def test_malformed_tools_are_mended_or_refused_and_the_rest_is_served(
    transport: str, era: str, start_raw: StartRaw
) -> None:
    async with talk(way(transport, start_raw, "--era", era, "--list", "bad")) as line:
        listing = await line.connection.list_tools()
        tools = {tool.name: tool for tool in listing.tools}
        assert list(tools) == ["good", "rootless", "schemaless", "boolean_output", "odd_hints"]
        assert tools["good"].title == "T"
        assert tools["good"].hints.read_only
        assert tools["rootless"].input_schema == {"anyOf": [{"type": "object"}], "type": "object"}
        assert tools["schemaless"].input_schema == {"type": "object"}
        assert tools["odd_hints"].description == ""
        assert not tools["odd_hints"].hints.read_only
        refused = {refusal.ref.tool: refusal.pointer for refusal in listing.refused}
        assert refused == {
            "textual": "/inputSchema",
            "arrayed": "/inputSchema/type",
            "#5": "/name",
            "#6": "",
            "for_app": "/_meta/ui/visibility",
        }


@pytest.mark.anyio
@pytest.mark.faults("D1")
@pytest.mark.parametrize("transport", ["stdio", "http"])
async def test_every_page_is_listed(transport: str, start_raw: StartRaw) -> None:
    async with talk(way(transport, start_raw, "--list", "pages")) as line:
        assert [tool.name for tool in (await line.connection.list_tools()).tools] == ["t0", "t1", "t2", "t3", "t4"]


@pytest.mark.anyio
@pytest.mark.faults("D2")
async def test_a_cursor_that_comes_back_ends_the_list_with_a_warning() -> None:
    async with talk(raw_stdio("--list", "loop")) as line:
        listing = await line.connection.list_tools()
        assert [tool.name for tool in listing.tools] == ["at_None", "at_same"]
        assert any("cursor" in warning for warning in listing.warnings)


@pytest.mark.anyio
async def test_a_second_tool_of_the_same_name_is_refused_and_a_plain_repeat_is_told() -> None:
    async with talk(raw_stdio("--list", "twice")) as line:
        listing = await line.connection.list_tools()
        assert [tool.description for tool in listing.tools] == ["a"]
        assert [refusal.ref.tool for refusal in listing.refused] == ["same"]
        assert listing.warnings


@pytest.mark.anyio
@pytest.mark.faults("D5", "D8")
async def test_a_list_is_read_once_until_it_is_asked_for_anew(ledger: Ledger) -> None:
    async with talk(raw_stdio("--ledger", str(ledger.path))) as line:
        for _ in range(10):
            await line.connection.list_tools()
        assert ledger.count("list") == 1
        await line.connection.list_tools(refresh=True)
        assert ledger.count("list") == 2


async def _until_changed(line: Talk) -> ListChanged:
    await until(lambda: line.heard(ListChanged))
    event = line.heard(ListChanged)[0]
    assert isinstance(event, ListChanged)
    return event


@pytest.mark.anyio
@pytest.mark.faults("D3")
async def test_three_notices_of_an_old_server_make_one_new_list_and_one_event(ledger: Ledger) -> None:
    async with talk(raw_stdio("--era", "legacy", "--ledger", str(ledger.path))) as line:
        await line.call("change")
        event = await _until_changed(line)
        assert event.added == ("new_0",)
        assert "new_0" in [tool.name for tool in (await line.connection.list_tools()).tools]
        assert ledger.count("list") == 2


ODD = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)
KEYS = ("name", "title", "description", "inputSchema", "outputSchema", "annotations", "_meta")


@given(st.one_of(ODD, st.fixed_dictionaries({}, optional=dict.fromkeys(KEYS, ODD))), st.booleans())
def test_whatever_stands_in_a_list_is_a_tool_or_a_refusal(raw: Any, http: bool) -> None:
    read = read_tool("s", 0, raw, http=http)
    assert isinstance(read, ToolSpec | Refusal)
    if isinstance(read, ToolSpec):
        assert read.input_schema["type"] == "object"


def test_a_tool_that_runs_as_a_task_only_is_refused() -> None:
    raw = {"name": "research", "inputSchema": {"type": "object"}, "execution": {"taskSupport": "required"}}
    refused = read_tool("s", 0, raw, http=False)
    assert isinstance(refused, Refusal)
    assert refused.pointer == "/execution/taskSupport"
    raw["execution"] = {"taskSupport": "optional"}
    assert isinstance(read_tool("s", 0, raw, http=False), ToolSpec)


def test_a_tool_without_the_right_header_marks_is_refused_over_http_only() -> None:
    schema = {"type": "object", "properties": {"a": {"type": "array", "x-mcp-header": "A"}}}
    raw = {"name": "marked", "inputSchema": schema}
    assert isinstance(read_tool("s", 0, raw, http=False), ToolSpec)
    refused = read_tool("s", 0, raw, http=True)
    assert isinstance(refused, Refusal)
    assert "x-mcp-header" in refused.reason


@pytest.mark.anyio
async def test_a_list_that_never_ends_is_cut() -> None:
    count = 0

    async def endless(cursor: str | None) -> dict[str, Any]:
        nonlocal count
        count += 1
        return {"tools": [{}], "nextCursor": str(count)}

    members, warnings, _ = await all_pages(endless, "tools")
    assert len(members) == count < 5000
    assert any("does not end" in warning for warning in warnings)


@pytest.mark.anyio
@pytest.mark.faults("T35")
async def test_a_title_stands_in_for_a_missing_description() -> None:
    members = [
        {"name": "a", "title": "Title", "description": " "},
        {"name": "b", "annotations": {"title": "Of a hint"}},
        {"name": "c", "title": "Title", "description": "said"},
        {"name": "d"},
    ]

    async def page(_cursor: str | None) -> dict[str, Any]:
        return {"tools": members}

    listing = await list_all("s", page)
    assert [tool.description for tool in listing.tools] == ["Title", "Of a hint", "said", ""]


@pytest.mark.anyio
async def test_a_list_that_was_cut_is_told_once() -> None:
    async with talk(raw_stdio("--list", "loop")) as line:
        (told,) = line.heard(ListCut)
        listing = await line.connection.list_tools(refresh=True)
        assert listing.cut
        assert listing.cut in str(told)
        assert listing.cut in listing.warnings
        assert len(line.heard(ListCut)) == 1


@pytest.mark.anyio
@pytest.mark.faults("T35")
async def test_what_a_server_has_no_capability_for_it_has_none_of() -> None:
    for era in ("modern", "legacy"):
        async with talk(raw_stdio("--era", era)) as line:
            assert await line.connection.list_prompts() == ()
            assert await line.connection.list_resources() == ()
            assert await line.connection.list_resource_templates() == ()
