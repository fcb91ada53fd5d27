"""What every adapter is measured with: itself, a way to the demo server, one scripted turn."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any, TypeAlias

import pytest
from toolgraft import AnyServer, Http, Options, Stdio
from toolgraft.adapter import Adapter, Step
from toolgraft.discovery import adapter_names, load_adapter
from toolgraft.graft import Graft

Calls: TypeAlias = Sequence[tuple[str, Mapping[str, Any]]]
Turn: TypeAlias = Callable[..., Awaitable[Sequence[Step]]]


@pytest.fixture(params=adapter_names())
def adapter(request: pytest.FixtureRequest) -> Adapter[Any]:
    return load_adapter(request.param)


@pytest.fixture(params=["http", "stdio"])
def demo(request: pytest.FixtureRequest, demo_http: Http, demo_stdio: Stdio) -> AnyServer:
    """The demo server, by either way."""
    return demo_http if request.param == "http" else demo_stdio


@pytest.fixture
def turn(adapter: Adapter[Any], demo_http: Http) -> Turn:
    """One turn of the framework, in which its scripted model calls tools of the demo server (by HTTP, for speed)."""

    async def turn(*calls: tuple[str, Mapping[str, Any]], server: AnyServer = demo_http) -> Sequence[Step]:
        async with Graft(adapter, [server], Options(discover_plugins=False)) as tools:
            return await adapter.rehearse(tools, calls)

    return turn
