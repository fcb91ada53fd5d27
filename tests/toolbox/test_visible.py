"""Tools that only some runs may use: hidden from the model in each turn, and refused at the call."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, cast

import pytest
from toolgraft import CallContext, Http, Stdio, ToolSpec, connect
from toolgraft.config import AnyServer
from toolgraft.errors import ConfigError, UnknownToolError

from tests.toolbox.conftest import Scripted, until

pytestmark = pytest.mark.anyio

AGREED = "it is not there for this run"


def no_delete(spec: ToolSpec, context: CallContext) -> bool:
    return spec.ref.tool != "delete"


async def no_delete_later(spec: ToolSpec, context: CallContext) -> bool:
    await asyncio.sleep(0)
    return spec.ref.tool != "delete"


def fails(spec: ToolSpec, context: CallContext) -> bool:
    raise LookupError("who is it?")


def says_nothing(spec: ToolSpec, context: CallContext) -> Any:
    return None


@pytest.mark.faults("D7")
@pytest.mark.parametrize("visible", [no_delete, no_delete_later, fails, says_nothing])
@pytest.mark.parametrize("whole", [False, True])
async def test_a_hidden_tool_cannot_be_called_by_name_and_its_server_is_not_asked(
    visible: Any, whole: bool, scripted: Callable[..., Scripted]
) -> None:
    needs: dict[str, Any] = {
        "name": "delete",
        "inputSchema": {"type": "object", "required": ["path"], "properties": {"path": {}}},
    }
    server = scripted("s", needs, errors={"delete": {"code": 1, "message": "it was asked"}})
    declared = server.declared() if whole else server.declared(visible=visible)
    async with connect(declared, visible=visible if whole else None) as toolbox:
        for arguments in ({"path": "/"}, {}):  # of a hidden tool, not even the arguments are told
            with pytest.raises(UnknownToolError, match=AGREED):
                await toolbox.call("delete", arguments)


@pytest.mark.faults("D7")
async def test_a_tool_is_there_where_server_and_graft_both_say_so(scripted: Callable[..., Scripted]) -> None:
    def read(spec: ToolSpec, context: CallContext) -> bool:
        return spec.ref.tool in ("read", "delete")

    server = scripted("s", "read", "delete", "write").declared(visible=read)
    async with connect(server, visible=no_delete) as toolbox:
        assert [tool.name for tool in toolbox.tools if await tool.is_visible()] == ["read"]


@pytest.mark.faults("D7")
async def test_a_function_that_fails_hides_the_tool_and_is_logged(
    scripted: Callable[..., Scripted], caplog: pytest.LogCaptureFixture
) -> None:
    async with connect(scripted("s", "read").declared(visible=fails)) as toolbox:
        assert not await toolbox.tools[0].is_visible()
    assert "a `visible` function failed, and s.read is hidden from the run" in caplog.text
    assert "who is it?" in caplog.text


@pytest.mark.faults("D7")
async def test_nothing_that_middleware_does_gets_behind_it(scripted: Callable[..., Scripted]) -> None:
    async def insist(call: Any, proceed: Any) -> Any:
        try:
            return await proceed(call)
        except UnknownToolError:
            return await proceed(replace(call, arguments={"again": True}))

    async with connect(scripted("s", "delete").declared(visible=no_delete), middleware=[insist]) as toolbox:
        with pytest.raises(UnknownToolError, match=AGREED):
            await toolbox.call("delete", {})


def test_what_is_no_function_is_refused_where_it_is_written() -> None:
    wrong: Any = ["read"]
    with pytest.raises(ConfigError, match="visible is a function of a ToolSpec and a CallContext"):
        Stdio("true", visible=wrong)
    with pytest.raises(ConfigError, match="visible is a function of a ToolSpec and a CallContext"):
        connect(visible=wrong)


def of_tenant(spec: ToolSpec, context: CallContext) -> bool:
    """Each tenant may use the tools that its own context names, in either framework."""
    user = cast("Any", context.user)
    return spec.ref.tool in user.context.split()


def both_ways(demo_http: Http, demo_stdio: Stdio) -> dict[str, AnyServer]:
    return {"http": demo_http, "stdio": demo_stdio}


@pytest.mark.faults("D6", "D7")
@pytest.mark.parametrize("way", ["http", "stdio"])
async def test_two_runs_of_one_openai_agent_at_once_see_each_its_own_tools(
    way: str, demo_http: Http, demo_stdio: Stdio
) -> None:
    openai = pytest.importorskip("toolgraft_openai_agents")
    from agents import Agent, RunConfig, Runner
    from agents.testing import ModelCall, ModelStep, ScriptedModel, assistant_message

    seen: dict[str, list[list[str]]] = {}
    both = asyncio.Barrier(2)

    async def run(agent: Any, context: str) -> None:
        async def turn(call: ModelCall) -> Any:
            seen.setdefault(context, []).append([tool.name for tool in call.tools])
            await both.wait()
            return ModelStep(output=[assistant_message("done")])

        model = ScriptedModel([ModelStep(responder=turn), ModelStep(responder=turn)])
        for _ in range(2):
            config = RunConfig(tracing_disabled=True, model=model)
            await Runner.run(agent, "go", context=context, run_config=config)

    async with asyncio.timeout(60), openai.graft(both_ways(demo_http, demo_stdio)[way], visible=of_tenant) as tools:
        agent = Agent(name="a", tools=tools)
        await asyncio.gather(run(agent, "add greet"), run(agent, "report"))
    assert seen == {"add greet": [["add", "greet"]] * 2, "report": [["report"]] * 2}


@pytest.mark.faults("D7")
async def test_a_tool_that_is_hidden_between_turn_and_call_is_refused_and_the_run_goes_on(demo_http: Http) -> None:
    openai = pytest.importorskip("toolgraft_openai_agents")
    from agents import Agent, RunConfig, Runner
    from agents.testing import ScriptedModel, assistant_message, function_call

    def listed_only(spec: ToolSpec, context: CallContext) -> bool:
        return context.id is None or spec.ref.tool != "add"

    async with openai.graft(replace(demo_http, visible=listed_only)) as tools:
        calls = [function_call("add", '{"a": 1, "b": 2}', call_id="1"), function_call("report", "{}", call_id="2")]
        agent = Agent(name="a", tools=tools, model=ScriptedModel([calls, [assistant_message("done")]]))
        run = await Runner.run(agent, "go", run_config=RunConfig(tracing_disabled=True))
    refused, answered = [str(item.output) for item in run.new_items if item.type == "tool_call_output_item"]
    assert AGREED in refused
    assert "Here is the report." in answered


class Seen:
    """What models of runs were shown, by the name of the run."""

    def __init__(self) -> None:
        self.tools: dict[str, list[list[str]]] = {}

    def agent(self, tools: Any, middleware: Sequence[Any], context: str, *messages: Any) -> Any:
        import langchain.agents as framework
        from langchain_core.language_models.fake_chat_models import GenericFakeChatModel

        seen = self.tools.setdefault(context, [])

        class Model(GenericFakeChatModel):
            def bind_tools(self, tools: Sequence[Any], **kwargs: Any) -> Any:
                seen.append([tool.name for tool in tools])
                return self

        create_agent = cast("Callable[..., Any]", framework.create_agent)  # pyright: ignore[reportUnknownMemberType]
        return create_agent(Model(messages=iter(messages)), tools, middleware=middleware, context_schema=str)


def asks(tool: str, **arguments: Any) -> Any:
    from langchain_core.messages import AIMessage

    return AIMessage("", tool_calls=[{"name": tool, "args": arguments, "id": f"call_{tool}", "type": "tool_call"}])


def said(state: Any) -> list[str]:
    return [str(message.content) for message in state["messages"] if message.type == "tool"]


GO: Any = {"messages": [("user", "go")]}


@pytest.mark.faults("D6", "D7")
@pytest.mark.parametrize("way", ["http", "stdio"])
async def test_runs_of_langchain_agents_at_once_see_each_its_own_tools_in_each_turn(
    way: str, demo_http: Http, demo_stdio: Stdio
) -> None:
    langchain = pytest.importorskip("toolgraft_langchain")
    from langchain_core.messages import AIMessage

    seen = Seen()
    async with langchain.graft(both_ways(demo_http, demo_stdio)[way], visible=of_tenant) as tools:

        async def run(context: str, *asked: Any) -> Any:
            agent = seen.agent(tools, [langchain.visible_tools()], context, *asked, AIMessage("done"))
            return await agent.ainvoke(GO, context=context)

        one, other = await asyncio.gather(
            run("add greet", asks("greet", name="Ada")), run("report", asks("add", a=1, b=2))
        )
    assert seen.tools == {"add greet": [["add", "greet"]] * 2, "report": [["report"]] * 2}
    assert said(one) == ["Hello, Ada!"]
    assert AGREED in said(other)[0]


@pytest.mark.faults("D7")
def test_it_holds_without_async_and_with_a_function_that_is_async(demo_http: Http) -> None:
    langchain = pytest.importorskip("toolgraft_langchain")
    from langchain_core.messages import AIMessage

    async def later(spec: ToolSpec, context: CallContext) -> bool:
        await asyncio.sleep(0)
        return of_tenant(spec, context)

    seen = Seen()
    with langchain.graft(replace(demo_http, visible=later)) as tools:
        agent = seen.agent(tools, [langchain.visible_tools()], "add", asks("greet", name="Ada"), AIMessage("done"))
        state = agent.invoke(GO, context="add")
    assert seen.tools == {"add": [["add"]] * 2}
    assert AGREED in said(state)[0]


@pytest.mark.faults("D3", "D7")
async def test_a_live_list_hides_as_well_whatever_stands_beside_it(scripted: Callable[..., Scripted]) -> None:
    langchain = pytest.importorskip("toolgraft_langchain")
    from langchain_core.messages import AIMessage

    server = scripted("s", "touch", "drop")
    seen = Seen()
    async with langchain.graft(server.declared(visible=of_tenant), live=True) as tools:
        beside = [langchain.visible_tools(), langchain.live_tools(tools)]
        messages = asks("touch"), asks("drop"), asks("new"), AIMessage("done")
        agent = seen.agent(list(tools), beside, "touch new", *messages)

        async def with_new() -> Any:
            server.says(["touch", "drop", "new"])
            return await agent.ainvoke(GO, context="touch new")

        state = await with_new()
        await until(lambda: "new" in [tool.name for tool in tools])
    assert all("drop" not in shown for shown in seen.tools["touch new"])
    assert AGREED in said(state)[1]


@pytest.mark.faults("D7")
async def test_without_the_middleware_and_in_a_hand_made_graph_the_call_is_refused_all_the_same(
    demo_http: Http,
) -> None:
    langchain = pytest.importorskip("toolgraft_langchain")
    from langgraph.graph import START, MessagesState, StateGraph  # pyright: ignore[reportMissingTypeStubs]
    from langgraph.prebuilt import ToolNode

    def of_thread(spec: ToolSpec, context: CallContext) -> bool:
        return bool(langchain.caller_of(context)["configurable"]["thread_id"] == "admin")

    async with langchain.graft(demo_http, visible=of_thread) as tools:
        graph: Any = StateGraph(MessagesState)
        graph.add_node("tools", ToolNode(list(tools)))
        graph.add_edge(START, "tools")
        compiled = graph.compile()
        given = {"messages": [asks("add", a=1, b=2)]}
        refused = await compiled.ainvoke(given, {"configurable": {"thread_id": "guest"}})
        answered = await compiled.ainvoke(given, {"configurable": {"thread_id": "admin"}})
    assert AGREED in said(refused)[0]
    assert "3" in said(answered)[0]
