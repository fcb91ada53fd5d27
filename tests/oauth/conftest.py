"""A server that wants tokens, and ways to call it."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable, Generator
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any

import pytest
from toolgraft import Http, Text, Toolbox, connect
from toolgraft.config.oauth import OAuth
from toolgraft.config.token_store import MemoryStore, TokenStore
from toolgraft.oauth.values import SignedIn, read, written

from tests.servers.oauth import World, serving
from tests.servers.postgres import RunningPostgres, running_postgres


@pytest.fixture
def world() -> Generator[World]:
    with serving(World()) as served:
        yield served


@pytest.fixture(scope="session")
def database(tmp_path_factory: pytest.TempPathFactory) -> Generator[RunningPostgres]:
    with running_postgres(tmp_path_factory.mktemp("postgres")) as running:
        yield running


@pytest.fixture
def store() -> MemoryStore:
    return MemoryStore()


def signing_in(world: World, store: Any = "memory", **options: Any) -> OAuth:
    """A declaration whose person signs in at once."""
    given: dict[str, Any] = {"redirect": world.visit, "store": store, **options}
    return OAuth(**given)


@asynccontextmanager
async def using(world: World, auth: Any, **options: Any) -> AsyncGenerator[Toolbox]:
    """The tools of the server, one process's life long."""
    given: dict[str, Any] = {"name": "it", "required": True, "errors": "raise", **options}
    server = Http(world.url, auth=auth, **given)
    async with connect(server) as toolbox:
        yield toolbox


async def whoami(toolbox: Toolbox, name: str = "whoami") -> str:
    """Whose token the server was shown."""
    (part,) = (await toolbox.call(name, {})).parts
    assert isinstance(part, Text)
    return part.text


async def grant_of(store: TokenStore) -> SignedIn:
    """What is kept of the only sign-in."""
    (key,) = [key for key in await store.keys() if key.kind == "tokens"]
    kept = await store.read(key)
    assert kept is not None
    signed_in = read(kept.value)
    assert signed_in is not None
    return signed_in


async def change_grant(store: TokenStore, change: Callable[[SignedIn], SignedIn]) -> None:
    """Keep something else of it."""
    (key,) = [key for key in await store.keys() if key.kind == "tokens"]
    kept = await store.read(key)
    assert kept is not None
    assert await store.swap(key, kept.version, written(change(await grant_of(store))))


def aged(signed_in: SignedIn) -> SignedIn:
    """The same, once its access token has expired."""
    return replace(signed_in, tokens=replace(signed_in.tokens, expires_at=1.0))
