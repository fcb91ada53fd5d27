"""Links of a result are followed within the limit of its call."""

from __future__ import annotations

from collections.abc import Callable

import anyio
import pytest
from toolgraft import connect
from toolgraft.result import Link, Text

from tests.toolbox.conftest import Scripted

pytestmark = pytest.mark.anyio

LINK = {"type": "resource_link", "uri": "x://a", "name": "a"}
ANSWERS = {"find": {"content": [{"type": "text", "text": "found"}, LINK]}}


async def test_a_link_is_read_and_put_in_its_place(scripted: Callable[..., Scripted]) -> None:
    server = scripted("server", "find", answers=ANSWERS, resources={"x://a": "all of it"})
    async with connect(server.declared(follow_links=1)) as toolbox:
        result = await toolbox.call("find", {})
    assert [part.text for part in result.parts if isinstance(part, Text)] == ["found", "all of it"]


async def test_a_resource_that_never_comes_costs_no_more_than_the_calls_limit(
    scripted: Callable[..., Scripted],
) -> None:
    server = scripted("server", "find", answers=ANSWERS, hang=["resources/read"])
    async with connect(server.declared(follow_links=1, tool_timeouts={"find": 1.0})) as toolbox:
        with anyio.fail_after(30):
            result = await toolbox.call("find", {})
    assert [type(part) for part in result.parts] == [Text, Link]
    assert "links were not read within the call's limit (set by Stdio(tool_timeouts=" in str(result.warnings)
