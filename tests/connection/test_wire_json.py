"""Half a surrogate pair in what a server says costs nothing but itself."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from toolgraft import connect
from toolgraft.config import Stdio
from toolgraft.connection.wire.lenient_json import read_json
from toolgraft.connection.wire.messages import parse
from toolgraft.connection.wire.unreadable import Unreadable
from toolgraft.errors import ProtocolError

from tests.connection.conftest import talk

ROOT = Path(__file__).parent.parent.parent
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**9), 10**9) | st.text(st.characters(exclude_categories=[])),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)


@given(VALUES)
def test_any_json_is_read_and_can_be_encoded_again(value: Any) -> None:
    read = read_json(json.dumps(value).encode())
    json.dumps(read, ensure_ascii=False).encode()
    written = json.dumps(value)
    if "\\ud" not in written and "\\u0000" not in written:  # both are cleaned
        assert read == value


@given(st.binary(max_size=60))
def test_what_is_no_message_is_an_exception_and_names_its_request_where_it_can(data: bytes) -> None:
    parse(data, most=100)
    answer = parse(b'{"jsonrpc":"2.0","id":7,"result":{' + data.replace(b"}", b""), most=100)
    assert isinstance(answer, Unreadable)
    assert answer.request_id == 7


@pytest.mark.anyio
async def test_half_a_pair_in_lists_results_and_errors_over_stdio(tmp_path: Path) -> None:
    script = tmp_path / "script.json"
    tools = [{"name": name, "description": "a\ud800", "inputSchema": {"type": "object"}} for name in ("t", "e")]
    answers = {"t": {"content": [{"type": "text", "text": "a\ud800b"}]}}
    script.write_text(
        json.dumps({"tools": tools, "answers": answers, "errors": {"e": {"code": -1, "message": "\ud83d"}}})
    )
    config = Stdio(sys.executable, "-m", "tests.servers.scripted", str(script), name="raw", cwd=ROOT, era="legacy")
    async with talk(config) as line:
        assert [tool.description for tool in (await line.connection.list_tools()).tools] == ["a\ufffd", "a\ufffd"]
        assert await line.says("t") == "a\ufffdb"
        with pytest.raises(ProtocolError, match="\ufffd"):
            await line.call("e")


@pytest.mark.anyio
@pytest.mark.faults("S19")
async def test_a_schema_nested_very_deep_costs_its_tool_and_not_the_server(tmp_path: Path) -> None:
    deep: dict[str, Any] = {"type": "object"}
    for _ in range(300):
        deep = {"type": "object", "properties": {"a": deep}}
    script = tmp_path / "script.json"
    script.write_text(json.dumps({"tools": [{"name": "deep", "inputSchema": deep}, {"name": "good"}]}))
    config = Stdio(sys.executable, "-m", "tests.servers.scripted", str(script), name="raw", cwd=ROOT, era="legacy")
    async with connect(config) as toolbox:
        assert [tool.spec.name for tool in toolbox.tools] == ["good"]
        assert [refusal.ref.tool for refusal in toolbox.refused] == ["deep"]
