"""The list of tools, and the life of a graft, in every framework."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from importlib import import_module
from importlib.metadata import entry_points
from typing import Any, cast

import anyio
import pytest
from toolgraft import AnyServer, Http, Options, Stdio
from toolgraft.adapter import Adapter, Step
from toolgraft.discovery import ADAPTERS
from toolgraft.errors import ClosedError, UnknownToolError
from toolgraft.graft import Graft
from toolgraft.testing import DEMO_TOOLS

from tests.contract.conftest import Turn

LEGAL = re.compile(r"[a-zA-Z0-9_-]{1,64}")
FOR_THE_MODEL = [tool["name"] for tool in DEMO_TOOLS if tool["name"] != "refresh_view"]
QUIET = Options(discover_plugins=False)


def names(tools: Sequence[Any]) -> list[str]:
    return [cast("str", tool.name) for tool in tools]


def test_an_adapter_is_registered_under_its_name_and_has_graft_beside_it(adapter: Adapter[Any]) -> None:
    (entry,) = (each for each in entry_points(group=ADAPTERS) if each.name == adapter.name)
    graft: Callable[..., object] = import_module(entry.module).graft
    assert isinstance(graft(Http("http://127.0.0.1:9/mcp")), Graft)


@pytest.mark.anyio
async def test_names_are_legal_everywhere_and_stay_the_servers_own_where_they_can(
    adapter: Adapter[Any], demo: AnyServer
) -> None:
    async with Graft(adapter, [demo], QUIET) as tools:
        assert all(LEGAL.fullmatch(name) for name in names(tools))
        assert [ref.tool for ref in (tool.spec.ref for tool in tools.toolbox.tools)] == FOR_THE_MODEL
        assert {name for name in FOR_THE_MODEL if LEGAL.fullmatch(name)} <= set(names(tools))


@pytest.mark.anyio
async def test_a_tool_for_the_servers_own_app_is_not_offered(adapter: Adapter[Any], demo_http: Http) -> None:
    async with Graft(adapter, [demo_http], QUIET) as tools:
        assert "refresh_view" not in names(tools)


@pytest.mark.anyio
async def test_tools_of_two_servers_keep_apart(adapter: Adapter[Any], demo_http: Http, demo_stdio: Stdio) -> None:
    async with Graft(adapter, [demo_http, demo_stdio], QUIET) as tools:
        assert len(set(names(tools))) == len(tools) == 2 * len(FOR_THE_MODEL)
        assert all(LEGAL.fullmatch(name) for name in names(tools))
        greeters = [tool.spec.name for tool in tools.toolbox.tools if tool.spec.ref.tool == "greet"]
        steps = await adapter.rehearse(tools, [(name, {"name": "Ada"}) for name in greeters])
    assert [step.text for step in steps] == ["Hello, Ada!", "Hello, Ada!"]


@pytest.mark.anyio
@pytest.mark.parametrize("era", ["legacy", "2026-07-28"])
async def test_both_protocol_eras_give_the_same(era: Any, turn: Turn, demo_http: Http) -> None:
    steps = await turn(("picture", {"color": "red"}), ("fail", {"reason": "no"}), server=replace(demo_http, era=era))
    assert [(step.images, step.is_error) for step in steps] == [(("image/png",), False), ((), True)]


@pytest.mark.anyio
async def test_a_tool_whose_name_had_to_change_is_called_by_its_own(adapter: Adapter[Any], demo_http: Http) -> None:
    async with Graft(adapter, [demo_http], QUIET) as tools:
        name = tools.toolbox.find("demo-http.notes.delete").spec.name
        (step,) = await adapter.rehearse(tools, [(name, {"id": 7})])
    assert name != "notes.delete"
    assert step.text == "Note 7 is deleted."


@pytest.mark.anyio
async def test_an_unknown_tool_is_an_error_that_names_the_near_ones(adapter: Adapter[Any], demo_http: Http) -> None:
    async with Graft(adapter, [demo_http], QUIET) as tools:
        with pytest.raises(UnknownToolError, match="greet"):
            await tools.toolbox.call("greets", {})


@pytest.mark.anyio
async def test_a_tool_that_takes_too_long_is_told_to_the_model_with_the_limit(turn: Turn, demo_http: Http) -> None:
    hasty = replace(demo_http, tool_timeouts={"slow": 0.3})
    slow, fine = await turn(("slow", {"seconds": 50}), ("greet", {"name": "Ada"}), server=hasty)
    assert slow.is_error
    assert "0.3 s" in slow.text
    assert fine.text == "Hello, Ada!"


@pytest.mark.anyio
async def test_a_server_that_is_not_there_takes_no_other_with_it(adapter: Adapter[Any], demo_http: Http) -> None:
    absent = Stdio("toolgraft-no-such-command", name="absent")
    async with Graft(adapter, [absent, demo_http], QUIET) as tools:
        assert len(tools) == len(FOR_THE_MODEL)
        assert list(tools.toolbox.failures) == ["absent"]
        (step,) = await adapter.rehearse(tools, [("greet", {"name": "Ada"})])
    assert step.text == "Hello, Ada!"


@pytest.mark.anyio
async def test_a_tool_used_after_its_block_says_that_it_is_closed(adapter: Adapter[Any], demo_http: Http) -> None:
    async with Graft(adapter, [demo_http], QUIET) as tools:
        kept = list(tools)

    async def told() -> str:
        try:
            (step,) = await adapter.rehearse(kept, [("greet", {"name": "Ada"})])
        except ClosedError as error:
            return str(error)
        return step.text

    assert "closed" in await told()


def test_a_graft_without_async_serves_a_loop_that_comes_later(adapter: Adapter[Any], demo: AnyServer) -> None:
    async def rehearse(tools: Sequence[Any]) -> Step:
        return (await adapter.rehearse(tools, [("picture", {"color": "red"})]))[0]

    with Graft(adapter, [demo], QUIET) as tools:
        step = anyio.run(rehearse, tools)
        again = anyio.run(rehearse, tools)
    assert step.images == again.images == ("image/png",)
