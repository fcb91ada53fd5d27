"""Tokens outlive the process, and are renewed without asking anybody."""

from __future__ import annotations

import asyncio
import threading
import time
from pathlib import Path

import httpx2
import pytest
from starlette.responses import JSONResponse, Response
from toolgraft.config.token_store import MemoryStore
from toolgraft.errors import CallError, OAuthError, TransportError
from toolgraft.oauth.store.sqlite import SqliteStore

from tests.oauth.conftest import aged, change_grant, grant_of, signing_in, using, whoami
from tests.servers.oauth import World, answering

pytestmark = pytest.mark.anyio


@pytest.mark.faults("O1", "O7")
async def test_an_expired_token_is_renewed_after_a_restart_without_asking(world: World, tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "tokens.db")
    async with using(world, signing_in(world, store)):
        pass
    await change_grant(store, aged)
    async with using(world, signing_in(world, store, ask="never", redirect=None)) as toolbox:
        assert await whoami(toolbox) == "alice"
    (asked,) = world.asked("refresh_token")
    assert asked["scope"] == "tools"
    assert asked["resource"] == world.url
    assert len(world.asked("authorize")) == 1


@pytest.mark.faults("O1", "O6")
async def test_a_token_that_is_refused_is_renewed_before_anybody_is_asked(world: World, store: MemoryStore) -> None:
    async with using(world, signing_in(world, store)) as toolbox:
        world.expire()
        assert await whoami(toolbox) == "alice"
    assert len(world.asked("refresh_token")) == len(world.asked("authorize")) == 1


@pytest.mark.faults("O3", "O4")
async def test_calls_at_the_same_time_share_one_renewal(world: World, store: MemoryStore) -> None:
    async with using(world, signing_in(world, store)) as toolbox:
        world.expire()
        assert await asyncio.gather(*(whoami(toolbox) for _ in range(20))) == ["alice"] * 20
    assert len(world.asked("refresh_token")) == 1


@pytest.mark.faults("O4")
async def test_a_call_with_a_good_token_does_not_wait_for_the_network_of_another(world: World) -> None:
    async with using(world, signing_in(world)) as toolbox:
        slow = asyncio.create_task(whoami(toolbox, "slow"))
        for _ in range(5):
            assert await whoami(toolbox) == "alice"
        assert not slow.done()
        assert await slow == "alice"


async def test_a_token_endpoint_that_is_down_costs_no_sign_in(world: World, store: MemoryStore) -> None:
    async with using(world, signing_in(world, store)) as toolbox:
        world.expire()
        world.instead["token"] = answering(lambda: Response("down", 503))
        with pytest.raises(TransportError, match="HTTP 503; what is signed in is kept") as failed:
            await whoami(toolbox)
        assert not failed.value.sent
        del world.instead["token"]
        assert await whoami(toolbox) == "alice"
    assert len(world.asked("authorize")) == 1


async def test_a_refused_refresh_asks_once(world: World, store: MemoryStore) -> None:
    async with using(world, signing_in(world, store)) as toolbox:
        world.expire()
        world.refresh.clear()
        assert await asyncio.gather(*(whoami(toolbox) for _ in range(5))) == ["alice"] * 5
    assert len(world.asked("refresh_token")) == 1
    assert len(world.asked("authorize")) == 2


@pytest.mark.faults("O2")
async def test_a_client_whose_secret_has_expired_is_registered_anew(world: World, store: MemoryStore) -> None:
    world.metadata["token_endpoint_auth_methods_supported"] = ["client_secret_basic"]
    async with using(world, signing_in(world, store)):
        pass
    for key in await store.keys():
        kept = await store.read(key)
        assert kept is not None
        value = kept.value.replace('"secret_expires_at":null', f'"secret_expires_at":{time.time() - 1}')
        await store.swap(key, kept.version, value)
    world.expire()
    world.refresh.clear()
    world.clients.clear()
    async with using(world, signing_in(world, store)) as toolbox:
        assert await whoami(toolbox) == "alice"
    assert len(world.asked("register")) == 2


async def test_a_client_that_is_not_known_any_more_is_registered_anew(world: World, store: MemoryStore) -> None:
    async with using(world, signing_in(world, store)):
        pass
    world.clients.clear()
    world.expire()
    async with using(world, signing_in(world, store)) as toolbox:
        assert await whoami(toolbox) == "alice"
    assert len(world.asked("register")) == len(world.asked("authorize")) == 2


@pytest.mark.faults("O6")
async def test_a_scope_that_is_missing_is_asked_for_beside_the_others(world: World, store: MemoryStore) -> None:
    world.wanted["delete"] = "tools:delete"
    async with using(world, signing_in(world, store)) as toolbox:
        assert await whoami(toolbox) == "alice"
        assert await whoami(toolbox, "delete") == "alice"
        assert await whoami(toolbox, "delete") == "alice"
    assert [asked["scope"] for asked in world.asked("authorize")] == ["tools", "tools tools:delete"]
    assert (await grant_of(store)).tokens.scope == "tools tools:delete"


@pytest.mark.faults("O6")
async def test_a_scope_that_is_not_granted_is_named_and_asked_for_once(world: World) -> None:
    world.wanted["delete"] = "tools:delete"
    world.granted = "tools"
    async with using(world, signing_in(world)) as toolbox:
        for _ in range(3):
            with pytest.raises(CallError, match="'tools:delete' for this: was asked for and is not granted"):
                await whoami(toolbox, "delete")
        assert await whoami(toolbox) == "alice"
    assert len(world.asked("authorize")) == 2


@pytest.mark.faults("O6")
async def test_another_403_is_an_error_and_no_second_request(world: World) -> None:
    async with using(world, signing_in(world)) as toolbox:
        world.log.clear()
        world.instead["mcp"] = answering(lambda: JSONResponse({"detail": "not for you"}, 403))
        with pytest.raises(CallError, match="HTTP 403"):
            await whoami(toolbox)
    assert not world.asked("refresh_token")
    assert not world.asked("authorize")


async def test_a_person_who_says_no_is_not_asked_again_at_once(world: World, store: MemoryStore) -> None:
    shown: list[str] = []

    async def no(url: str) -> None:
        shown.append(url)

    async def came_back() -> str:
        state = httpx2.URL(shown[-1]).params["state"]
        return f"http://127.0.0.1/callback?error=access_denied&state={state}&iss={world.issuer}"

    async with using(world, signing_in(world, store)):
        pass
    world.expire()
    world.refresh.clear()
    auth = signing_in(world, store, redirect=no, callback=came_back)
    async with using(world, auth, required=False) as toolbox:
        assert "the sign-in was refused: access_denied" in str(toolbox.failures["it"])
    assert len(shown) == 1


async def test_who_signs_out_meanwhile_stays_signed_out(world: World, store: MemoryStore) -> None:
    async with using(world, signing_in(world, store)) as toolbox:
        world.expire()

        async def signed_out(request: object) -> None:
            for key in await store.keys():
                kept = await store.read(key)
                if kept is not None and key.kind == "tokens":
                    await store.swap(key, kept.version, None)

        world.instead["token"] = signed_out  # type: ignore[assignment]
        with pytest.raises(TransportError, match="signed out while it was renewed") as failed:
            await whoami(toolbox)
        assert isinstance(failed.value.__cause__, OAuthError)
        assert not [key for key in await store.keys() if key.kind == "tokens"]


@pytest.mark.faults("O3")
async def test_of_two_who_hold_one_refresh_token_it_is_spent_by_one(world: World, store: MemoryStore) -> None:
    async with using(world, signing_in(world, store)) as one, using(world, signing_in(world, store)) as other:
        world.expire()
        assert await asyncio.gather(whoami(one), whoami(other)) == ["alice", "alice"]
    assert len(world.asked("refresh_token")) == 1


async def test_what_another_version_wrote_is_as_good_as_nothing(world: World, store: MemoryStore) -> None:
    async with using(world, signing_in(world, store)):
        pass
    for key in await store.keys():
        kept = await store.read(key)
        assert kept is not None
        await store.swap(key, kept.version, '{"of": "another"}')
    async with using(world, signing_in(world, store)) as toolbox:
        assert await whoami(toolbox) == "alice"


@pytest.mark.faults("O3")
async def test_a_call_that_is_cancelled_loses_no_token_that_is_on_its_way(world: World, store: MemoryStore) -> None:
    asked, go_on = threading.Event(), threading.Event()

    async def slowly(request: object) -> None:
        asked.set()
        await asyncio.to_thread(go_on.wait, 20)

    async with using(world, signing_in(world, store)) as toolbox:
        world.expire()
        world.instead["token"] = slowly  # type: ignore[assignment]
        calling = asyncio.create_task(whoami(toolbox))
        assert await asyncio.to_thread(asked.wait, 20)
        calling.cancel()
        await asyncio.wait([calling])
        assert calling.cancelled()
        go_on.set()
        del world.instead["token"]
        assert await whoami(toolbox) == "alice"
    assert len(world.asked("refresh_token")) == len(world.asked("authorize")) == 1


async def test_who_waits_while_another_is_told_no_is_not_asked_too(world: World, store: MemoryStore) -> None:
    shown: list[str] = []

    async def no(url: str) -> None:
        shown.append(url)
        await asyncio.sleep(1)

    async def came_back() -> str:
        state = httpx2.URL(shown[-1]).params["state"]
        return f"http://127.0.0.1/callback?error=access_denied&state={state}&iss={world.issuer}"

    async def told() -> str:
        auth = signing_in(world, store, redirect=no, callback=came_back)
        async with using(world, auth, required=False) as toolbox:
            return str(toolbox.failures["it"])

    said = await asyncio.gather(*(told() for _ in range(3)))
    assert ["access_denied" in each for each in said] == [True] * 3
    assert len(shown) == 1
