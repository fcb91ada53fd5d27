"""Resources: what is offered, what stands in them, and as tools for a model."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from toolgraft import (
    Answered,
    AnyServer,
    Called,
    Event,
    File,
    Image,
    InProcess,
    Limits,
    ListLimits,
    Safety,
    Text,
    connect,
)
from toolgraft.context.resources import contents, read_resources, read_templates
from toolgraft.errors import ConfigError, ProtocolError, ResultError
from toolgraft.testing import demo_stdio

from tests.context.test_prompts import JSON
from tests.servers.offering import make

pytestmark = pytest.mark.anyio


async def test_resources_and_templates_of_all_pages_are_listed(offering: AnyServer) -> None:
    async with connect(offering) as toolbox:
        resources, templates = await toolbox.resources(), await toolbox.resource_templates()
    assert [(each.server, each.uri) for each in resources] == [("notes", "note://one"), ("notes", "file:///both")]
    assert (resources[0].description, resources[0].mime_type, resources[0].size) == ("The first note.", "text/plain", 6)
    assert (resources[1].title, resources[1].size) == ("Text and bytes", None)
    assert "its uri has 10,007 characters" in resources.refused[0]
    assert [each.uri_template for each in templates] == ["note://{name}"]


async def test_a_resource_of_text_and_bytes_is_read(offering: AnyServer) -> None:
    async with connect(offering) as toolbox:
        read = await toolbox.resource("notes", "file:///both")
    text, picture, paper = read.parts
    assert isinstance(text, Text)
    assert (text.text, text.uri, text.mime_type) == ("# A", "file:///both/a.md", "text/markdown")
    assert isinstance(picture, Image)
    assert isinstance(paper, File)
    assert (read.server, read.uri, read.warnings) == ("notes", "file:///both", ())


async def test_a_resource_that_there_is_not_is_told_with_its_server(offering: AnyServer) -> None:
    async with connect(offering) as toolbox:
        with pytest.raises(ProtocolError, match=r"server 'notes': no resource note://none"):
            await toolbox.resource("notes", "note://none")


async def test_a_model_may_look_for_resources_by_itself(offering: AnyServer) -> None:
    async with connect(replace(offering, resources=True)) as toolbox:
        assert [tool.name for tool in toolbox.tools] == ["list_resources", "read_resource"]
        assert {tool.spec.safety for tool in toolbox.tools} == {Safety.READ_ONLY}
        listed = await toolbox.call("list_resources", {})
        found = await toolbox.call("list_resources", {"search": "BYTES"})
        read = await toolbox.call("read_resource", {"uri": "note://one"})
        with pytest.raises(ProtocolError, match="no resource"):
            await toolbox.call("read_resource", {"uri": "note://none"})
    (text,) = listed.parts
    assert isinstance(text, Text)
    assert [line.partition(",")[0] for line in text.text.splitlines()] == [
        '{"uri":"note://one"',
        '{"uri":"file:///both"',
        '{"uri_template":"note://{name}"',
    ]
    assert "left out: its uri has" in listed.warnings[0]
    assert [part.text.partition(",")[0] for part in found.parts if isinstance(part, Text)] == ['{"uri":"file:///both"']
    assert [part.text for part in read.parts if isinstance(part, Text)] == ["a note"]


async def test_a_call_for_a_resource_is_told_and_limited_as_any_other() -> None:
    heard: list[Event] = []
    limits = {"read_resource": Limits(wire_bytes=50)}
    server = InProcess(make(), name="notes", resources=True, tool_limits=limits)
    async with connect(server, on_event=heard.append) as toolbox:
        await toolbox.call("list_resources", {})
        with pytest.raises(ResultError, match="larger than 50 bytes"):
            await toolbox.call("read_resource", {"uri": "file:///both"})
    calls = [(type(event).__name__, event.tool) for event in heard if isinstance(event, Called | Answered)]
    assert calls == [(kind, tool) for tool in ("list_resources", "read_resource") for kind in ("Called", "Answered")]


async def test_tools_for_resources_of_two_servers_have_names_of_their_own_and_stay_with_only() -> None:
    one, two = (InProcess(make(), name=name, resources=True) for name in ("one", "two"))
    demo = replace(demo_stdio(), resources=True, only=["add"])
    async with connect(one, two, demo) as toolbox:
        assert sorted(tool.spec.ref.server for tool in toolbox.tools if tool.spec.ref.tool == "read_resource") == [
            "demo-stdio",
            "one",
            "two",
        ]
        assert len({tool.name for tool in toolbox.tools}) == 7
        read = await toolbox.call("demo-stdio.read_resource", {"uri": "demo://report/2026"})
    assert "All is well" in str(read.parts)


async def test_rules_name_tools_for_resources_where_they_are_wanted_only() -> None:
    with pytest.raises(ConfigError, match="read_resource"):
        async with connect(InProcess(make(), name="notes", approve={"read_resource"})):
            pass
    async with connect(InProcess(make(), name="notes", resources=True, without=["list_resources"])) as toolbox:
        assert [tool.name for tool in toolbox.tools] == ["read_resource"]


async def test_a_tool_of_the_server_by_that_name_stays_its_own() -> None:
    import mcp_types as types
    from mcp.server.lowlevel import Server

    async def listed(_: Any, __: Any) -> types.ListToolsResult:
        schema: dict[str, Any] = {"type": "object", "properties": {"path": {"type": "string"}}}
        return types.ListToolsResult(tools=[types.Tool(name="read_resource", input_schema=schema)])

    async def called(_: Any, __: Any) -> types.CallToolResult:
        return types.CallToolResult(content=[types.TextContent(text="its own")])

    server = InProcess(Server("s", on_list_tools=listed, on_call_tool=called), name="s", resources=True)
    async with connect(server) as toolbox:
        assert sorted(tool.name for tool in toolbox.tools) == ["list_resources", "read_resource"]
        own = await toolbox.call("read_resource", {"path": "x"})
    assert own.parts == (Text("its own"),)


async def test_a_resource_beyond_its_limit_is_an_error_for_the_model() -> None:
    async with connect(InProcess(make(), name="notes", resources=True, limits=Limits(wire_bytes=50))) as toolbox:
        answer = await toolbox.find("read_resource").answer({"uri": "file:///both"})
    assert answer.is_error


@given(JSON)
def test_whatever_a_server_lists_is_a_resource_or_refused(value: Any) -> None:
    resources, refused = read_resources("s", [value, {"uri": "a:b"}], ListLimits())
    assert len(resources) + len(refused) == 2
    templates, refused = read_templates("s", [value, {"uriTemplate": "a:{b}"}], ListLimits())
    assert len(templates) + len(refused) == 2


@given(st.dictionaries(st.sampled_from(["contents", "_meta", "other"]), JSON))
def test_whatever_a_server_answers_is_read(raw: dict[str, Any]) -> None:
    read = contents("s", "a:b", raw)
    assert read.parts or read.warnings
