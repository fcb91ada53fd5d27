"""Mistakes that a user makes in the first hour: each error says what to write instead."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, cast

import pytest
import toolgraft_langchain
import toolgraft_openai_agents
from agents import function_tool
from langchain_core.tools import StructuredTool
from toolgraft import Custom, Http, InProcess, Limits, Options, Stdio, connect, load
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
        (7, "not a int"),
    ],
)
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
        ({"plugins": 3}, r"plugins is a list, not a int: write plugins=\[\.\.\.\]"),
        ({"plugins": [dict]}, "plugins is a list of objects, modules and names, not of the class dict: make one of it"),
        ({"middleware": 3}, "middleware is a list of functions, not a int"),
        ({"policies": print}, r"write policies=\[\.\.\.\]"),
        ({"policies": [3]}, "policies is a list of functions, and there is a int in it"),
        ({"taken": "add"}, r"write taken=\['add'\]"),
        ({"taken": [3]}, "taken is a list of names or of tools that have one, and there is a int in it"),
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
        ({"require_approval": "always"}, "the agent's part"),
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
    with pytest.raises(AttributeError, match=r"its tools go into tools=, not mcp_servers="):
        await made.connect()
    assert made
    assert not hasattr(made, "anything")


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
        (lambda: Stdio("x", prefix=_any(3)), "prefix is True, False or a string, not a int"),
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
    with pytest.raises(ConfigError, match="a token goes into headers") as raised:
        Http("http://h/", auth=_any("s3cret"))
    assert "s3cret" not in str(raised.value)


@pytest.mark.anyio
async def test_a_langchain_tool_given_a_string_says_what_it_takes() -> None:
    async with toolgraft_langchain.graft(demo_stdio()) as tools:
        with pytest.raises(ArgumentsError, match="wanted a dict of arguments, got a string"):
            await tools[0].ainvoke("1, 2")
