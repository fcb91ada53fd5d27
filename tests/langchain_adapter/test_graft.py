"""MCP tools as LangChain's own, over real servers."""

from __future__ import annotations

import asyncio
import copy
import pickle
import threading
from dataclasses import replace
from typing import Any, cast

import pytest

pytest.importorskip("langchain_core")

from langchain_core.messages import ToolMessage
from langchain_core.utils.function_calling import convert_to_openai_tool
from toolgraft import CallContext, Http, InProcess, Stdio
from toolgraft.errors import ClosedError
from toolgraft.hookspecs import hookimpl
from toolgraft_langchain import MCPTool, graft

from tests.servers import sdk


def tool_of(tools: list[MCPTool], name: str) -> MCPTool:
    return next(tool for tool in tools if tool.name == name)


def call(tool: str, /, **args: Any) -> dict[str, Any]:
    return {"type": "tool_call", "name": tool, "args": args, "id": "call_7"}


@pytest.mark.anyio
async def test_a_tool_call_gives_a_tool_message_with_its_id_and_artifact(demo_http: Http) -> None:
    async with graft(demo_http) as tools:
        message = await tool_of(tools, "weather").ainvoke(call("weather", city="Bern"))
        assert isinstance(message, ToolMessage)
        assert (message.tool_call_id, message.name, message.status) == ("call_7", "weather", "success")
        assert message.artifact["structured_content"]["city"] == "Bern"


@pytest.mark.anyio
@pytest.mark.faults("E1", "R2")
async def test_a_failed_tool_gives_an_error_message_that_keeps_its_structured_body(demo_http: Http) -> None:
    async with graft(demo_http) as tools:
        message = await tool_of(tools, "fail").ainvoke(call("fail", reason="no luck"))
        assert message.status == "error"
        assert "no luck" in str(message.content)
        assert message.artifact["structured_content"]["code"] == "DEMO"


@pytest.mark.anyio
@pytest.mark.faults("A3")
async def test_arguments_with_langchains_own_names_arrive_unchanged(demo_stdio: Stdio) -> None:
    names = ["args", "callbacks", "class", "config", "kwargs", "run_manager", "self", "tool_call_id", "tool_input"]
    sent = {name: f"value of {name}" for name in names}
    async with graft(demo_stdio) as tools:
        message = await tool_of(tools, "echo").ainvoke(call("echo", **sent))
        assert message.artifact["structured_content"]["arguments"] == sent


@pytest.mark.anyio
async def test_server_hints_and_wire_name_stand_in_the_metadata(demo_http: Http) -> None:
    async with graft(demo_http) as tools:
        mcp = cast("dict[str, Any]", tool_of(tools, "notes_delete").metadata)["mcp"]
        assert (mcp["server"], mcp["tool"], mcp["title"]) == ("demo-http", "notes.delete", "Delete a note")
        assert mcp["hints"]["idempotent"] is True
        assert set(mcp["hints"]) == {"read_only", "destructive", "idempotent", "open_world"}


@pytest.mark.anyio
@pytest.mark.faults("T44")
async def test_a_title_that_was_not_told_is_not_in_the_metadata() -> None:
    async with graft(InProcess(sdk.make(), name="sdk")) as tools:
        echo = tool_of(tools, "echo")
        assert cast("dict[str, Any]", echo.metadata)["mcp"]["title"] is None
        assert echo.bound.name == "echo"


@pytest.mark.anyio
@pytest.mark.faults("A1", "A2", "S14")
async def test_a_strict_tool_stays_right_when_bound_with_strict_and_without(demo_stdio: Stdio) -> None:
    async with graft(demo_stdio) as tools:
        greet = tool_of(tools, "greet")
        bound = convert_to_openai_tool(greet, strict=True)["function"]["parameters"]
        assert bound["required"] == ["name", "greeting"]
        assert "null" in str(bound["properties"]["greeting"])
        for args in ({"name": "Ada", "greeting": None}, {"name": "Ada"}):
            assert (await greet.ainvoke(call("greet", **args))).text == "Hello, Ada!"


@pytest.mark.anyio
async def test_the_plain_form_is_served_when_asked_for(demo_http: Http) -> None:
    async with graft(demo_http, args="plain") as tools:
        assert cast("dict[str, Any]", tool_of(tools, "greet").args_schema)["required"] == ["name"]


@pytest.mark.anyio
@pytest.mark.faults("R20")
async def test_one_text_is_a_string_or_one_block_as_set(demo_http: Http) -> None:
    async with graft(demo_http) as tools:
        assert (await tool_of(tools, "greet").ainvoke(call("greet", name="Ada"))).content == "Hello, Ada!"
    async with graft(demo_http, content="blocks") as tools:
        message = await tool_of(tools, "greet").ainvoke(call("greet", name="Ada"))
        assert message.content == [{"type": "text", "text": "Hello, Ada!"}]


@pytest.mark.anyio
@pytest.mark.faults("L6")
async def test_a_deep_copied_tool_works(demo_http: Http) -> None:
    async with graft(demo_http) as tools:
        message = await copy.deepcopy(tool_of(tools, "add")).ainvoke(call("add", a=1, b=2))
        assert message.artifact["structured_content"] == {"sum": 3}


@pytest.mark.faults("L13")
def test_sync_invoke_works_inside_a_plain_with(demo_stdio: Stdio, demo_http: Http) -> None:
    with graft(demo_stdio, demo_http) as tools:
        for name in ("demo-stdio_add", "demo-http_add"):
            assert tool_of(tools, name).invoke(call(name, a=1, b=2)).artifact["structured_content"] == {"sum": 3}


@pytest.mark.faults("L13")
def test_sync_invoke_works_beside_a_running_loop(demo_http: Http) -> None:
    with graft(demo_http) as tools:

        async def notebook() -> Any:
            return tool_of(tools, "add").invoke(call("add", a=1, b=2))

        assert asyncio.run(notebook()).artifact["structured_content"] == {"sum": 3}
        assert asyncio.run(tool_of(tools, "add").ainvoke(call("add", a=1, b=2))).artifact["structured_content"] == {
            "sum": 3
        }


@pytest.mark.anyio
@pytest.mark.faults("L13")
async def test_sync_invoke_from_another_thread_reaches_the_home_loop(demo_http: Http) -> None:
    async with graft(demo_http) as tools:
        message = await asyncio.to_thread(tool_of(tools, "add").invoke, call("add", a=1, b=2))
        assert message.artifact["structured_content"] == {"sum": 3}


@pytest.mark.anyio
@pytest.mark.faults("L13")
async def test_sync_invoke_on_the_home_loops_own_thread_is_a_clear_error(demo_http: Http) -> None:
    async with graft(demo_http) as tools:
        with pytest.raises(ClosedError, match=r"ainvoke|thread"):
            tool_of(tools, "add").invoke(call("add", a=1, b=2))


@pytest.mark.faults("L14")
def test_a_tool_used_after_the_with_says_that_it_is_closed(demo_stdio: Stdio) -> None:
    with graft(demo_stdio) as tools:
        add = tool_of(tools, "add")
    with pytest.raises(ClosedError):
        add.invoke(call("add", a=1, b=2))


def test_no_thread_is_left_when_a_graft_fails_to_open() -> None:
    before = threading.active_count()
    with pytest.raises(ConnectionError), graft(Stdio("no-such-program", required=True)):
        pytest.fail("it opened")
    assert threading.active_count() == before


def _broken(error: Exception) -> object:
    class Broken:
        @hookimpl
        def toolgraft_middleware(self, server: object) -> list[object]:
            async def layer(call: object, proceed: object) -> None:
                raise error

            return [layer]

    return Broken()


@pytest.mark.anyio
async def test_a_fault_of_middleware_is_told_to_the_model_and_ends_no_run(demo_http: Http) -> None:
    async with graft(demo_http, plugins=[_broken(KeyError("a secret of the application"))]) as tools:
        message = await tool_of(tools, "add").ainvoke(call("add", a=1, b=2))
    assert message.status == "error"
    assert message.content == "tool 'add' of server 'demo-http': it failed inside the agent: KeyError"


@pytest.mark.anyio
async def test_a_fault_of_a_bound_argument_is_told_to_the_model_and_ends_no_run(demo_http: Http) -> None:
    def user(context: CallContext) -> str:
        raise KeyError("no user")

    async with graft(replace(demo_http, bind={"name": user})) as tools:
        message = await tool_of(tools, "greet").ainvoke(call("greet"))
        assert (message.status, "KeyError" in message.content) == ("error", True)
    async with graft(replace(demo_http, bind={"name": user}, errors="raise")) as tools:
        with pytest.raises(KeyError):
            await tool_of(tools, "greet").ainvoke(call("greet"))


@pytest.mark.anyio
async def test_an_interrupt_of_langgraph_goes_through(demo_http: Http) -> None:
    errors = pytest.importorskip("langgraph.errors")
    async with graft(demo_http, plugins=[_broken(errors.GraphInterrupt(()))]) as tools:
        with pytest.raises(errors.GraphInterrupt):
            await tool_of(tools, "add").ainvoke(call("add", a=1, b=2))


@pytest.mark.anyio
@pytest.mark.faults("L6", "D4")
async def test_a_deep_copied_list_has_the_same_toolbox_and_working_tools(demo_http: Http) -> None:
    async with graft(demo_http) as tools:
        again = copy.deepcopy(tools)
        assert again.toolbox is tools.toolbox
        again.clear()
        assert (await tool_of(tools, "add").ainvoke(call("add", a=1, b=2))).status == "success"


@pytest.mark.anyio
@pytest.mark.faults("L6")
async def test_a_pickled_list_has_a_toolbox_that_is_not_open(demo_http: Http) -> None:
    async with graft(demo_http) as tools:
        again = pickle.loads(pickle.dumps(tools))
        assert [tool.name for tool in again] == [tool.name for tool in tools]
        with pytest.raises(ClosedError):
            again.toolbox.find("add")
