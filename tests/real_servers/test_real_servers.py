"""Servers as people run them, through every adapter: connect, list, call one harmless tool."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import pytest
from toolgraft import Options, Stdio
from toolgraft.adapter import Adapter
from toolgraft.plugins.discovery import adapter_names, load_adapter, load_scripted
from toolgraft.toolbox.graft import Graft
from toolgraft.tools.scripted import Step

pytestmark = [pytest.mark.anyio, pytest.mark.real_server]


@pytest.fixture(params=adapter_names())
def adapter(request: pytest.FixtureRequest) -> Adapter[Any]:
    return load_adapter(request.param)


async def call(adapter: Adapter[Any], server: Stdio, tool: str, arguments: Mapping[str, Any]) -> tuple[set[str], Step]:
    """Return the wire names that are served, and what one call gave."""
    async with Graft(adapter, [server], Options(discover_plugins=False)) as tools:
        assert not tools.toolbox.failures
        # `everything` shows a tool that runs as a task only, among the others
        assert {refusal.pointer for refusal in tools.toolbox.refused} <= {"/execution/taskSupport"}
        served = {each.spec.ref.tool for each in tools.toolbox.tools}
        public = tools.toolbox.find(f"{server.name}.{tool}").spec.name
        (step,) = await load_scripted(adapter.name)(tools, [(public, arguments)])
    return served, step


async def test_the_time_server_converts_a_time(adapter: Adapter[Any], time_server: Stdio) -> None:
    asked = {"source_timezone": "Asia/Tokyo", "time": "12:00", "target_timezone": "UTC"}
    served, step = await call(adapter, time_server, "convert_time", asked)
    assert served == {"get_current_time", "convert_time"}
    assert not step.is_error
    assert "T03:00:00" in json.loads(step.text)["target"]["datetime"]


async def test_a_time_zone_that_does_not_exist_is_the_tools_error(adapter: Adapter[Any], time_server: Stdio) -> None:
    _, step = await call(adapter, time_server, "get_current_time", {"timezone": "Moon/Base"})
    assert step.is_error
    assert "Moon/Base" in step.text


async def test_the_git_server_tells_the_log(adapter: Adapter[Any], git_server: Stdio) -> None:
    served, step = await call(adapter, git_server, "git_log", {"repo_path": git_server.args[-1], "max_count": 1})
    assert {"git_status", "git_log", "git_commit"} <= served
    assert not step.is_error
    assert "The first commit" in step.text


async def test_the_everything_server_adds(adapter: Adapter[Any], everything_server: Stdio) -> None:
    served, step = await call(adapter, everything_server, "get-sum", {"a": 2, "b": 3})
    assert {"echo", "get-sum"} <= served
    assert "5" in step.text


async def test_the_everything_server_gives_a_picture(adapter: Adapter[Any], everything_server: Stdio) -> None:
    _, step = await call(adapter, everything_server, "get-tiny-image", {})
    assert step.images == ("image/png",)
    assert "iVBOR" not in step.text
