"""What keeps tokens: one winner a change, nobody else's eyes, and whose turn it is."""

from __future__ import annotations

import asyncio
import os
import stat
import subprocess
import sys
import time
from collections import Counter
from contextlib import AbstractContextManager, nullcontext
from dataclasses import asdict
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as some
from pydantic import TypeAdapter
from toolgraft.config.token_store import MemoryStore, TokenKey, TokenStore
from toolgraft.oauth.store import turn as turns
from toolgraft.oauth.store.opened import opened, usual_file
from toolgraft.oauth.store.postgres import PostgresStore
from toolgraft.oauth.store.sealed import SealedStore
from toolgraft.oauth.store.sqlite import SqliteStore
from toolgraft.oauth.store.turn import Turn, turn
from toolgraft.oauth.values import AuthorizationServer, Client, SignedIn, Tokens, read, written

from tests.servers.postgres import RunningPostgres

pytestmark = pytest.mark.anyio

KEY = TokenKey("tokens", "https://h/mcp", "https://as", "ann")

RACER = """
import asyncio, sys
from pathlib import Path
from toolgraft.config.token_store import TokenKey
from toolgraft.oauth.store.sqlite import SqliteStore

async def main(path, me):
    store = SqliteStore(Path(path))
    print("ready", flush=True)
    sys.stdin.readline()
    for number in range(40):
        key = TokenKey("tokens", f"https://h/{number}")
        if await store.swap(key, None, me):
            print(number, flush=True)

asyncio.run(main(*sys.argv[1:]))
"""


@pytest.fixture(params=["memory", "file", "sealed", "postgres"])
def kept_in(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> TokenStore:
    if request.param == "memory":
        return MemoryStore()
    if request.param == "postgres":
        database: RunningPostgres = request.getfixturevalue("database")
        return PostgresStore(database.empty())
    inner = SqliteStore(tmp_path / "tokens.db")
    if request.param == "file":
        return inner
    use_keyring_of(tmp_path, monkeypatch)
    return SealedStore(inner)


def use_keyring_of(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Have a keyring in a file: a real one that needs no desktop."""
    ring: Any = import_module("keyrings.alt.file").PlaintextKeyring()
    ring.file_path = str(folder / "keyring.cfg")
    monkeypatch.setattr("keyring.core._keyring_backend", ring)


async def test_an_entry_is_replaced_only_as_it_was_read(kept_in: TokenStore) -> None:
    assert await kept_in.read(KEY) is None
    assert await kept_in.swap(KEY, None, "one")
    assert not await kept_in.swap(KEY, None, "again")
    one = await kept_in.read(KEY)
    assert one is not None
    assert one.value == "one"
    assert await kept_in.swap(KEY, one.version, "two")
    assert not await kept_in.swap(KEY, one.version, "three")
    two = await kept_in.read(KEY)
    assert two is not None
    assert two.value == "two"
    assert not await kept_in.swap(KEY, one.version, None)
    assert await kept_in.swap(KEY, two.version, None)
    assert await kept_in.swap(KEY, None, "two")
    assert not await kept_in.swap(KEY, two.version, "a version comes back")


async def test_keys_are_found_by_server_and_by_identity(kept_in: TokenStore) -> None:
    keys = [TokenKey("tokens", server, "https://as", who) for server in ("a", "b") for who in ("", "ann")]
    for key in keys:
        await kept_in.swap(key, None, "x")
    assert sorted(await kept_in.keys()) == keys
    assert sorted(await kept_in.keys("a")) == keys[:2]
    assert list(await kept_in.keys("b", "ann")) == [keys[3]]
    assert list(await kept_in.keys(identity="")) == [keys[0], keys[2]]


@pytest.mark.faults("O3")
async def test_of_processes_that_race_for_an_entry_one_wins_each(tmp_path: Path) -> None:
    path = tmp_path / "tokens.db"
    pipe = asyncio.subprocess.PIPE
    racers = [
        await asyncio.create_subprocess_exec(sys.executable, "-c", RACER, str(path), me, stdin=pipe, stdout=pipe)
        for me in "abcd"
    ]
    for racer in racers:
        assert racer.stdout is not None
        assert await racer.stdout.readline() == b"ready\n"
    outcomes = await asyncio.gather(*(racer.communicate(b"\n") for racer in racers))
    won = Counter(line for out, _ in outcomes for line in out.split())
    assert set(won.values()) == {1}
    assert len(won) == 40


@pytest.mark.skipif(os.name != "posix", reason="modes are of POSIX")
async def test_the_file_is_for_its_owners_eyes(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        store = SqliteStore(tmp_path / "new" / "tokens.db")
        await store.swap(KEY, None, "x")
    finally:
        os.umask(before)
    assert stat.S_IMODE(store.path.stat().st_mode) == 0o600
    assert stat.S_IMODE(store.path.parent.stat().st_mode) == 0o700
    store.path.chmod(0o644)
    await store.read(KEY)
    assert stat.S_IMODE(store.path.stat().st_mode) == 0o600
    (tmp_path / "link.db").symlink_to(store.path)
    with pytest.raises(OSError, match=r"link\.db"):
        await SqliteStore(tmp_path / "link.db").read(KEY)


async def test_what_is_sealed_is_not_in_the_file_and_only_good_in_its_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    use_keyring_of(tmp_path, monkeypatch)
    inner = SqliteStore(tmp_path / "tokens.db")
    store = SealedStore(inner)
    await store.swap(KEY, None, "s3cret")
    assert b"s3cret" not in inner.path.read_bytes()
    sealed = await inner.read(KEY)
    assert sealed is not None
    other = TokenKey("tokens", "https://h/mcp", "https://as", "bob")
    await inner.swap(other, None, sealed.value)
    moved = await store.read(other)
    assert moved is not None
    assert moved.value == ""
    again = await SealedStore(inner).read(KEY)
    assert again is not None
    assert again.value == "s3cret"


async def test_without_a_keyring_the_file_does_and_that_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    from keyring.backends.fail import Keyring

    monkeypatch.setattr("keyring.core._keyring_backend", Keyring())
    store = SealedStore(SqliteStore(tmp_path / "tokens.db"))
    assert await store.swap(KEY, None, "x")
    kept = await store.read(KEY)
    assert kept is not None
    assert kept.value == "x"
    assert caplog.text.count("no keyring works here") == 1


def test_the_usual_store_is_a_file_in_the_data_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert isinstance(opened("keyring"), SealedStore)
    store = opened("file")
    assert isinstance(store, SqliteStore)
    assert store.path == usual_file()
    assert not store.path.exists()


def nobody_asks() -> AbstractContextManager[None]:
    return nullcontext()


@pytest.mark.faults("O3")
async def test_turns_do_not_overlap(kept_in: TokenStore) -> None:
    inside = most = 0

    async def have_one() -> None:
        nonlocal inside, most
        async with turn(kept_in, KEY, nobody_asks):
            inside += 1
            most = max(most, inside)
            await asyncio.sleep(0)
            inside -= 1

    await asyncio.gather(*(have_one() for _ in range(10)))
    assert most == 1
    assert not await kept_in.keys()


async def test_the_turn_of_one_who_died_is_taken(kept_in: TokenStore) -> None:
    dead = Turn("dead", until=time.time() - 1)
    await kept_in.swap(KEY, None, TypeAdapter(Turn).dump_json(dead).decode())
    async with asyncio.timeout(10), turn(kept_in, KEY, nobody_asks):
        pass


async def test_a_turn_that_takes_long_is_prolonged(monkeypatch: pytest.MonkeyPatch) -> None:
    store = MemoryStore()
    monkeypatch.setattr(turns, "LASTS", 0.4)
    monkeypatch.setattr(turns, "PROLONGED", 0.05)
    async with turn(store, KEY, nobody_asks):
        first = await store.read(KEY)
        await asyncio.sleep(1)
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.2), turn(store, KEY, nobody_asks):
                pytest.fail("it is not over")
        later = await store.read(KEY)
    assert first is not None
    assert later is not None
    assert first.version != later.version


words = some.text(max_size=8)
kinds = some.sampled_from(["Bearer", "DPoP"])
maybe = some.none() | words


@given(
    some.builds(
        SignedIn,
        tokens=some.builds(
            Tokens, access=words, refresh=maybe, scope=maybe, key=maybe, kind=some.sampled_from(["Bearer", "DPoP"])
        ),
        client=some.builds(Client, id=words, secret=maybe, redirect_uri=maybe),
        at=some.builds(
            AuthorizationServer,
            issuer=words,
            token_endpoint=words,
            scopes=some.lists(words, max_size=3).map(tuple),
            client_auth_methods=some.none() | some.lists(words, max_size=2).map(tuple),
        ),
        resource=maybe,
    )
)
def test_what_is_written_is_read_again(signed_in: SignedIn) -> None:
    assert read(written(signed_in)) == signed_in


@given(some.text())
def test_whatever_stands_in_a_store_it_is_read_or_nothing(text: str) -> None:
    assert read(text) is None


def test_nothing_secret_is_in_a_repr() -> None:
    signed_in = SignedIn(Tokens("s3cret", "s3cret"), Client("me", "s3cret"), AuthorizationServer("https://as", "t"))
    shown: list[Any] = [signed_in, signed_in.tokens, signed_in.client]
    assert not [each for each in shown if "s3cret" in repr(each)]
    assert "s3cret" in str(asdict(signed_in))


def test_a_memory_store_pickles_as_an_empty_one() -> None:
    code = "import pickle; from toolgraft import OAuth; pickle.loads(pickle.dumps(OAuth(store='memory')))"
    assert subprocess.run([sys.executable, "-c", code], timeout=60, check=False).returncode == 0
