"""Tools in other processes: pickled there, they connect anew at their first call."""

from __future__ import annotations

import asyncio
import multiprocessing
import pickle
from typing import Any

import pytest

pytest.importorskip("langchain_core")

from toolgraft import Http, Stdio
from toolgraft_langchain import MCPTool, graft

CALL: dict[str, Any] = {"type": "tool_call", "name": "add", "args": {"a": 20, "b": 22}, "id": "call_1"}


def invoked(tool: MCPTool) -> Any:
    return tool.invoke(CALL).artifact["structured"]


def awaited(tool: MCPTool) -> Any:
    return asyncio.run(tool.ainvoke(CALL)).artifact["structured"]


@pytest.mark.faults("L6")
@pytest.mark.parametrize("call", [invoked, awaited])
def test_a_pickled_tool_works_in_another_process(demo_http: Http, call: Any) -> None:
    with graft(demo_http) as tools:
        add = next(tool for tool in tools if tool.name == "add")
        with multiprocessing.get_context("spawn").Pool(1) as pool:
            assert pool.apply_async(call, (add,)).get(timeout=50) == {"sum": 42}


def test_a_pickled_tool_works_after_its_graft_has_ended(demo_stdio: Stdio) -> None:
    with graft(demo_stdio) as tools:
        pickled = pickle.dumps(next(tool for tool in tools if tool.name == "add"))
    assert invoked(pickle.loads(pickled)) == {"sum": 42}
