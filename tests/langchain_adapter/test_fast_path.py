"""A call that nobody listens to takes a short way; whatever can be seen of it is as on LangChain's own way."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Generator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any, TypeAlias
from uuid import UUID, uuid4

import pytest

pytest.importorskip("langchain_core")

from langchain_core.callbacks import AsyncCallbackManager, BaseCallbackHandler, CallbackManager
from langchain_core.globals import set_debug
from langchain_core.messages import ToolMessage
from langchain_core.runnables import RunnableConfig, RunnableLambda, ensure_config
from langchain_core.tools import BaseTool, ToolException
from langchain_core.tracers.context import collect_runs, register_configure_hook
from toolgraft import Http
from toolgraft.calls import Call, Handler
from toolgraft.config import Server
from toolgraft.errors import ToolgraftError
from toolgraft.hookspecs import hookimpl
from toolgraft.result import Text, ToolResult
from toolgraft_langchain import MCPTool, graft

Way: TypeAlias = Callable[..., Awaitable[Any]]

SHORT: Way = MCPTool.ainvoke
LANGCHAINS: Way = BaseTool.ainvoke
BOTH = pytest.mark.parametrize("way", [SHORT, LANGCHAINS], ids=["short", "langchain's"])

MINE: ContextVar[str] = ContextVar("mine", default="unset")
LISTENER: ContextVar[BaseCallbackHandler | None] = ContextVar("listener", default=None)
register_configure_hook(LISTENER, inheritable=True)


class Ear(BaseCallbackHandler):
    """Notes what it is told."""

    def __init__(self) -> None:
        self.heard: list[tuple[str, Any]] = []

    def on_tool_start(self, serialized: Any, input_str: str, **kwargs: Any) -> None:
        self.heard.append(("start", (serialized["name"], kwargs["inputs"], kwargs["metadata"]["mcp"]["tool"])))

    def on_tool_end(self, output: Any, **kwargs: Any) -> None:
        self.heard.append(("end", output.content))

    def on_tool_error(self, error: BaseException, **kwargs: Any) -> None:
        self.heard.append(("error", type(error)))


@dataclass
class Plugin:
    """Runs `inside` in every call, as a user's middleware would be."""

    inside: Callable[[], Awaitable[None]]

    @hookimpl
    def toolgraft_middleware(self, server: Server) -> list[object]:
        async def layer(call: Call, proceed: Handler) -> ToolResult:
            await self.inside()
            return await proceed(call)

        return [layer]


@dataclass
class Seen:
    """What code inside a call sees."""

    config: dict[str, Any] = field(default_factory=dict[str, Any])
    mine: str = ""
    user: Any = None

    async def look(self) -> None:
        self.mine = MINE.get()
        MINE.set("set inside")
        self.config = dict(ensure_config())


def call(name: str, /, **args: Any) -> dict[str, Any]:
    return {"type": "tool_call", "name": name, "args": args, "id": "call_7"}


def of(tools: list[MCPTool], name: str) -> MCPTool:
    return next(tool for tool in tools if tool.name == name)


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("name", "args"),
    [
        ("greet", {"name": "Ada"}),
        ("add", {"a": 1, "b": 2}),
        ("picture", {"color": "red"}),
        ("weather", {"city": "Bern"}),
        ("fail", {"reason": "no luck"}),
        ("add", {"a": "not a number"}),
    ],
)
@pytest.mark.parametrize("content", ["text", "blocks"])
async def test_the_message_is_the_same_on_both_ways(
    demo_http: Http, name: str, args: dict[str, Any], content: Any
) -> None:
    async with graft(demo_http, content=content) as tools:
        tool, asked = of(tools, name), call(name, **args)
        short, langchains = await SHORT(tool, asked), await LANGCHAINS(tool, asked)
        assert isinstance(short, ToolMessage)
        assert short == langchains
        assert asked == call(name, **args)


@pytest.mark.anyio
@pytest.mark.parametrize("given", [{"name": "Ada"}, {**call("greet", name="Ada"), "id": None}])
async def test_without_an_id_the_bare_content_comes_back_on_both_ways(demo_http: Http, given: dict[str, Any]) -> None:
    async with graft(demo_http) as tools:
        greet = of(tools, "greet")
        assert await SHORT(greet, given) == await LANGCHAINS(greet, given) == "Hello, Ada!"


def by_config(ear: Ear) -> RunnableConfig:
    return {"callbacks": [ear]}


def by_manager(ear: Ear) -> RunnableConfig:
    return {"callbacks": CallbackManager(handlers=[ear])}


def by_inheritance(ear: Ear) -> RunnableConfig:
    return {"callbacks": AsyncCallbackManager(handlers=[ear], inheritable_handlers=[ear])}


@pytest.mark.anyio
@pytest.mark.parametrize("config", [by_config, by_manager, by_inheritance])
async def test_a_handler_in_the_config_is_told_of_the_call(
    demo_http: Http, config: Callable[[Ear], RunnableConfig]
) -> None:
    ear = Ear()
    async with graft(demo_http) as tools:
        await of(tools, "greet").ainvoke(call("greet", name="Ada"), config(ear))
    assert ear.heard == [("start", ("greet", {"name": "Ada"}, "greet")), ("end", "Hello, Ada!")]


@contextmanager
def on_the_tool(tool: MCPTool, ear: Ear) -> Generator[None]:
    tool.callbacks = [ear]
    yield


@contextmanager
def in_a_context_variable(tool: MCPTool, ear: Ear) -> Generator[None]:
    token = LISTENER.set(ear)
    yield
    LISTENER.reset(token)


@pytest.mark.anyio
@pytest.mark.parametrize("listening", [on_the_tool, in_a_context_variable])
async def test_a_handler_elsewhere_is_told_of_the_call(demo_http: Http, listening: Any) -> None:
    ear = Ear()
    async with graft(demo_http) as tools:
        greet = of(tools, "greet")
        with listening(greet, ear):
            await greet.ainvoke(call("greet", name="Ada"))
    assert [event for event, _ in ear.heard] == ["start", "end"]


@pytest.mark.anyio
async def test_a_run_collector_gets_the_run_of_the_call(demo_http: Http) -> None:
    async with graft(demo_http) as tools:
        with collect_runs() as collected:
            await of(tools, "greet").ainvoke(call("greet", name="Ada"))
        (run,) = collected.traced_runs
        assert (run.name, run.run_type) == ("greet", "tool")


@pytest.mark.anyio
async def test_debug_mode_prints_the_call(demo_http: Http, capsys: pytest.CaptureFixture[str]) -> None:
    async with graft(demo_http) as tools:
        set_debug(True)
        try:
            await of(tools, "greet").ainvoke(call("greet", name="Ada"))
        finally:
            set_debug(False)
    assert "[tool/end]" in capsys.readouterr().out


@pytest.mark.anyio
async def test_a_handler_of_a_chain_hears_the_tool_within_it(demo_http: Http) -> None:
    ear = Ear()
    async with graft(demo_http) as tools:
        greet = of(tools, "greet")

        async def step(name: str) -> Any:
            return await greet.ainvoke(call("greet", name=name))

        await RunnableLambda(step).ainvoke("Ada", {"callbacks": [ear]})
    assert [event for event, _ in ear.heard] == ["start", "end"]


GIVEN: RunnableConfig = {
    "tags": ["mine"],
    "metadata": {"tenant": "t1"},
    "configurable": {"thread_id": "7"},
    "recursion_limit": 9,
    "run_name": "named",
    "max_concurrency": 3,
}


def without_runs(config: Mapping[str, Any]) -> dict[str, Any]:
    callbacks: object = config["callbacks"]
    known = vars(callbacks) | {"parent_run_id": getattr(callbacks, "parent_run_id", None) is not None}
    return {**config, "callbacks": known}


@pytest.mark.anyio
@BOTH
async def test_code_inside_sees_the_config_of_a_child_run(demo_http: Http, way: Way) -> None:
    seen = Seen()
    run_id = uuid4()
    async with graft(demo_http, plugins=[Plugin(seen.look)]) as tools:
        await way(of(tools, "greet"), call("greet", name="Ada"), {**GIVEN, "run_id": run_id})
    assert seen.config["callbacks"].parent_run_id == run_id
    assert seen.config["callbacks"].inheritable_tags == ["mine"]
    assert seen.config["callbacks"].inheritable_metadata["tenant"] == "t1"
    assert "run_id" not in seen.config
    assert "run_name" not in seen.config


@pytest.mark.anyio
@pytest.mark.parametrize("config", [None, {}, GIVEN, {"callbacks": AsyncCallbackManager(handlers=[])}])
async def test_code_inside_sees_the_same_on_both_ways(demo_http: Http, config: RunnableConfig | None) -> None:
    short, langchains = Seen(), Seen()
    for seen, way in ((short, SHORT), (langchains, LANGCHAINS)):
        async with graft(demo_http, plugins=[Plugin(seen.look)]) as tools:
            greet = of(tools, "greet")

            async def step(_: object, greet: MCPTool = greet, way: Way = way) -> None:
                await way(greet, call("greet", name="Ada"), config)

            await RunnableLambda(step).ainvoke(1, {"configurable": {"outer": "o"}, "tags": ["outer"]})
    assert without_runs(short.config) == without_runs(langchains.config)
    assert short.config["configurable"] == (config or {}).get("configurable", {"outer": "o"})


@pytest.mark.anyio
@BOTH
async def test_a_runnable_inside_is_a_child_of_the_call(demo_http: Http, way: Way) -> None:
    parents: list[UUID | None] = []
    run_id = uuid4()

    class Parent(BaseCallbackHandler):
        def on_chain_start(self, *args: Any, **kwargs: Any) -> None:
            parents.append(kwargs["parent_run_id"])

    async def inside() -> None:
        callbacks: Any = ensure_config().get("callbacks")
        manager = callbacks.copy()
        manager.add_handler(Parent())
        nested: Any = RunnableLambda(str)
        await nested.ainvoke(1, {"callbacks": manager})

    async with graft(demo_http, plugins=[Plugin(inside)]) as tools:
        await way(of(tools, "greet"), call("greet", name="Ada"), {"run_id": run_id})
    assert parents == [run_id]


@pytest.mark.anyio
@BOTH
async def test_context_variables_go_in_and_do_not_come_out(demo_http: Http, way: Way) -> None:
    seen = Seen()
    async with graft(demo_http, plugins=[Plugin(seen.look)]) as tools:
        token = MINE.set("set outside")
        await way(of(tools, "greet"), call("greet", name="Ada"))
        assert (seen.mine, MINE.get()) == ("set outside", "set outside")
        MINE.reset(token)
        assert ensure_config().get("callbacks") is None


@pytest.mark.anyio
@BOTH
async def test_cancelling_the_caller_cancels_the_call_and_nothing_else(demo_http: Http, way: Way) -> None:
    inside, told = asyncio.Event(), asyncio.Event()

    async def wait() -> None:
        if not inside.is_set():
            inside.set()
            try:
                await asyncio.Event().wait()
            except asyncio.CancelledError:
                told.set()
                raise

    async with graft(demo_http, plugins=[Plugin(wait)]) as tools:
        greet = of(tools, "greet")
        task = asyncio.ensure_future(way(greet, call("greet", name="Ada")))
        await asyncio.wait_for(inside.wait(), 10)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert told.is_set()
        assert (await way(greet, call("greet", name="Ada"))).content == "Hello, Ada!"


@pytest.mark.anyio
@BOTH
async def test_a_time_out_inside_is_caught_inside(demo_http: Http, way: Way) -> None:
    outcome: list[str] = []

    async def inside() -> None:
        try:
            async with asyncio.timeout(0.01):
                await asyncio.Event().wait()
        except TimeoutError:
            outcome.append("timed out")

    async with graft(demo_http, plugins=[Plugin(inside)]) as tools:
        assert (await way(of(tools, "greet"), call("greet", name="Ada"))).content == "Hello, Ada!"
    assert outcome == ["timed out"]


@pytest.mark.anyio
@BOTH
async def test_an_exception_inside_comes_out_as_it_is(demo_http: Http, way: Way) -> None:
    async def inside() -> None:
        raise ToolException("not today")

    async with graft(demo_http, plugins=[Plugin(inside)]) as tools:
        with pytest.raises(ToolException, match="not today"):
            await way(of(tools, "greet"), call("greet", name="Ada"))


@pytest.mark.anyio
async def test_an_error_is_handled_where_the_tool_says_how(demo_http: Http) -> None:
    async def inside() -> None:
        raise ToolException("not today")

    async with graft(demo_http, plugins=[Plugin(inside)]) as tools:
        greet = of(tools, "greet")
        greet.handle_tool_error = True
        message = await greet.ainvoke(call("greet", name="Ada"))
        assert (message.content, message.status) == ("not today", "error")


@pytest.mark.anyio
@BOTH
async def test_errors_are_raised_where_the_server_says_so(way: Way) -> None:
    from toolgraft.testing import demo_http

    with demo_http(errors="raise") as server:
        async with graft(server) as tools:
            with pytest.raises(ToolgraftError):
                await way(of(tools, "add"), call("add", a="not a number"))


@pytest.mark.anyio
async def test_a_subclass_is_called_by_its_own_methods(demo_http: Http) -> None:
    class Mine(MCPTool):
        async def _arun(self, *call: Any) -> Any:
            return "mine", None

    async with graft(demo_http) as tools:
        greet = of(tools, "greet")
        mine = Mine(name="greet", description="", args_schema=greet.args_schema, bound=greet.bound)
        assert (await mine.ainvoke(call("greet", name="Ada"))).content == "mine"


@pytest.mark.anyio
async def test_a_result_of_middleware_alone_is_told_like_any_other(demo_http: Http) -> None:
    class Instead:
        @hookimpl
        def toolgraft_middleware(self, server: Server) -> list[object]:
            async def layer(call: Call, proceed: Handler) -> ToolResult:
                return ToolResult((Text("instead"),))

            return [layer]

    async with graft(demo_http, plugins=[Instead()]) as tools:
        greet, asked = of(tools, "greet"), call("greet", name="Ada")
        assert await SHORT(greet, asked) == await LANGCHAINS(greet, asked)
