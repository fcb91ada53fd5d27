"""Results that a graph saves: no result of a server may end the run in which it came."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable
from typing import Any

import pytest
from langchain_core.load import dumpd
from langchain_core.messages import ToolMessage
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer
from toolgraft.content import to_result
from toolgraft.content.artifact import to_artifact
from toolgraft_langchain import graft

from tests.toolbox.conftest import scripted  # noqa: F401  # pyright: ignore[reportUnusedImport]


def nested(levels: int) -> Any:
    value: Any = 1
    for _ in range(levels):
        value = {"a": value}
    return value


WEI = 123456789012345678901234567890
ODD: dict[str, Any] = {
    "wei": WEI,
    "negative": -(2**70),
    "unsigned": 2**64 - 1,
    "list of them": [1, WEI],
    "deep": nested(300),
    "deep list": [[nested(250)]],
    "nan": float("nan"),
    "infinity": [float("-inf")],
    "deep beyond Python": nested(900),
    "a long number": 10**4_200,
    "surrogate": "a\ud800b",
    "surrogate key": {"\udc00": 1},
    "fine": {"a": [1, 2.5, None, True, "é"]},
}


@pytest.mark.faults("T8")
@pytest.mark.parametrize("name", ODD)
@pytest.mark.parametrize("place", ["structuredContent", "_meta", "block _meta", "unknown block"])
def test_every_serializer_takes_the_artifact(name: str, place: str) -> None:
    raw: dict[str, Any] = {"content": [{"type": "text", "text": "x"}]}
    if place == "block _meta":
        raw["content"][0]["_meta"] = {"value": ODD[name]}
    elif place == "unknown block":
        raw["content"].append({"type": "hologram", "value": ODD[name]})
    else:
        raw[place] = {"value": ODD[name]}
    artifact: Any = to_artifact(to_result(raw))
    message = ToolMessage("x", artifact=artifact, tool_call_id="1", name="t")
    serializer = JsonPlusSerializer()
    kind, data = serializer.dumps_typed({"channel_values": {"messages": [message]}})
    with sqlite3.connect(":memory:") as base:
        base.execute("create table saved (kind text, data blob)")
        base.execute("insert into saved values (?, ?)", (kind, data))
        row: tuple[str, bytes] = base.execute("select kind, data from saved").fetchone()
    base.close()
    assert serializer.loads_typed(row)["channel_values"]["messages"][0].artifact == artifact
    assert json.loads(json.dumps(artifact, allow_nan=False).encode()) == artifact
    assert json.dumps(dumpd(message), allow_nan=False).encode()


@pytest.mark.faults("T8")
def test_a_large_integer_keeps_its_digits_and_the_artifact_says_where() -> None:
    result = to_result({"content": [], "structuredContent": {"balance": {"a/b~c": [WEI]}}})
    artifact = to_artifact(result)
    assert artifact.get("structured_content") == {"balance": {"a/b~c": [str(WEI)]}}
    assert artifact.get("as_text") == ["/structured_content/balance/a~1b~0c/0"]
    assert result.structured == {"balance": {"a/b~c": [WEI]}}


@pytest.mark.faults("T8")
def test_more_than_is_named_is_counted_in_a_warning() -> None:
    artifact = to_artifact(to_result({"content": [], "structuredContent": [WEI] * 3_000}))
    assert len(artifact.get("as_text", [])) == 1_000
    assert artifact["warnings"] == ["2,000 more values than as_text names stand in the artifact as text"]


@pytest.mark.faults("T8")
def test_what_can_be_saved_is_not_copied() -> None:
    result = to_result({"content": [], "structuredContent": {"a": [1]}})
    assert to_artifact(result).get("structured_content") is result.structured


@pytest.mark.faults("T8")
@pytest.mark.anyio
async def test_every_serializer_takes_the_metadata_of_a_tool(
    scripted: Callable[..., Any],  # noqa: F811
) -> None:
    definition = {"name": "t", "inputSchema": {"type": "object"}, "_meta": {"wei": WEI, "deep": nested(150)}}
    async with graft(scripted("s", definition).declared()) as tools:
        metadata = tools[0].metadata
    assert metadata is not None
    assert metadata["mcp"]["meta"]["wei"] == str(WEI)
    kind, data = JsonPlusSerializer().dumps_typed(metadata)
    assert JsonPlusSerializer().loads_typed((kind, data)) == metadata
