"""Calls that fail, in both frameworks: the model is told, and the run goes on."""

from __future__ import annotations

from typing import Any, cast

import pytest
import toolgraft_langchain
import toolgraft_openai_agents
from agents import UserError
from langchain.agents import create_agent  # pyright: ignore[reportUnknownVariableType]
from langchain_core.language_models import GenericFakeChatModel
from langchain_core.messages import AIMessage
from toolgraft.errors import CallError, ProtocolError
from toolgraft_openai_agents.scripted import run_scripted

from tests.results_wire.conftest import WAYS, Reach

pytestmark = [pytest.mark.anyio, pytest.mark.parametrize("way", WAYS)]

TOOLS = ["protocol_error", "dies", "error_structured", "text"]
WORDS = {
    "protocol_error": "tool 'protocol_error' of server 'every': no such city (error -32602)",
    "dies": "tool 'dies' of server 'every': ",
    "error_structured": "quota",
    "text": "a text",
}


class Script(GenericFakeChatModel):
    """Says what it is told to."""

    def bind_tools(self, tools: Any, **kwargs: Any) -> Any:
        return self


@pytest.mark.faults("E1", "E2", "E4", "R2")
async def test_a_langchain_agent_is_told_of_each_failure_and_goes_on(reach: Reach, way: str) -> None:
    turns = [AIMessage("", tool_calls=[{"id": name, "name": name, "args": {}, "type": "tool_call"}]) for name in TOOLS]
    model = Script(messages=iter([*turns, AIMessage("done")]))
    async with toolgraft_langchain.graft(reach(way, only=TOOLS)) as tools:
        agent = cast("Any", create_agent(model, tools))
        end = await agent.ainvoke({"messages": [("user", "go")]})
    told = {message.tool_call_id: message for message in end["messages"] if message.type == "tool"}
    for name, words in WORDS.items():
        assert words in told[name].text
        assert told[name].status == ("success" if name == "text" else "error")
        assert told[name].artifact["is_error"] is (name != "text")
    assert told["error_structured"].artifact["structured_content"] == {"wait": 3}
    assert end["messages"][-1].content == "done"


@pytest.mark.faults("E1", "E2", "E3", "E4", "R2", "R8")
async def test_an_agents_run_is_told_of_each_failure_and_goes_on(reach: Reach, way: str) -> None:
    async with toolgraft_openai_agents.graft(reach(way, only=TOOLS)) as tools:
        for name, words in WORDS.items():
            (step,) = await run_scripted(tools, [(name, {})])
            assert words in step.text
            assert step.text.startswith("Error: ") is (name != "text")
            assert step.is_error is (name != "text")


@pytest.mark.faults("E2", "E4")
async def test_failures_are_raised_where_that_is_asked_for(reach: Reach, way: str) -> None:
    server = reach(way, only=TOOLS, errors="raise")
    async with toolgraft_langchain.graft(server) as tools, toolgraft_openai_agents.graft(server) as more:
        named = {tool.name: tool for tool in tools}
        for name, error in (("protocol_error", ProtocolError), ("dies", CallError)):
            call: Any = {"type": "tool_call", "id": "1", "name": name, "args": {}}
            with pytest.raises(error):
                await named[name].ainvoke(call)
            with pytest.raises(UserError, match=name):
                await run_scripted(more, [(name, {})])
