"""What many calls, callers and filters of one server share, and what they do not."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, cast

import pytest
import toolgraft_langchain
from langchain.agents import create_agent  # pyright: ignore[reportUnknownVariableType]
from langchain_core.language_models import GenericFakeChatModel
from langchain_core.messages import AIMessage
from langgraph.store.memory import InMemoryStore
from toolgraft import connect

from tests.toolbox.conftest import Scripted

pytestmark = pytest.mark.anyio

Make = Callable[..., Scripted]


class Script(GenericFakeChatModel):
    """Says what it is told to."""

    def bind_tools(self, tools: Any, **kwargs: Any) -> Any:
        return self


@pytest.mark.faults("L5")
async def test_many_calls_use_one_process(scripted: Make) -> None:
    server = scripted("notes", "add")
    async with connect(server.declared()) as toolbox:
        for number in range(10):
            await toolbox.call("add", {"number": number})
    assert len(server.pids) == 1


@pytest.mark.faults("D6")
async def test_each_caller_has_a_filter_of_its_own(scripted: Make) -> None:
    server = scripted("notes", "add", "remove")
    async with connect(server.declared(only=["add"])) as first, connect(server.declared()) as second:
        assert [tool.spec.name for tool in first.tools] == ["add"]
        assert sorted(tool.spec.name for tool in second.tools) == ["add", "remove"]


@pytest.mark.faults("A4")
async def test_of_the_frameworks_run_nothing_is_sent_but_the_declared_arguments(scripted: Make) -> None:
    server = scripted("notes", "add")
    call: Any = {"id": "1", "name": "add", "args": {"text": "hello"}, "type": "tool_call"}
    model = Script(messages=iter([AIMessage("", tool_calls=[call]), AIMessage("done")]))
    async with toolgraft_langchain.graft(server.declared()) as tools:
        agent = cast("Any", create_agent(model, tools, store=InMemoryStore()))
        end = await agent.ainvoke({"messages": [("user", "go")]}, {"configurable": {"user": "ada"}})
    (answer,) = (message for message in end["messages"] if message.type == "tool")
    assert json.loads(answer.text) == {"tool": "add", "arguments": {"text": "hello"}}
