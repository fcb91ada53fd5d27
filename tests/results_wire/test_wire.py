"""Every result over stdio and Streamable HTTP, in both eras."""

from __future__ import annotations

import base64
import json
from pathlib import Path
from typing import Any

import pytest
import toolgraft_langchain
import toolgraft_openai_agents
from toolgraft import connect
from toolgraft.config import Limits
from toolgraft.content import to_result
from toolgraft.errors import ResultError
from toolgraft.result import Image, Link, Text
from toolgraft.shown import for_model
from toolgraft_openai_agents.scripted import run_scripted

from tests.results_wire.conftest import NO_CAP, WAYS, Reach
from tests.servers.every_result import ALL, PROMISED, large

pytestmark = [pytest.mark.anyio, pytest.mark.parametrize("way", WAYS)]

HERE = Path(__file__).parent.parent
LANGCHAIN: dict[str, Any] = json.loads((HERE / "langchain_output" / "shapes.json").read_text("utf-8"))
AGENTS: dict[str, Any] = json.loads((HERE / "openai_output" / "shapes.json").read_text("utf-8"))


@pytest.mark.faults("R4", "R18", "R24", "R25")
async def test_every_result_arrives_as_it_was_sent(reach: Reach, way: str) -> None:
    async with connect(reach(way)) as toolbox:
        for name, raw in ALL.items():
            result = await toolbox.call(name, {})
            sent = to_result(raw)
            assert (name, result.parts) == (name, sent.parts)
            assert (name, result.structured) == (name, sent.structured)
            assert (name, result.is_error) == (name, sent.is_error)
            assert (name, len(result.warnings) - len(sent.warnings)) == (
                name,
                int(name in PROMISED and name != "promise_kept"),
            )


@pytest.mark.faults("R2", "R9", "R11", "R16", "R17", "R18", "R20", "E1", "E3")
async def test_every_result_reaches_both_frameworks_as_in_the_snapshots(reach: Reach, way: str) -> None:
    server = reach(way, only=list(ALL))
    async with toolgraft_langchain.graft(server) as chains, toolgraft_openai_agents.graft(server) as agents:
        calls: list[tuple[str, dict[str, Any]]] = [(name, {}) for name in ALL]
        for tool in chains:
            call: Any = {"type": "tool_call", "id": "1", "name": tool.name, "args": {}}
            message: Any = await tool.ainvoke(call)
            known = LANGCHAIN[tool.name]
            assert (tool.name, message.content) == (tool.name, known["content"])
            assert (tool.name, message.status) == (tool.name, known["status"])
            assert without_warnings(message.artifact) == without_warnings(known["artifact"])
        for step in await run_scripted(agents, calls):
            known = AGENTS[step.tool]
            assert (step.tool, step.raw) == (step.tool, known["responses"])
            assert step.is_error == known["custom_data"]["mcp"]["is_error"]


def without_warnings(artifact: dict[str, Any]) -> dict[str, Any]:
    return {**artifact, "warnings": [], "meta": {**artifact["meta"], "io.modelcontextprotocol/serverInfo": None}}


@pytest.mark.faults("R24")
async def test_under_error_a_broken_promise_is_an_error_that_says_the_tool_ran(reach: Reach, way: str) -> None:
    async with connect(reach(way, output_check="error", only=list(PROMISED))) as toolbox:
        assert (await toolbox.call("promise_kept", {})).structured == {"n": 1}
        for name in ("promise_broken", "promise_forgotten"):
            with pytest.raises(ResultError, match="the tool ran, but the result misses"):
                await toolbox.call(name, {})


@pytest.mark.faults("R10", "R22")
async def test_a_picture_of_5_mb_and_a_text_of_20_mb_arrive_whole(reach: Reach, way: str) -> None:
    async with connect(reach(way, only=["image_5mb", "text_20mb", "text"])) as toolbox:
        (picture,) = (await toolbox.call("image_5mb", {})).parts
        assert isinstance(picture, Image)
        assert picture.data == large("image_5mb")["content"][0]["data"]
        assert len(base64.b64decode(picture.data)) > 5_000_000
        result = await toolbox.call("text_20mb", {})
        (text,) = result.parts
        assert isinstance(text, Text)
        assert text.text == large("text_20mb")["content"][0]["text"]
        assert len(for_model(result).text) < 201_000
        assert for_model(result, NO_CAP).text == text.text


@pytest.mark.faults("R22")
async def test_a_result_over_the_hard_limit_is_refused_and_the_server_stays_usable(reach: Reach, way: str) -> None:
    limits = Limits(wire_bytes=1_000_000)
    async with connect(reach(way, only=["text_20mb", "text"], limits=limits)) as toolbox:
        with pytest.raises(ResultError, match=r"the tool ran.*Limits.wire_bytes"):
            await toolbox.call("text_20mb", {})
        (text,) = (await toolbox.call("text", {})).parts
        assert text == Text("a text")


@pytest.mark.faults("R17")
async def test_links_are_followed_where_asked_for(reach: Reach, way: str) -> None:
    async with connect(reach(way, follow_links=3, only=["link", "everything"])) as toolbox:
        (part,) = (await toolbox.call("link", {})).parts
        assert part == Text("noted", uri="notes://1", mime_type="text/plain", origin="resource_link")
        assert not any(isinstance(one, Link) for one in (await toolbox.call("everything", {})).parts)


@pytest.mark.faults("R22", "R23")
async def test_limits_hold_for_the_server_and_otherwise_for_one_tool(reach: Reach, way: str, tmp_path: Path) -> None:
    spilt = Limits(text=1_000, on_overflow="spill", spill_to=tmp_path)
    limits: dict[str, Any] = {"limits": Limits(text=100), "tool_limits": {"text_20mb": spilt}}
    server = reach(way, only=["text_20mb", "structured_beside_text", "unicode"], **limits)
    whole = large("text_20mb")["content"][0]["text"]
    async with toolgraft_langchain.graft(server) as tools:
        named = {tool.name: tool for tool in tools}
        call: Any = {"type": "tool_call", "id": "1", "args": {}}
        message: Any = await named["text_20mb"].ainvoke({**call, "name": "text_20mb"})
        assert len(message.content) < 1_300
        assert message.artifact["parts"][0]["text"] == whole
        (file,) = tmp_path.iterdir()  # noqa: ASYNC240
        assert str(file) in message.content
        assert file.read_text() == whole
        assert (await named["unicode"].ainvoke({**call, "name": "unicode"})).content == "東京 שלום 👩🏽"
