"""Nothing blocks the event loop, under the guard that `langgraph dev` puts on it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import toolgraft_langchain
import toolgraft_openai_agents
from blockbuster import BlockingError, blockbuster_ctx
from toolgraft import Http, connect
from toolgraft.errors import ClosedError, ConfigError
from toolgraft.testing import DEMO_COMMAND, demo_stdio

pytestmark = [pytest.mark.anyio, pytest.mark.faults("T27")]
FRAMEWORKS: list[Any] = [toolgraft_langchain, toolgraft_openai_agents]


@pytest.fixture
def guard() -> Iterator[None]:
    with blockbuster_ctx():
        yield


def entry(folder: Path) -> dict[str, Any]:
    """A server whose entry has every field that is looked up on disk."""
    (folder / ".env").write_text("A=1\n")
    return {"command": DEMO_COMMAND[0], "args": list(DEMO_COMMAND[1:]), "cwd": str(folder), "envFile": ".env"}


async def test_the_guard_sees_what_blocks(guard: None) -> None:
    with pytest.raises(BlockingError):
        os.stat(__file__)


@pytest.mark.parametrize("kind", ["dict", "path", "stdio", "http"])
@pytest.mark.parametrize("framework", FRAMEWORKS, ids=lambda framework: framework.__name__)
async def test_a_graft_opens_calls_and_closes_without_blocking(
    framework: Any, kind: str, demo_http: Http, tmp_path: Path
) -> None:
    config = {"mcpServers": {"demo": entry(tmp_path)}}
    path = tmp_path / "mcp.json"
    path.write_text(json.dumps(config))
    (tmp_path / "log").mkdir()
    stdio = demo_stdio(cwd=tmp_path, stderr=tmp_path / "log" / "x")
    config["mcpServers"]["demo"]["envFile"] = str(tmp_path / ".env")
    source: Any = {"dict": config, "path": path, "stdio": stdio, "http": demo_http}[kind]
    with blockbuster_ctx():
        async with framework.graft(source) as tools:
            assert tools
            result = await tools.toolbox.call("greet", {"name": "Ada"})
    assert "Ada" in str(result)


async def test_a_framework_s_own_turn_does_not_block(demo_http: Http) -> None:
    with blockbuster_ctx():
        async with toolgraft_langchain.graft(demo_http) as tools:
            tool = next(each for each in tools if each.name == "greet")
            assert "Ada" in str(await tool.ainvoke({"name": "Ada"}))


async def test_in_a_loop_a_wrong_file_is_told_on_entering_and_a_wrong_source_at_once(guard: None) -> None:
    with pytest.raises(ConfigError, match="wanted a server"):
        connect(3)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    toolbox = connect("no-such-file.json")
    with pytest.raises(ConfigError, match="there is no file"):
        await toolbox.__aenter__()


FRESH = """
import asyncio, sys
from blockbuster import blockbuster_ctx
from toolgraft import Http, connect
from toolgraft.testing import demo_stdio

async def main():
    with blockbuster_ctx():
        async with connect(Http(sys.argv[1], name="far"), demo_stdio(name="near")) as toolbox:
            assert not toolbox.failures, toolbox.failures
            for server in ("far", "near"):
                print(await toolbox.call(f"{server}.greet", {"name": "Ada"}))

asyncio.run(main())
"""


def test_what_is_loaded_late_is_not_loaded_in_the_loop(demo_http: Http) -> None:
    command = [sys.executable, "-c", FRESH, demo_http.url]
    done = subprocess.run(command, capture_output=True, text=True, timeout=50)
    assert done.stdout.count("Ada") == 2, done.stderr


def test_without_an_asyncio_loop_the_error_says_what_to_write() -> None:
    entering = connect(demo_stdio()).__aenter__()  # as trio drives it
    with pytest.raises(ClosedError, match=r"runs on asyncio.*asyncio\.run.*trio\.to_thread"):
        entering.send(None)


async def test_under_gevent_a_plain_with_says_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkey: Any = SimpleNamespace(is_module_patched={"threading"}.__contains__)
    monkeypatch.setitem(sys.modules, "gevent.monkey", monkey)
    with pytest.raises(ClosedError, match=r"gevent has patched threads.*async with"):
        toolgraft_langchain.graft(demo_stdio()).__enter__()
    async with connect(demo_stdio()) as toolbox:
        assert toolbox.tools
