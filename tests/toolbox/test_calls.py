"""One call down the whole line: what middleware sees and may change, and what goes with it on the wire."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any

import pytest
from toolgraft import (
    Call,
    CallContext,
    CallId,
    Handler,
    Http,
    InProcess,
    Progress,
    Refusal,
    Safety,
    Server,
    Stdio,
    ToolResult,
    ToolSpec,
    connect,
)
from toolgraft.calls import may_have_run
from toolgraft.errors import ArgumentsError, ConfigError, DeadlineError, PluginError
from toolgraft.tools.route import Route

from tests.servers import sdk
from tests.toolbox.conftest import Scripted

pytestmark = pytest.mark.anyio

ERAS = ["legacy", "2026-07-28"]
SDK = Stdio(sys.executable, "-m", "tests.servers.sdk", name="sdk")


def text_of(result: ToolResult) -> str:
    return "".join(getattr(part, "text", "") for part in result.parts)


def servers_of(era: Any, url: str, **options: Any) -> list[Any]:
    given: Any = {"name": "sdk", "era": era, **options}
    return [replace(SDK, **given), Http(url, **given), InProcess(sdk.make(), **given)]


@pytest.mark.parametrize("era", ERAS)
async def test_what_the_caller_sends_beside_the_arguments_arrives(era: str) -> None:
    def tenant(context: CallContext) -> Mapping[str, Any]:
        return {"tenant": str(context.user), "trace": "declared"}

    with sdk.serving("http") as url:
        for server in servers_of(era, url, meta=tenant):
            async with connect(server) as toolbox:
                tool = toolbox.find("tell_meta")
                told = text_of(await tool.call({}, user="ada", meta={"trace": "t1"}))
                assert json.loads(told) == {"tenant": "ada", "trace": "t1"}
                assert json.loads(text_of(await tool.call({}, user="bo"))) == {"tenant": "bo", "trace": "declared"}


@pytest.mark.parametrize("name", ["progressToken", "io.modelcontextprotocol/protocolVersion"])
async def test_the_protocols_own_names_are_not_the_callers_to_send(name: str) -> None:
    async with connect(InProcess(sdk.make())) as toolbox:
        with pytest.raises(ArgumentsError, match=name):
            await toolbox.find("tell_meta").call({}, meta={name: "1"})


@pytest.mark.parametrize("era", ERAS)
@pytest.mark.faults("P8")
async def test_the_caller_is_told_of_progress(era: str) -> None:
    with sdk.serving("http") as url:
        for server in servers_of(era, url):
            heard: list[Progress] = []
            async with connect(server) as toolbox:
                await toolbox.find("plod").call({"steps": 3}, on_progress=heard.append)
            assert [(each.done, each.total) for each in heard] == [(0, 3), (1, 3), (2, 3)]


async def test_middleware_sees_the_call_and_who_makes_it() -> None:
    seen: list[Call] = []

    async def look(call: Call, proceed: Handler) -> ToolResult:
        seen.append(call)
        return await proceed(call)

    mine = CallId("call_1", "thread", "tools:1")
    async with connect(InProcess(sdk.make(), name="s"), middleware=[look]) as toolbox:
        await toolbox.find("echo").call({"text": "secret"}, user="ada", id=mine, timeout=3)
    (call,) = seen
    assert (call.ref.tool, call.id, call.context.user, call.safety) == ("echo", mine, "ada", Safety.SIDE_EFFECT)
    assert (call.deadline.seconds, call.deadline.source) == (3, "the call's timeout")
    assert "secret" not in repr(call)
    assert "ada" not in repr(call)


@pytest.mark.faults("T40")
async def test_middleware_may_add_an_argument_that_the_tool_requires() -> None:
    async def add(call: Call, proceed: Handler) -> ToolResult:
        return await proceed(replace(call, arguments={**call.arguments, "text": "added"}))

    async with connect(InProcess(sdk.make()), middleware=[add]) as toolbox:
        assert text_of(await toolbox.call("echo", {})) == "added"


@pytest.mark.faults("T40", "A10")
async def test_what_middleware_makes_of_the_arguments_is_checked() -> None:
    async def spoil(call: Call, proceed: Handler) -> ToolResult:
        return await proceed(replace(call, arguments={"text": ["no", "text"]}))

    async with connect(InProcess(sdk.make()), middleware=[spoil]) as toolbox:
        with pytest.raises(ArgumentsError, match="/text"):
            await toolbox.call("echo", {"text": "fine"})


@pytest.mark.faults("T40")
async def test_middleware_that_replaces_the_tool_of_a_call_is_an_error_that_says_what_to_do() -> None:
    async with connect(InProcess(sdk.make(), name="s")) as other:
        pid = other.find("pid").spec

        async def divert(call: Call, proceed: Handler) -> ToolResult:
            return await proceed(replace(call, spec=pid))

        async with connect(InProcess(sdk.make(), name="s"), middleware=[divert]) as toolbox:
            with pytest.raises(PluginError, match=r"replaced the tool of a call, s\.echo, by s\.pid"):
                await toolbox.call("echo", {"text": "x"})


@pytest.mark.faults("T40")
async def test_middleware_may_answer_with_a_value_of_the_frameworks_own() -> None:
    async def command(call: Call, proceed: Handler) -> Any:
        return {"goto": "elsewhere"}

    async with connect(InProcess(sdk.make()), middleware=[command]) as toolbox:
        assert (await toolbox.call("echo", {"text": "x"})).native == {"goto": "elsewhere"}


@pytest.mark.faults("T40")
@pytest.mark.parametrize("kind", ["coroutine", "task", "sync", "generator"])
async def test_middleware_that_does_not_await_its_call_is_an_error_that_says_what_to_write(kind: str) -> None:
    async def forgets(call: Call, proceed: Handler) -> Any:
        return proceed(call)

    async def starts(call: Call, proceed: Handler) -> Any:
        return asyncio.ensure_future(proceed(call))

    def sync(call: Call, proceed: Handler) -> Any:
        return ToolResult()

    async def generator(call: Call, proceed: Handler) -> Any:
        yield await proceed(call)

    layer = {"coroutine": forgets, "task": starts, "sync": sync, "generator": generator}[kind]
    right = "await proceed" if kind in ("coroutine", "task") else "async def"
    given: Any = layer
    async with connect(InProcess(sdk.make()), middleware=[given]) as toolbox:
        with pytest.raises(PluginError, match=rf"middleware .*{right}"):
            await toolbox.call("echo", {"text": "x"})


@pytest.mark.faults("T16", "T25")
async def test_a_failure_of_middleware_says_that_the_tool_had_run() -> None:
    async def late(call: Call, proceed: Handler) -> ToolResult:
        await proceed(call)
        raise KeyError("secret")

    async def silent(call: Call, proceed: Handler) -> Any:
        await proceed(call)

    async def early(call: Call, proceed: Handler) -> ToolResult:
        raise KeyError("secret")

    async def blind(call: Call, proceed: Handler) -> ToolResult:
        with suppress(DeadlineError):
            await proceed(call)
        raise KeyError("secret")

    slow: Any = {"tool_timeouts": {"sleep": 0.2}}
    cases = ((late, "echo", True), (silent, "echo", True), (early, "echo", False), (blind, "sleep", True))
    for layer, tool, ran in cases:
        args: dict[str, Any] = {"text": "x"} if tool == "echo" else {"s": 60}
        async with connect(InProcess(sdk.make(), **slow), middleware=[layer]) as toolbox:
            bound = toolbox.find(tool)
            said = text_of(await bound.answer(args))
            assert said.endswith("look at what it did before you repeat it.") == ran, layer
            assert "secret" not in said
            with pytest.raises((KeyError, PluginError)) as raised:
                await bound.call(args)
            assert may_have_run(raised.value) == ran


async def test_middleware_of_callers_runs_inside_that_of_plugins_and_nothing_gets_behind_the_innermost() -> None:
    order: list[str] = []

    def layer(name: str) -> Any:
        async def note(call: Call, proceed: Handler) -> ToolResult:
            order.append(f"{name} {call.arguments['text']}")
            return await proceed(replace(call, arguments={"text": name}))

        return note

    async with connect(InProcess(sdk.make(), name="s"), middleware=[layer("a"), layer("b")]) as toolbox:
        tool = toolbox.find("echo")
        route = Route(tool.server, tool.connection, [layer("a"), layer("b")], None, [layer("gate")])
        gated = type(tool)(tool.spec, tool.schema, route)
        assert text_of(await gated.call({"text": "x"})) == "gate"
    assert order == ["a x", "b a", "gate b"]


async def test_a_policy_given_by_the_caller_refuses_with_its_reason(scripted: Callable[..., Scripted]) -> None:
    def weekdays(specs: Sequence[ToolSpec]) -> Sequence[ToolSpec | Refusal]:
        return [Refusal(spec.ref, "", "closed", kind="rule") if spec.name == "pay" else spec for spec in specs]

    server = scripted("shop", "pay", "look").declared()
    async with connect(server, policies=[weekdays]) as toolbox:
        assert [tool.spec.name for tool in toolbox.tools] == ["look"]
        assert [(each.ref.tool, each.reason) for each in toolbox.refused] == [("pay", "closed")]


@pytest.mark.faults("D7")
async def test_every_tool_that_is_not_served_is_told_with_its_reason(scripted: Callable[..., Scripted]) -> None:
    broken = {"name": "broken", "inputSchema": "no schema"}
    server = scripted("shop", "pay", "look", "drop", broken).declared(only=["pay", "look"])

    def silent(specs: Sequence[ToolSpec]) -> Sequence[ToolSpec]:
        return [spec for spec in specs if spec.name != "pay"]

    async with connect(server, policies=[silent]) as toolbox:
        told = {each.ref.tool: (each.kind, each.reason) for each in toolbox.refused}
    assert told["drop"] == ("rule", "not among `only`")
    assert told["pay"][0] == "rule"
    assert "silent left it out" in told["pay"][1]
    assert told["broken"][0] == "defect"


async def test_the_connection_of_a_server_without_tools_is_had_by_its_name(scripted: Callable[..., Scripted]) -> None:
    async with connect(scripted("empty").declared(), scripted("full", "a").declared()) as toolbox:
        assert toolbox.connection("empty").server_info
        with pytest.raises(ConfigError, match="no server is called 'ful'; there are: empty, full"):
            toolbox.connection("ful")


@pytest.mark.faults("T37")
async def test_a_name_that_is_taken_is_left_to_the_agents_own_tool(scripted: Callable[..., Scripted]) -> None:
    async with connect(scripted("shop", "pay").declared(), taken=["pay"]) as toolbox:
        assert [tool.spec.name for tool in toolbox.tools] == ["shop_pay"]


def test_options_say_what_is_wrong_with_them() -> None:
    server: Server = SDK
    for given, message in (
        ({"middleware": print}, r"middleware is a list of functions: write middleware=\[...\]"),
        ({"policies": [1]}, "there is an int in it"),
        ({"taken": "pay"}, r"write taken=\['pay'\]"),
    ):
        with pytest.raises(ConfigError, match=message):
            connect(server, **given)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="here it is 'middleware'"):
        connect(server, interceptors=[])  # type: ignore[call-arg]
