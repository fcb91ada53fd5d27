"""Tokens in a Postgres database, which many machines share; and what becomes of a call when it fails."""

from __future__ import annotations

import asyncio
import logging
import pickle
import socket
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from toolgraft.config.oauth import OAuth
from toolgraft.config.token_store import MemoryStore, TokenKey
from toolgraft.errors import ConfigError, OAuthError, StoreError
from toolgraft.oauth.store.opened import opened
from toolgraft.oauth.store.postgres import PostgresStore
from toolgraft.postgres import Postgres, Session

from tests.oauth.conftest import aged, change_grant, signing_in, using, whoami
from tests.servers.oauth import World
from tests.servers.postgres import RunningPostgres, running_postgres

pytestmark = pytest.mark.anyio

KEY = TokenKey("tokens", "https://h/mcp", "https://as", "ann")

RACER = """
import asyncio, sys
from toolgraft.config.token_store import TokenKey
from toolgraft.oauth.store.postgres import PostgresStore

async def main(url, me):
    store = PostgresStore(url)
    print("ready", flush=True)
    sys.stdin.readline()
    for number in range(40):
        if await store.swap(TokenKey("tokens", f"https://h/{number}"), None, me):
            print(number, flush=True)

asyncio.run(main(*sys.argv[1:]))
"""


@pytest.mark.faults("O3")
async def test_of_machines_that_race_for_an_entry_in_a_database_without_a_table_one_wins_each(
    database: RunningPostgres,
) -> None:
    url, pipe = database.empty(), asyncio.subprocess.PIPE
    racers = [
        await asyncio.create_subprocess_exec(sys.executable, "-c", RACER, url, me, stdin=pipe, stdout=pipe)
        for me in "abcd"
    ]
    for racer in racers:
        assert racer.stdout is not None
        assert await racer.stdout.readline() == b"ready\n"
    outcomes = await asyncio.gather(*(racer.communicate(b"\n") for racer in racers))
    won = Counter(line for out, _ in outcomes for line in out.split())
    assert set(won.values()) == {1}
    assert len(won) == 40


async def test_any_key_and_any_value_come_back_as_they_were(database: RunningPostgres) -> None:
    store = PostgresStore(database.empty())
    keys = [
        TokenKey("tokens", "https://h/" + "x" * 9000, "https://as", "ann"),
        TokenKey("tokens", "https://h", "https://as", "a\0n\ud800n"),
        TokenKey("client", "https://h", "https://as", "Zoë 🐟"),
    ]
    value = "x" * 200_000 + "🐟"
    for key in keys:
        assert await store.swap(key, None, value)
        kept = await store.read(key)
        assert kept is not None
        assert kept.value == value
    assert sorted(await store.keys()) == sorted(keys)
    assert list(await store.keys(identity="a\0n\ud800n")) == [keys[1]]


async def test_a_store_serves_many_tasks_and_loops_and_pickles_by_its_url(database: RunningPostgres) -> None:
    store = PostgresStore(database.empty())
    won = await asyncio.gather(*(store.swap(KEY, None, str(number)) for number in range(50)))
    assert won.count(True) == 1

    def elsewhere(there: PostgresStore) -> str:
        kept = asyncio.run(there.read(KEY))
        return kept.value if kept else ""

    found = await asyncio.gather(
        *(asyncio.to_thread(elsewhere, each) for each in (store, pickle.loads(pickle.dumps(store))))
    )
    assert found == [str(won.index(True))] * 2


@pytest.mark.faults("O3")
async def test_a_restart_of_the_database_costs_nothing_that_was_kept(tmp_path: Path) -> None:
    (tmp_path / "it").mkdir()
    with running_postgres(tmp_path / "it") as running:
        store = PostgresStore(running.url)
        assert await store.swap(KEY, None, "x")
        running.stop()
        with pytest.raises(StoreError, match="the database"):
            await store.read(KEY)
        running.start()
        kept = await store.read(KEY)
        assert kept is not None
        assert kept.value == "x"


async def test_a_database_that_does_not_answer_is_waited_for_no_longer_than_said(
    database: RunningPostgres, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("toolgraft.postgres._PATIENCE", 0.5)
    slow = Postgres(database.url, "pg_class", "")

    def sleep(session: Session) -> object:
        return session.execute("select pg_sleep(300)").fetchone()

    with pytest.raises(StoreError, match="does not answer within"):
        await slow.run(sleep)
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        silent.listen()
        store = PostgresStore(f"postgresql://u:s3cret@127.0.0.1:{silent.getsockname()[1]}/d?connect_timeout=2")
        with pytest.raises(StoreError, match="does not answer within") as caught:
            await store.read(KEY)
    assert "s3cret" not in str(caught.value)


@pytest.mark.faults("O10")
async def test_no_password_of_a_database_is_shown(database: RunningPostgres) -> None:
    url = database.url.replace(database.password, "s3cret")
    for store in (PostgresStore(url), opened(url)):
        with pytest.raises(StoreError, match="password authentication failed") as caught:
            await store.read(KEY)
        assert "s3cret" not in repr((caught.value, caught.value.__cause__, caught.value.__context__))
    assert "s3cret" not in repr((OAuth(store=url), PostgresStore(url)))
    with pytest.raises(ConfigError, match="postgresql://USER@HOST") as refused:
        OAuth(store="postgresql://u:s3cret@h/d?not_an_option=1")
    assert "s3cret" not in str(refused.value)


@pytest.mark.faults("O1", "O2")
async def test_a_sign_in_lasts_over_restarts_in_a_database(world: World, database: RunningPostgres) -> None:
    url = database.empty()
    async with using(world, signing_in(world, url)) as toolbox:
        assert await whoami(toolbox) == "alice"
    await change_grant(PostgresStore(url), aged)
    world.expire()
    async with using(world, OAuth(ask="never", store=url)) as toolbox:
        assert await whoami(toolbox) == "alice"
    assert len(world.asked("authorize")) == 1
    assert len(world.asked("refresh_token")) == 1


class Failing(MemoryStore):
    """A store that fails where it is told to."""

    def __init__(self) -> None:
        super().__init__()
        self.fails: tuple[str, ...] = ()

    async def read(self, key: TokenKey) -> Any:
        if "read" in self.fails:
            raise RuntimeError("s3cret words of its own")
        return await super().read(key)

    async def swap(self, key: TokenKey, version: str | None, value: str | None) -> bool:
        if key.kind in self.fails:
            raise OSError(28, "No space left on device")
        return await super().swap(key, version, value)


@pytest.mark.faults("O2")
async def test_tokens_that_cannot_be_kept_are_used_all_the_same_and_renewed(
    world: World, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("toolgraft.oauth.renewal._PAUSES", (0.0, 0.0))
    store = Failing()
    async with using(world, signing_in(world, store)) as toolbox:
        store.fails = ("tokens",)
        for _ in range(3):
            world.expire()
            assert await whoami(toolbox) == "alice"
        store.fails = ()
        world.expire()
        assert await whoami(toolbox) == "alice"
    said = [each.getMessage() for each in caplog.records if each.levelno == logging.WARNING]
    assert sum("No space left on device" in each and "for this process only" in each for each in said) == 3, said
    async with using(world, OAuth(ask="never", store=store)) as toolbox:
        assert await whoami(toolbox) == "alice"
    assert len(world.asked("authorize")) == 1


async def test_a_store_that_cannot_be_read_is_an_error_with_its_name_and_without_its_words(world: World) -> None:
    store = Failing()
    async with using(world, signing_in(world, store)):
        pass
    store.fails = ("read",)
    async with using(world, signing_in(world, store), required=False) as toolbox:
        failure = toolbox.failures["it"].__cause__
    assert isinstance(failure, OAuthError)
    assert failure.problem == "store_failed"
    assert "RuntimeError" in str(failure)
    assert "s3cret" not in str(failure)
