"""A framework that is given a server, a graft, its list or a toolbox in place of its own ends with what to write."""

from __future__ import annotations

import contextlib
import copy
import pickle
from collections.abc import Callable
from typing import Any, Final, cast

import pytest
import toolgraft_langchain
import toolgraft_openai_agents
from agents import Agent, RunConfig, Runner
from agents.mcp import MCPServer as AgentsServer
from agents.testing import ScriptedModel, assistant_message
from langchain.agents import create_agent  # pyright: ignore[reportUnknownVariableType]
from langchain_openai import ChatOpenAI
from mcp.server import MCPServer
from pydantic import SecretStr
from toolgraft import Http, InProcess, Sse, Stdio, connect
from toolgraft.errors import ConfigError
from toolgraft.testing import demo_stdio

KINDS: Final = ("server", "graft", "list", "toolbox", "entered toolbox")

# By name that people of other libraries look for: what it tells on a server, on a graft, on its list and on a toolbox.
# None stands for a name that is there, or that is told by another test.
NAMES: Final[dict[str, tuple[str | None, str | None, str | None, str | None]]] = {
    "get_tools": ("what it is grafted as", "what it is entered as", "the list of tools itself", "`toolbox.tools`"),
    "load_tools": ("what it is grafted as", "what it is entered as", "the list of tools itself", "`toolbox.tools`"),
    "tools": ("what it is grafted as", "what it is entered as", "the list of tools itself", None),
    "name": (None, "no MCPServer", "no MCPServer", "no MCPServer"),
    "list_tools": ("no MCPServer", "no MCPServer", "no MCPServer", "`toolbox.tools`"),
    "connect": ("no MCPServer", "no MCPServer", "no MCPServer", "no MCPServer"),
    "cleanup": ("no MCPServer", "no MCPServer", "no MCPServer", "no MCPServer"),
    "toolbox": (None, "as `tools.toolbox`", None, None),
    "failures": (None, "as `tools.toolbox`", "its `.toolbox` has it", None),
    "refused": (None, "as `tools.toolbox`", "its `.toolbox` has it", None),
    "warnings": (None, "as `tools.toolbox`", "its `.toolbox` has it", None),
    "refresh": (None, "as `tools.toolbox`", "its `.toolbox` has it", None),
    "servers": (None, "as `tools.toolbox`", "its `.toolbox` has it", None),
    "call": ("how the server is reached", "await tools.toolbox.call", "its `.toolbox` has it", None),
    "call_tool": ("how the server is reached", "await tools.toolbox.call", "or by `toolbox.call`", "toolbox.call("),
    "invoke": ("how the server is reached", "each by itself", "invoked by itself", "toolbox.call("),
    "ainvoke": ("how the server is reached", "each by itself", "invoked by itself", "toolbox.call("),
    "run": ("how the server is reached", "each by itself", None, None),
    "start": ("how the server is reached", "starts when it is entered", None, "starts when it is entered"),
    "open": ("how the server is reached", "starts when it is entered", None, "starts when it is entered"),
    "enter": ("how the server is reached", "starts when it is entered", None, None),
    "close": ("how the server is reached", "end of its `with`", "end of its `with`", None),
    "aclose": ("how the server is reached", "end of its `with`", "end of its `with`", "toolbox.close()"),
    "stop": ("how the server is reached", "end of its `with`", "end of its `with`", "toolbox.close()"),
    "append": (None, "a list once it is entered", None, None),
    "extend": (None, "a list once it is entered", None, None),
    "session": ("how the server is reached", "holds the sessions itself", None, "holds the sessions itself"),
}
CASES: Final = [
    pytest.param(kind, name, told[at], id=f"{kind}-{name}")
    for name, told in NAMES.items()
    for at, kind in enumerate(KINDS[:4])
    if told[at] is not None
]


async def made(stack: contextlib.AsyncExitStack, kind: str) -> Any:
    match kind:
        case "server":
            return demo_stdio()
        case "graft":
            return toolgraft_openai_agents.graft(demo_stdio())
        case "list":
            return await stack.enter_async_context(toolgraft_openai_agents.graft())
        case "toolbox":
            return connect(demo_stdio())
        case _:
            return await stack.enter_async_context(connect())


@pytest.mark.anyio
@pytest.mark.faults("T31")
@pytest.mark.parametrize(("kind", "name", "told"), CASES)
async def test_a_name_of_another_library_is_told_with_ours(kind: str, name: str, told: str) -> None:
    async with contextlib.AsyncExitStack() as stack:
        thing = await made(stack, kind)
        with pytest.raises(AttributeError) as raised:
            getattr(thing, name)
        assert told in str(raised.value)
        assert not hasattr(thing, name)


@pytest.mark.faults("T31")
def test_all_that_the_agents_sdk_asks_of_a_server_of_its_own_and_ours_has_not_is_told() -> None:
    asked = {"connect", "cleanup", "list_tools", "call_tool", "name"}
    assert asked <= AgentsServer.__abstractmethods__ <= asked | {"get_prompt", "list_prompts"}
    assert asked <= set(NAMES)


@pytest.mark.anyio
@pytest.mark.faults("T31")
@pytest.mark.parametrize("place", ["tools", "mcp_servers"])
@pytest.mark.parametrize("kind", KINDS)
async def test_the_agents_sdk_given_one_of_ours_as_one_of_its_own_ends_with_what_to_write(
    kind: str, place: str
) -> None:
    async with contextlib.AsyncExitStack() as stack:
        given: dict[str, Any] = {place: [await made(stack, kind)]}
        agent = Agent(name="a", model=ScriptedModel([[assistant_message("ok")]]), **given)
        with pytest.raises((AttributeError, TypeError), match=r"no MCPServer|no tool") as raised:
            await Runner.run(agent, "x", run_config=RunConfig(tracing_disabled=True))
        assert any(remedy in str(raised.value) for remedy in ("graft(", "tools=tools", "into tools="))


SERVERS: Final = [Stdio("x"), Http("http://h/mcp"), Sse("http://h/sse"), InProcess(MCPServer("x"))]


@pytest.mark.faults("T31")
@pytest.mark.parametrize("server", SERVERS, ids=lambda server: type(server).__name__)
def test_a_server_in_place_of_the_tools_of_a_langchain_agent_is_told_how_to_graft_it(server: Any) -> None:
    kind = type(server).__name__
    with pytest.raises(TypeError, match=rf"async with graft\({kind}\(\.\.\.\)\) as tools"):
        create_agent(ChatOpenAI(model="gpt-5", api_key=SecretStr("no-key")), server)  # pyright: ignore[reportArgumentType]


async def _awaited(server: Any) -> None:
    await server


async def _entered(server: Any) -> None:
    async with server:
        pass


async def _entered_without_async(server: Any) -> None:
    with server:
        pass


async def _unpacked(server: Any) -> None:
    toolgraft_langchain.graft(*server)


@pytest.mark.anyio
@pytest.mark.faults("T31")
@pytest.mark.parametrize("use", [_awaited, _entered, _entered_without_async, _unpacked])
async def test_a_server_is_neither_awaited_nor_entered_nor_a_list(use: Callable[[Any], Any]) -> None:
    with pytest.raises(TypeError, match=r"only says how a server is reached: async with graft\(Stdio\(\.\.\.\)\)"):
        await use(Stdio("x"))


def test_a_server_is_still_a_plain_value() -> None:
    server = Stdio("x", name="a")
    assert copy.deepcopy(server) == copy.copy(server) == pickle.loads(pickle.dumps(server)) == server
    assert not hasattr(server, "anything")
    with pytest.raises(AttributeError, match=r"'Stdio' has no attribute 'anything'$"):
        _ = server.anything  # type: ignore[attr-defined]  # pyright: ignore[reportAttributeAccessIssue]


@pytest.mark.anyio
@pytest.mark.faults("T31")
@pytest.mark.parametrize("kind", ["server", "graft", "toolbox"])
async def test_a_live_agent_is_given_an_entered_list(kind: str) -> None:
    async with contextlib.AsyncExitStack() as stack:
        with pytest.raises(ConfigError, match=r"tools is the list that a graft is entered as, .*, not an? "):
            toolgraft_langchain.live_tools(await made(stack, kind))


@pytest.mark.faults("T30")
@pytest.mark.parametrize("wrong", ["false", 0, 1, None, [], object], ids=repr)
@pytest.mark.parametrize(
    ("function", "name"),
    [
        *((connect, name) for name in ("live", "discover_plugins")),
        *((toolgraft_langchain.graft, name) for name in ("live", "discover_plugins")),
        *((toolgraft_openai_agents.graft, name) for name in ("live", "discover_plugins", "programmatic")),
        *((Stdio, name) for name in ("required", "trust")),
    ],
    ids=lambda value: value if isinstance(value, str) else value.__module__.split(".")[0],
)
def test_a_switch_is_true_or_false_and_nothing_like_it(function: Any, name: str, wrong: object) -> None:
    given: tuple[str, ...] = ("x",) if function is Stdio else ()
    with pytest.raises(ConfigError, match=f"^{name} is True or False, not "):
        cast("Any", function)(*given, **{name: wrong})


@pytest.mark.faults("T30")
@pytest.mark.parametrize("wrong", [object(), 3.5j, b"x", print, type], ids=lambda value: type(value).__name__)
@pytest.mark.parametrize("function", [connect, toolgraft_langchain.graft, toolgraft_openai_agents.graft])
def test_every_keyword_is_checked_and_told_by_its_name(function: Any, wrong: object) -> None:
    own: dict[Any, tuple[str, ...]] = {
        toolgraft_langchain.graft: ("content", "args", "files"),
        toolgraft_openai_agents.graft: ("content", "programmatic"),
    }
    takes_functions = ("on_event", "control_flow")
    everything = ("strict", "live", "policies", "middleware", "taken", "plugins", "discover_plugins")
    for name in (*everything, "description_limit", "at_once", *takes_functions, *own.get(function, ())):
        if name in takes_functions and callable(wrong):
            continue
        if name == "plugins" and wrong == b"x":
            continue
        with pytest.raises(ConfigError, match=f"^{name} is "):
            function(**{name: wrong})


@pytest.mark.faults("T30")
@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"content": 3}, "content is 'text' or 'blocks', not an int"),
        ({"args": None}, "args is 'strict' or 'plain', not None"),
        (
            {"files": "application/pdf"},
            r"files is a set of media types, not a string: write files=\{'application/pdf'\}",
        ),
        ({"files": [3]}, "files is a list of names, and there is an int in it"),
        ({"files": True}, "files is a list of names, not a bool"),
    ],
    ids=str,
)
def test_an_option_of_the_langchain_adapter_is_told_by_its_name(given: dict[str, Any], told: str) -> None:
    with pytest.raises(ConfigError, match=told):
        toolgraft_langchain.graft(**given)


@pytest.mark.faults("T30")
def test_a_number_of_seconds_that_is_none_is_told() -> None:
    with pytest.raises(ConfigError, match="timeout is a number of seconds above 0, or None for no limit, not a str"):
        Stdio("x", timeout="30")  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    with pytest.raises(ConfigError, match="connect_timeout is a number of seconds above 0, not -1"):
        Stdio("x", connect_timeout=-1)
    with pytest.raises(ConfigError, match=r"options is Options\(...\), not a dict"):
        connect(options={"live": True})  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
