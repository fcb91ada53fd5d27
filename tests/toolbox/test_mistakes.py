"""Mistakes that a user makes in the first hour: each error says what to write instead."""

from __future__ import annotations

import contextlib
import copy
import pydoc
from collections.abc import Callable, Sequence
from dataclasses import fields, replace
from typing import Any, cast

import pytest
import toolgraft_langchain
import toolgraft_openai_agents
from agents import Agent, RunConfig, Runner, function_tool
from agents.mcp import MCPServerStdio, MCPServerStreamableHttp
from agents.testing import ScriptedModel, assistant_message
from langchain_core.tools import StructuredTool
from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp.server import MCPServer
from toolgraft import Custom, Held, Http, InProcess, Limits, Options, Stdio, connect, load
from toolgraft.config import AnyServer
from toolgraft.errors import ArgumentsError, ConfigError
from toolgraft.testing import demo_stdio

Grafting = Callable[..., Any]


def _any(value: object) -> Any:
    return value


@pytest.fixture(params=[toolgraft_langchain.graft, toolgraft_openai_agents.graft], ids=["langchain", "openai_agents"])
def graft(request: pytest.FixtureRequest) -> Grafting:
    return cast("Grafting", request.param)


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ([Http("https://h/mcp")], r"not a list: give its members one by one, graft\(\*servers\)"),
        (load({"servers": {}}), r"not a Loaded: give its members one by one"),
        (Stdio, r"not the class Stdio: call it, Stdio\(\.\.\.\)"),
        (None, "not None"),
        (7, "not an int"),
        (MCPServer("mine"), r"not a MCPServer: write InProcess\(server\)"),
        (Client(MCPServer("mine")), r"not a Client: write Held\(client\)"),
        (StdioServerParameters(command="x"), r"not a StdioServerParameters: write Stdio\(command, \*args"),
        (MCPServerStdio({"command": "x"}), r"not a MCPServerStdio: write Stdio\(command"),
        (MCPServerStreamableHttp({"url": "http://h"}), r"write Http\(url"),
        (type("FastMCP", (), {"__module__": "fastmcp.server"})(), r'write Stdio\("fastmcp", "run", "server.py"\)'),
        (connect(), "write the servers that it was made of"),
        (
            StructuredTool.from_function(len, name="len", description="Count."),
            "beside those of servers: ",
        ),
        (len, r"\[\*my_tools, \*tools\]"),
        ({"a": Stdio("x")}, r"a: is a server that is declared in code: give it as it is, graft\(Stdio\(..., name='a'"),
        ({"mcpServers": {"a": Stdio("x")}}, "is a server that is declared in code"),
        (
            "server.py",
            r'is a program, not a config file; declare it as Stdio\(sys.executable, "server.py"\)',
        ),
        ("dist/index.js", r'Stdio\("node", "dist/index.js"\)'),
    ],
    ids=lambda value: value if isinstance(value, str) else type(value).__name__,
)
@pytest.mark.faults("T31")
def test_what_is_no_source_is_told_with_what_to_write(graft: Grafting, given: object, told: str) -> None:
    with pytest.raises(ConfigError, match=told):
        graft(given)


def test_a_misspelt_keyword_is_told_with_the_nearest(graft: Grafting) -> None:
    with pytest.raises(TypeError, match="argument 'strct'; did you mean 'strict'"):
        graft(strct=False)
    with pytest.raises(TypeError, match="argument 'contnet'; did you mean 'content'"):
        graft(contnet="text")


def test_a_keyword_of_a_server_is_sent_there(graft: Grafting) -> None:
    with pytest.raises(TypeError, match=r"argument 'only': it is a server's, as in Stdio\(\.\.\., only=\.\.\.\)"):
        graft(only=["echo"])


def test_a_value_that_an_option_cannot_have_is_told_before_a_server_starts(graft: Grafting) -> None:
    with pytest.raises(ConfigError, match="strict is 'natural', 'full' or False, not 'natrual'"):
        graft(strict="natrual")
    with pytest.raises(ConfigError, match="content is 'text' or 'blocks', not 'block'"):
        graft(content="block")
    with pytest.raises(ConfigError, match=r"write plugins=\['audit'\]"):
        graft(plugins="audit")
    with pytest.raises(ConfigError, match="at_once is a number of servers, not a str"):
        graft(at_once="3")


@pytest.mark.faults("T33")
@pytest.mark.parametrize(
    ("function", "more"),
    [
        (connect, ()),
        (toolgraft_langchain.graft, fields(toolgraft_langchain.LangChainAdapter)),
        (toolgraft_openai_agents.graft, fields(toolgraft_openai_agents.OpenAIAgentsAdapter)),
    ],
    ids=["connect", "langchain", "openai_agents"],
)
def test_help_lists_all_that_a_graft_takes(function: Grafting, more: Sequence[Any]) -> None:
    told = pydoc.plain(pydoc.render_doc(function))
    assert [each.name for each in (*fields(Options), *more) if f"        {each.name}: " not in told] == []


@pytest.mark.faults("T30")
@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"live": "yes"}, "live is True or False, not a str"),
        ({"discover_plugins": None}, "discover_plugins is True or False, not None"),
        ({"at_once": 0}, "at_once is a number of servers, not 0; the least is 1"),
        ({"at_once": True}, "at_once is a number of servers, not a bool"),
        ({"description_limit": -1}, "description_limit is a number of characters, or None for the whole, not -1"),
        ({"on_event": "print"}, "on_event is a function of an Event, not a str"),
        ({"control_flow": True}, "control_flow is a function of an exception, not a bool"),
        ({"plugins": 3}, r"plugins is a list, not an int: write plugins=\[\.\.\.\]"),
        ({"plugins": [dict]}, "plugins is a list of objects, modules and names, not of the class dict: make one of it"),
        ({"middleware": 3}, "middleware is a list of functions, not an int"),
        ({"policies": print}, r"write policies=\[\.\.\.\]"),
        ({"policies": [3]}, "policies is a list of functions, and there is an int in it"),
        ({"taken": "add"}, r"write taken=\['add'\]"),
        ({"taken": [3]}, "taken is a list of names or of tools that have one, and there is an int in it"),
    ],
    ids=str,
)
def test_an_option_of_the_wrong_kind_is_told_by_its_name(graft: Grafting, given: dict[str, Any], told: str) -> None:
    with pytest.raises(ConfigError, match=told):
        graft(**given)


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"servers": []}, r"graft\(\*servers\)"),
        ({"handle_tool_errors": True}, "here it is 'errors', a server's"),
        ({"require_approval": "always"}, "here it is 'approve'"),
    ],
    ids=str,
)
def test_a_keyword_of_another_library_is_told_with_ours(graft: Grafting, given: dict[str, Any], told: str) -> None:
    with pytest.raises(TypeError, match=told):
        graft(**given)


@pytest.mark.anyio
@pytest.mark.faults("T37")
async def test_tools_of_ones_own_keep_their_names_when_they_are_given_as_taken(graft: Grafting) -> None:
    def add(a: int, b: int) -> int:
        """Add."""
        return a + b

    for own in (add, StructuredTool.from_function(add), function_tool(add)):
        async with graft(demo_stdio(), taken=[own]) as tools:
            assert "add" not in [tool.name for tool in tools]
            assert "demo-stdio_add" in [tool.name for tool in tools]


@pytest.mark.anyio
@pytest.mark.faults("T31")
async def test_a_graft_is_entered_not_awaited_counted_or_asked(graft: Grafting) -> None:
    made = graft()
    with pytest.raises(TypeError, match=r"entered, not awaited: async with graft\(\.\.\.\) as tools"):
        await made
    with pytest.raises(TypeError, match="has its tools once it is entered"):
        len(made)
    with pytest.raises(TypeError, match="has its tools once it is entered"):
        made[0]
    with pytest.raises(AttributeError, match="'get_tools': its tools are what it is entered as; async with"):
        made.get_tools()
    assert made
    assert not hasattr(made, "anything")


@pytest.mark.faults("T31")
@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("tools", "what it is entered as; async with graft"),
        ("close", "the end of its `with`"),
        ("start", "it starts when it is entered"),
        ("ainvoke", "each by itself"),
        ("call", r"await tools.toolbox.call\(name, arguments\)"),
        ("failures", "as `tools.toolbox`"),
        ("refresh", "as `tools.toolbox`"),
        ("name", "not mcp_servers="),
    ],
)
def test_what_a_graft_has_not_is_told_with_where_it_is(graft: Grafting, name: str, told: str) -> None:
    made = graft()
    with pytest.raises(AttributeError, match=told):
        getattr(made, name)
    assert not hasattr(made, name)


@pytest.mark.anyio
@pytest.mark.faults("T31")
async def test_a_graft_that_was_not_entered_is_no_list(graft: Grafting) -> None:
    made = graft()
    for use in (lambda: "a" in made, lambda: [1] + made, lambda: made + [1], lambda: [*made]):  # noqa: RUF005
        with pytest.raises(TypeError, match=r"has its tools once it is entered: async with graft"):
            use()
    with pytest.raises(TypeError, match="has its tools once it is entered"):
        async for _ in made:
            pass


@pytest.mark.anyio
@pytest.mark.faults("T31")
@pytest.mark.parametrize("given", ["a graft", "a toolbox", "an entered list", "an entered toolbox"])
async def test_the_agents_sdk_given_one_as_an_mcp_server_tells_where_its_tools_go(given: str) -> None:
    made: Any = (
        toolgraft_openai_agents.graft(demo_stdio()) if given.endswith(("graft", "list")) else connect(demo_stdio())
    )
    async with contextlib.AsyncExitStack() as stack:
        server = await stack.enter_async_context(made) if "entered" in given else made
        agent = Agent(name="a", model=ScriptedModel([[assistant_message("ok")]]), mcp_servers=[server])
        with pytest.raises(AttributeError, match=r"it is no MCPServer of the Agents SDK: .* tools="):
            await Runner.run(agent, "x", run_config=RunConfig(tracing_disabled=True))


@pytest.mark.anyio
@pytest.mark.faults("T31")
async def test_an_entered_toolbox_says_where_its_tools_are() -> None:
    async with connect(demo_stdio()) as toolbox:
        made = _any(toolbox)
        for use in (lambda: made[0], lambda: len(made), lambda: list(made), lambda: "add" in made):
            with pytest.raises(TypeError, match=r"its tools are `toolbox.tools`"):
                use()
        with pytest.raises(AttributeError, match=r"await toolbox.call\(name, arguments\)"):
            made.call_tool("add", {})
        with pytest.raises(ArgumentsError, match="wanted a dict of arguments, got a str"):
            await made.call("add", '{"a": 1, "b": 2}')
    assert copy.copy(made) is made


@pytest.mark.anyio
@pytest.mark.faults("T31")
async def test_an_entered_list_is_a_list_and_says_where_the_rest_is(graft: Grafting) -> None:
    async with graft(demo_stdio()) as tools:
        with pytest.raises(AttributeError, match=r"its `.toolbox` has it"):
            _ = tools.failures
        with pytest.raises(AttributeError, match="it is the list of tools itself"):
            tools.get_tools()
        assert [*tools] == copy.copy(tools)


@pytest.mark.anyio
@pytest.mark.faults("T31")
async def test_a_toolbox_is_entered_asynchronously_not_awaited() -> None:
    made = _any(connect())
    with pytest.raises(TypeError, match=r"async with connect\(\.\.\.\) as toolbox; without one, `with graft"):
        made.__enter__()
    with pytest.raises(TypeError, match=r"entered, not awaited: async with connect"):
        await made
    with pytest.raises(TypeError, match="has its tools once it is entered"):
        list(made)


@pytest.mark.anyio
@pytest.mark.faults("T31")
async def test_a_graft_without_servers_or_with_none_that_works_warns(
    graft: Grafting, caplog: pytest.LogCaptureFixture
) -> None:
    async with graft():
        assert "no servers were given, so that there are no tools" in caplog.text
    async with graft(Stdio("no-such-command")):
        assert "none of the servers could be reached" in caplog.text


def test_a_graft_that_was_not_entered_says_so(graft: Grafting) -> None:
    with pytest.raises(TypeError, match=r"async with graft\(\.\.\.\) as tools"):
        list(graft())


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("declared", "told"),
    [
        (replace(demo_stdio(), bind={"cty": "Bern"}), "takes an argument 'cty', named in bind; they take a, .*city"),
        (replace(demo_stdio(), tool_timeouts={"wether": 3}), "lists no tool 'wether' named in tool_timeouts"),
        (replace(demo_stdio(), repeatable=["wether"]), "lists no tool 'wether' named in repeatable"),
    ],
    ids=["bind", "tool_timeouts", "repeatable"],
)
async def test_a_rule_that_would_have_no_effect_is_an_error(graft: Grafting, declared: AnyServer, told: str) -> None:
    with pytest.raises(ConfigError, match=told):
        async with graft(declared):
            pass


def test_a_toolbox_takes_the_same_keywords() -> None:
    assert connect(strict="full").options == Options(strict="full")
    assert connect(options=Options(at_once=2), live=True).options == Options(at_once=2, live=True)
    with pytest.raises(TypeError, match="argument 'strct'; did you mean 'strict'"):
        cast("Grafting", connect)(strct=False)


@pytest.mark.parametrize(
    ("declare", "told"),
    [
        (lambda: Stdio("x", limits=_any({"text": 3})), "limits is Limits"),
        (lambda: Stdio("x", tool_limits=_any({"a": 3})), r"tool_limits\['a'\] is Limits"),
        (lambda: Stdio("x", checks=_any(False)), "checks is Checks"),
        (
            lambda: Stdio("x", prefix=_any(3)),
            "prefix is True, False, a string, or a function of server and tool, not an int",
        ),
        (lambda: Stdio("x", elicit=_any("me")), "elicit is a function"),
        (lambda: Http("http://h/", headers=_any(["A"])), "headers is a dict or a function of the call's context"),
        (lambda: InProcess(_any("x")), "server is an mcp.server.MCPServer"),
        (lambda: Custom(_any(3)), "transport_factory is a function"),
        (lambda: Limits(text=_any("3")), "text is a whole number of 0 or more, or None"),
    ],
)
def test_a_field_of_the_wrong_kind_is_told_where_it_is_written(declare: Callable[[], object], told: str) -> None:
    with pytest.raises(ConfigError, match=told):
        declare()


def test_a_token_in_place_of_an_auth_object_is_refused_and_not_shown() -> None:
    with pytest.raises(ConfigError, match=r"Bearer\(token\) takes a token") as raised:
        Http("http://h/", auth=_any("s3cret"))
    assert "s3cret" not in str(raised.value)


@pytest.mark.anyio
async def test_a_langchain_tool_given_a_string_says_what_it_takes() -> None:
    async with toolgraft_langchain.graft(demo_stdio()) as tools:
        with pytest.raises(ArgumentsError, match="wanted a dict of arguments, got a string"):
            await tools[0].ainvoke("1, 2")


def _fails() -> Any:
    raise ValueError("mine")


async def _asynchronous() -> Any:
    return None


@pytest.mark.anyio
@pytest.mark.faults("T46")
@pytest.mark.parametrize(
    ("factory", "told"),
    [
        (lambda: 5, "its transport_factory made an int, where it makes a transport"),
        (lambda: None, "its transport_factory made None"),
        (_asynchronous, "its transport_factory made a coroutine"),
        (_fails, "mine"),
    ],
    ids=["an int", "None", "a coroutine", "an exception"],
)
async def test_a_transport_that_is_none_costs_its_own_server_only(factory: Any, told: str) -> None:
    async with connect(Custom(factory, name="custom"), demo_stdio(name="demo")) as toolbox:
        assert told in str(toolbox.failures["custom"])
        assert toolbox.find("add").spec.ref.server == "demo"


@pytest.mark.anyio
@pytest.mark.faults("T46")
async def test_a_transport_given_twice_and_a_client_that_was_left_say_so() -> None:
    demo = demo_stdio()
    transport = stdio_client(StdioServerParameters(command=demo.command, args=list(demo.args)))
    async with connect(Custom(lambda: transport, era="legacy")) as toolbox:
        assert not toolbox.failures
    async with connect(Custom(lambda: transport, era="legacy", name="again")) as toolbox:
        assert "made the same transport twice; make a new one each time" in str(toolbox.failures["again"])
    async with Client(MCPServer("mine")) as client, connect(Held(client)) as toolbox:
        assert not toolbox.failures
    for lent in (client, Client(MCPServer("mine"))):
        async with connect(Held(lent)) as toolbox:
            assert "lend it inside of its own `async with`" in str(toolbox.failures["held"])
