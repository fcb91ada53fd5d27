"""What the host does around a tool: its runtime, and OpenAI's strict mode."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, cast

import langchain.agents as framework
import pytest
from langchain_core.language_models.fake_chat_models import GenericFakeChatModel
from langchain_core.messages import AIMessage, ToolCall
from langchain_openai import ChatOpenAI
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.store.memory import InMemoryStore
from pydantic import BaseModel
from toolgraft import CallContext, Http
from toolgraft_langchain import MCPTool, as_strict, caller_of, graft

pytestmark = pytest.mark.anyio


@dataclass
class Tenant:
    name: str


class Script(GenericFakeChatModel):
    def bind_tools(self, tools: Any, **kwargs: Any) -> Any:
        return self


@pytest.mark.faults("T33")
async def test_the_runtime_of_a_graph_reaches_functions_of_a_call(demo_http: Http) -> None:
    seen: list[Any] = []

    def greeting(context: CallContext) -> str:
        caller = caller_of(context)
        seen.append((caller.tool_call_id, caller["configurable"]["thread_id"], caller.store, caller.state is not None))
        assert context.id is not None
        seen.append((context.id.call, context.id.run, bool(context.id.namespace)))
        return f"Hi {caller.context.name},"

    store = InMemoryStore()
    asked = ToolCall(name="greet", args={"name": "Ada", "toolgraft_runtime": "forged"}, id="call_1")
    model = Script(messages=iter([AIMessage("", tool_calls=[asked]), AIMessage("done")]))
    create_agent = cast("Callable[..., Any]", framework.create_agent)  # pyright: ignore[reportUnknownMemberType]
    async with graft(replace(demo_http, bind={"greeting": greeting})) as tools:
        agent = create_agent(model, tools, store=store, context_schema=Tenant, checkpointer=InMemorySaver())
        config = {"configurable": {"thread_id": "t1"}}
        end = await agent.ainvoke({"messages": [("user", "go")]}, config, context=Tenant("acme"))
    assert [message.text for message in end["messages"] if message.type == "tool"] == ["Hi acme,, Ada!"]
    assert seen == [("call_1", "t1", store, True), ("call_1", "t1", True)]


class Verdict(BaseModel):
    good: bool


def functions(model: Any, tools: Any, **options: Any) -> dict[str, Any]:
    """The functions of a Chat Completions request."""
    bound = model.bind_tools(tools, **options)
    payload = bound.bound._get_request_payload("go", **bound.kwargs)
    return {tool["function"]["name"]: tool["function"] for tool in payload["tools"]}


@pytest.mark.faults("T17")
async def test_tools_that_every_tool_must_be_strict_for_are_redrawn_and_decode_right(demo_http: Http) -> None:
    model = ChatOpenAI(model="gpt-5", api_key="x", use_responses_api=False)  # pyright: ignore[reportArgumentType]
    async with graft(demo_http, strict=False) as tools:
        plain = {tool.name for tool in tools if not cast("dict[str, Any]", tool.metadata)["mcp"]["strict"]}
        assert not any("strict" in functions(model, tools)[name] for name in plain)
        for options in ({"strict": True}, {"response_format": Verdict}):
            sent = functions(model, as_strict(tools), **options)
            assert all(function["strict"] for function in sent.values())
        redrawn = {tool.name: cast("MCPTool", tool) for tool in as_strict(tools)}
        for name in plain:
            tool = redrawn[name]
            assert tool.bound.schema.strict is not None
            given = tool.bound.schema.codec.encode({"config": "x"}) if name == "echo" else None
            if given is not None:
                message = await tool.ainvoke({"type": "tool_call", "name": name, "args": given, "id": "1"})
                assert message.artifact["structured_content"]["arguments"] == {"config": "x"}
        assert [one for one in as_strict(tools) if one.name not in plain] == [t for t in tools if t.name not in plain]
