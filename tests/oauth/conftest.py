"""A server that wants tokens, and ways to call it."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Generator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from toolgraft import Http, Toolbox, connect
from toolgraft.config.oauth import OAuth
from toolgraft.config.token_store import MemoryStore

from tests.servers.oauth import World, serving


@pytest.fixture
def world() -> Generator[World]:
    with serving(World()) as served:
        yield served


@pytest.fixture
def store() -> MemoryStore:
    return MemoryStore()


def signing_in(world: World, store: Any = "memory", **options: Any) -> OAuth:
    """A declaration whose person signs in at once."""
    return OAuth(**{"redirect": world.visit, "store": store, **options})


@asynccontextmanager
async def using(world: World, auth: Any, **options: Any) -> AsyncGenerator[Toolbox]:
    """The tools of the server, one process's life long."""
    server = Http(world.url, auth=auth, **{"name": "it", "required": True, "errors": "raise", **options})
    async with connect(server) as toolbox:
        yield toolbox


async def whoami(toolbox: Toolbox, name: str = "whoami") -> str:
    """Whose token the server was shown."""
    return (await toolbox.call(name, {})).text
