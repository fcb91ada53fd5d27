"""Arguments that are the application's alone, wherever a schema declares them and whatever a model tries."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from toolgraft import ToolResult, connect
from toolgraft.result import Text

from tests.toolbox.conftest import Scripted

pytestmark = pytest.mark.anyio

ARGUMENTS = {"type": "object", "properties": {"user": {"type": "string"}, "q": {"type": "string"}}}


def arrived(result: ToolResult) -> Any:
    (part,) = result.parts
    assert isinstance(part, Text)
    return json.loads(part.text)["arguments"]


@pytest.mark.faults("A5")
@pytest.mark.parametrize(
    "schema",
    [
        {"type": "object", "allOf": [ARGUMENTS]},
        {"$ref": "#/$defs/A", "$defs": {"A": ARGUMENTS}},
        {"type": "object", "allOf": [{"$ref": "#/$defs/A"}], "$defs": {"A": ARGUMENTS}},
        {"type": "object", "anyOf": [ARGUMENTS, {"type": "object", "properties": {"n": {"type": "integer"}}}]},
        {"type": "object", "if": {"required": ["q"]}, "then": ARGUMENTS},
    ],
    ids=["allOf", "$ref", "$ref in allOf", "anyOf", "then"],
)
async def test_a_bound_argument_is_hidden_and_added_wherever_it_is_declared(
    scripted: Callable[..., Scripted], schema: Any
) -> None:
    server = scripted("server", {"name": "search", "inputSchema": schema})
    async with connect(server.declared(bind={"user": "me"})) as toolbox:
        tool = toolbox.find("search")
        for served in (tool.schema.plain, tool.schema.strict):
            assert '"user"' not in json.dumps(served)
        assert arrived(await tool.call({"q": "x"})) == {"q": "x", "user": "me"}
        assert arrived(await tool.call({"q": "x", "user": "evil"})) == {"q": "x", "user": "me"}


@pytest.mark.faults("A5")
async def test_a_bound_argument_cannot_be_set_through_an_open_map_of_another_tool(
    scripted: Callable[..., Scripted],
) -> None:
    open_map = {"name": "open", "inputSchema": {"type": "object", "additionalProperties": True}}
    server = scripted("server", {"name": "search", "inputSchema": ARGUMENTS}, open_map)
    async with connect(server.declared(bind={"user": "me"})) as toolbox:
        answer = await toolbox.find("open").answer({"user": "evil"})
        assert answer.is_error
        assert "/user: it is not yours to set" in str(answer.parts)
