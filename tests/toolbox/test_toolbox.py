"""Many servers, one list of tools, over real transports."""

from __future__ import annotations

import copy
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from toolgraft import CallContext, Http, Options, Stdio, Toolbox, ToolResult, connect
from toolgraft.calls import Call, Handler
from toolgraft.errors import (
    ArgumentsError,
    ClosedError,
    ConfigError,
    ConnectError,
    DeadlineError,
    ServersRequiredError,
    UnknownToolError,
)
from toolgraft.hookspecs import hookimpl
from toolgraft.result import Text

from tests.toolbox.conftest import Scripted

pytestmark = pytest.mark.anyio

DEAD = Http("http://127.0.0.1:9/mcp", name="dead")
MISSING = Stdio("no-such-program-at-all", name="missing")


def text_of(result: ToolResult) -> str:
    return "".join(part.text for part in result.parts if isinstance(part, Text))


def names(toolbox: Toolbox) -> list[str]:
    return [tool.spec.name for tool in toolbox.tools]


async def test_tools_of_a_stdio_and_an_http_server_are_listed_and_called(demo_stdio: Stdio, demo_http: Http) -> None:
    async with connect(demo_stdio, demo_http) as toolbox:
        assert "demo-stdio_add" in names(toolbox)
        assert "demo-http_add" in names(toolbox)
        for server in ("demo-stdio", "demo-http"):
            result = await toolbox.call(f"{server}_add", {"a": 2, "b": 3})
            assert result.structured == {"sum": 5}
            assert not result.is_error


@pytest.mark.faults("L12")
async def test_a_dead_server_is_recorded_and_the_others_work(demo_http: Http) -> None:
    async with connect(DEAD, demo_http, MISSING) as toolbox:
        assert sorted(toolbox.failures) == ["dead", "missing"]
        assert "no-such-program-at-all" in str(toolbox.failures["missing"])
        assert all(isinstance(error, ConnectError) for error in toolbox.failures.values())
        assert text_of(await toolbox.call("greet", {"name": "Ada"})) == "Hello, Ada!"


@pytest.mark.faults("L12")
async def test_required_servers_that_fail_raise_one_error_that_names_all_of_them(demo_stdio: Stdio) -> None:
    with pytest.raises(ServersRequiredError, match=r"(?s)2 required.*dead.*missing") as raised:
        async with connect(replace(DEAD, required=True), demo_stdio, replace(MISSING, required=True)):
            pytest.fail("it opened")
    assert sorted(raised.value.failures) == ["dead", "missing"]


async def test_a_failed_server_is_tried_again_by_refresh(tmp_path: Path, demo_stdio: Stdio) -> None:
    program = tmp_path / "server"
    async with connect(Stdio(str(program), name="late")) as toolbox:
        assert "late" in toolbox.failures
        program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m toolgraft.testing\n')
        program.chmod(0o700)
        await toolbox.refresh()
        assert not toolbox.failures
        assert "add" in names(toolbox)


def test_two_servers_of_one_name_are_refused() -> None:
    with pytest.raises(ConfigError, match="two servers are called 'a'"):
        connect(Stdio("x", name="a"), Stdio("y", name="a"))


async def test_a_misspelt_filter_is_an_error_and_leaves_no_tool_open(demo_http: Http) -> None:
    with pytest.raises(ConfigError, match="lists no tool 'gret' named in without"):
        async with connect(replace(demo_http, without=["gret"])):
            pytest.fail("it opened")


@pytest.mark.faults("D7")
async def test_a_filtered_tool_cannot_be_called_by_name_either(demo_http: Http) -> None:
    async with connect(replace(demo_http, without=["fail"])) as toolbox:
        assert "fail" not in names(toolbox)
        for name in ("fail", "demo-http.fail"):
            with pytest.raises(UnknownToolError, match=f"no tool '{name}' is served"):
                await toolbox.call(name, {"reason": "x"})


@pytest.mark.faults("D4")
async def test_the_returned_list_is_a_copy(demo_http: Http) -> None:
    async with connect(demo_http) as toolbox:
        toolbox.tools.clear()
        assert toolbox.tools


async def test_a_tool_for_the_servers_own_app_is_not_served(demo_http: Http) -> None:
    async with connect(demo_http) as toolbox:
        assert "refresh_view" not in names(toolbox)


async def test_a_tool_is_found_by_its_wire_name_too(demo_http: Http) -> None:
    async with connect(demo_http) as toolbox:
        assert toolbox.find("demo-http.notes.delete") is toolbox.find("notes_delete")
        with pytest.raises(UnknownToolError, match="did you mean greet"):
            toolbox.find("gret")


@pytest.mark.faults("A10")
async def test_wrong_arguments_are_told_and_never_sent(demo_http: Http) -> None:
    async with connect(demo_http) as toolbox:
        with pytest.raises(ArgumentsError, match="the tool was not called"):
            await toolbox.call("greet", {"greeting": "Hi"})


@pytest.mark.faults("A5")
async def test_bound_arguments_are_hidden_from_the_model_and_cannot_be_overridden(demo_http: Http) -> None:
    def who(context: CallContext) -> str:
        return f"user of {context.tool}"

    async with connect(replace(demo_http, bind={"name": who})) as toolbox:
        greet = toolbox.find("greet")
        assert "name" not in greet.schema.plain["properties"]
        assert text_of(await greet.call({})) == "Hello, user of greet!"
        answer = await greet.answer({"name": "Mallory"})
        assert "Mallory" not in text_of(answer) or answer.is_error


@pytest.mark.faults("L6")
async def test_a_copied_tool_is_the_same_tool(demo_http: Http) -> None:
    async with connect(demo_http) as toolbox:
        tool = toolbox.find("add")
        assert (await copy.deepcopy(tool).call({"a": 1, "b": 1})).structured == {"sum": 2}


@pytest.mark.faults("L14")
async def test_a_tool_used_after_the_end_says_so(demo_http: Http) -> None:
    async with connect(demo_http) as toolbox:
        tool = toolbox.find("add")
    with pytest.raises(ClosedError):
        await tool.call({"a": 1, "b": 1})
    with pytest.raises(ClosedError, match="the toolbox is closed"):
        _ = toolbox.tools


async def test_a_failed_call_is_told_to_the_model_or_raised_as_the_server_says(demo_http: Http) -> None:
    async with connect(demo_http, replace(demo_http, name="strict", errors="raise")) as toolbox:
        told = await toolbox.find("demo-http.greet").answer({})
        assert told.is_error
        with pytest.raises(ArgumentsError):
            await toolbox.find("strict.greet").answer({})


@pytest.mark.faults("TL1", "TL3")
async def test_progress_starts_the_limit_anew_only_where_that_was_asked_for_and_under_its_cap(demo_http: Http) -> None:
    plain = replace(demo_http, timeout=0.5)
    async with connect(plain, replace(plain, name="patient", progress_cap=30)) as toolbox:
        with pytest.raises(DeadlineError, match=r"within 0.5 s \(set by Http\(timeout=...\)\)"):
            await toolbox.call("demo-http.slow", {"seconds": 2})
        assert not (await toolbox.call("patient.slow", {"seconds": 2})).is_error


async def test_middleware_sees_the_call_and_may_change_it(demo_http: Http) -> None:
    from toolgraft import Server
    from toolgraft.hookspecs import hookimpl

    seen: list[Mapping[str, object]] = []

    async def loud(call: Call, proceed: Handler) -> ToolResult:
        seen.append(call.arguments)
        return await proceed(replace(call, arguments={**call.arguments, "greeting": "HEY"}))

    class Plugin:
        @hookimpl
        def toolgraft_middleware(self, server: Server) -> Sequence[object]:
            return [loud]

    async with connect(demo_http, options=Options(plugins=[Plugin()])) as toolbox:
        assert text_of(await toolbox.call("greet", {"name": "Ada"})) == "HEY, Ada!"
    assert seen == [{"name": "Ada"}]


async def test_a_dotted_name_that_fits_two_tools_calls_neither(scripted: Callable[..., Scripted]) -> None:
    inner, outer = scripted("inner", "c"), scripted("outer", "b.c")
    async with connect(inner.declared(name="a.b"), outer.declared(name="a")) as toolbox:
        with pytest.raises(UnknownToolError, match="either of two servers: call it c or b_c"):
            toolbox.find("a.b.c")
        assert toolbox.find("b_c").spec.ref.server == "a"


async def test_middleware_that_answers_with_nothing_is_an_error_of_its_call(demo_http: Http) -> None:
    class Forgetful:
        @hookimpl
        def toolgraft_middleware(self, server: object) -> list[object]:
            async def forgetful(call: Call, proceed: Handler) -> None:
                await proceed(call)

            return [forgetful]

    async with connect(demo_http, options=Options(plugins=[Forgetful()])) as toolbox:
        answer = await toolbox.find("greet").answer({"name": "Ada"})
        assert answer.is_error
        assert "forgetful answered with nothing: return await proceed(call)" in text_of(answer)


@pytest.mark.parametrize("limit", [0, -1, float("nan"), "5"])
async def test_a_limit_that_is_none_is_refused_and_nothing_is_sent(demo_http: Http, limit: Any) -> None:
    async with connect(demo_http) as toolbox:
        with pytest.raises(ConfigError, match="timeout is a number of seconds above 0"):
            await toolbox.call("greet", {"name": "Ada"}, timeout=limit)
