"""Tokens that are bound to a key: proofs with each request, nonces of both servers, no way back to bearer tokens."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Generator
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx2
import pytest
from starlette.requests import Request
from starlette.responses import Response
from toolgraft import CallContext, ClientCredentials, Text, Toolbox
from toolgraft.config.token_store import MemoryStore
from toolgraft.errors import OAuthError, TransportError
from toolgraft.oauth.store.sqlite import SqliteStore
from toolgraft.oauth.values import Tokens
from toolgraft.oauth.wire.dpop import DPoP

from tests.oauth.conftest import aged, change_grant, grant_of, signing_in, using, whoami
from tests.servers.oauth import serving
from tests.servers.oauth_services import ServiceWorld

pytestmark = pytest.mark.anyio


@pytest.fixture
def world() -> Generator[ServiceWorld]:
    with serving(ServiceWorld(dpop=True, metadata={"dpop_signing_alg_values_supported": ["ES256"]})) as served:
        assert isinstance(served, ServiceWorld)
        yield served


def user_of(context: CallContext) -> str:
    return str(context.user or "nobody")


def bound(world: ServiceWorld, store: Any = "memory", **options: Any) -> Any:
    return signing_in(world, store, dpop=True, **options)


async def failure(world: ServiceWorld, auth: Any) -> BaseException:
    async with using(world, auth, required=False) as toolbox:
        return toolbox.failures["it"]


async def test_each_request_has_a_proof_of_its_own(world: ServiceWorld) -> None:
    async with using(world, bound(world)) as toolbox:
        assert await asyncio.gather(*(whoami(toolbox) for _ in range(10))) == ["alice"] * 10
    assert not world.unfit
    assert len({proof["jti"] for proof in world.proofs}) == len(world.proofs) > 10
    assert len(set(world.keys)) == 1
    assert sum("ath" not in proof for proof in world.proofs) == 1


async def test_a_service_has_its_tokens_bound_too(world: ServiceWorld) -> None:
    world.clients["me"] = {"client_secret": "hush"}
    async with using(world, ClientCredentials("me", "hush", dpop=True)) as toolbox:
        assert await whoami(toolbox) == "me"
        world.expire()
        assert await whoami(toolbox) == "me"
    assert len(set(world.keys)) == 2
    assert not world.unfit


@pytest.mark.faults("O1")
async def test_the_key_is_kept_with_its_tokens_over_a_restart(world: ServiceWorld, tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "tokens.db")
    async with using(world, bound(world, store)):
        pass
    async with using(world, bound(world, store, ask="never", redirect=None)) as toolbox:
        assert await whoami(toolbox) == "alice"
    await change_grant(store, aged)
    async with using(world, bound(world, store, ask="never", redirect=None)) as toolbox:
        assert await whoami(toolbox) == "alice"
    assert len(world.asked("refresh_token")) == len(world.asked("authorize")) == 1
    assert len(set(world.keys)) == 1


async def test_nonces_of_both_servers_are_learnt_and_kept(world: ServiceWorld) -> None:
    world.as_nonces, world.rs_nonces = ["as-1"], ["rs-1"]
    async with using(world, bound(world)) as toolbox:
        assert await whoami(toolbox) == "alice"
        world.rs_nonces.append("rs-2")
        world.as_nonces.append("as-2")
        world.expire()
        assert await whoami(toolbox) == "alice"
    nonces = [proof.get("nonce") for proof in world.proofs]
    assert nonces.count(None) == 2  # before anything was learnt of either
    assert nonces.count("as-1") == 2
    assert nonces.count("as-2") == 1
    assert len(world.asked("authorize")) == 1
    assert not world.unfit


async def test_a_nonce_that_comes_with_an_answer_is_used_for_the_next_request(world: ServiceWorld) -> None:
    world.rs_nonces, world.rotating = ["rs-1"], True
    async with using(world, bound(world)) as toolbox:
        assert await whoami(toolbox) == "alice"
        world.proofs.clear()
        last = len(world.rs_nonces)
        assert await whoami(toolbox) == "alice"
        assert await whoami(toolbox) == "alice"
    assert [proof.get("nonce") for proof in world.proofs[:2]] == [f"rs-{last}", f"rs-{last + 1}"]


async def test_a_server_that_always_wants_another_nonce_is_told_so_and_nobody_signs_in_again(
    world: ServiceWorld,
) -> None:
    async with using(world, bound(world)) as toolbox:
        sent: list[str] = []

        async def never(request: Request) -> Response:
            sent.append(request.headers["dpop"])
            return world.challenge("use_dpop_nonce", {"dpop-nonce": f"n-{len(sent)}"})

        world.instead["mcp"] = never
        with pytest.raises(TransportError, match="does not take the proof that goes with the token"):
            await whoami(toolbox)
        assert 2 <= len(sent) <= 5
        sent.clear()

        async def same(request: Request) -> Response:
            sent.append(request.headers["dpop"])
            return world.challenge("use_dpop_nonce", {"dpop-nonce": "same"})

        world.instead["mcp"] = same
        with pytest.raises(TransportError):
            await whoami(toolbox)
        assert len(sent) <= 2
        del world.instead["mcp"]
        assert await whoami(toolbox) == "alice"
    assert len(world.asked("authorize")) == 1
    assert not world.asked("refresh_token")


@pytest.mark.parametrize("code", ["use_dpop_nonce", "invalid_dpop_proof"])
async def test_a_token_endpoint_that_takes_no_proof_costs_no_sign_in(world: ServiceWorld, code: str) -> None:
    store = MemoryStore()
    async with using(world, bound(world, store)) as toolbox:
        world.expire()
        sent: list[str] = []

        async def never(request: Request) -> Response:
            sent.append(request.headers["dpop"])
            body = json.dumps({"error": code})
            return Response(body, 400, {"dpop-nonce": f"n-{len(sent)}"}, "application/json")

        world.instead["token"] = never
        with pytest.raises(TransportError, match=f"{code}; what is signed in is kept"):
            await whoami(toolbox)
        assert len(sent) <= 2
        assert (await grant_of(store)).tokens.refresh
        del world.instead["token"]
        assert await whoami(toolbox) == "alice"
    assert len(world.asked("authorize")) == 1


@pytest.mark.parametrize("nonce", ["", 'a"b', "a\\b", "x" * 5000, "a b", "\x7f"], ids=lambda each: repr(each)[:8])
def test_a_nonce_that_is_none_is_not_taken(nonce: str) -> None:
    presentation = DPoP()
    request = httpx2.Request("POST", "https://h/mcp?q=1")
    headers = {"www-authenticate": 'DPoP error="use_dpop_nonce"', "dpop-nonce": nonce}
    assert not presentation.learns(httpx2.Response(401, headers=headers, request=request))


def test_a_nonce_of_one_origin_is_not_told_to_another() -> None:
    presentation = DPoP()
    wanted = {"www-authenticate": 'DPoP error="use_dpop_nonce"', "dpop-nonce": "mine"}
    answer = httpx2.Response(401, headers=wanted, request=httpx2.Request("POST", "https://h/mcp"))
    assert presentation.learns(answer)
    assert not presentation.learns(answer)
    tokens = Tokens("t", kind="DPoP", key=presentation.new_key([]))
    for url, told in (("https://h/other", True), ("https://h:8443/mcp", False), ("http://h/mcp", False)):
        request = httpx2.Request("POST", url)
        presentation.show(request, tokens)
        assert ("bWluZ" in request.headers["dpop"] or '"nonce"' in _claims(request)) == told


def _claims(request: httpx2.Request) -> str:
    import base64

    return base64.urlsafe_b64decode(request.headers["dpop"].split(".")[1] + "==").decode()


def test_a_proof_is_for_a_url_without_query_and_says_nothing_of_the_private_key() -> None:
    presentation = DPoP()
    key = presentation.new_key(["PS256", "EdDSA"])
    assert json.loads(key)["alg"] == "EdDSA"
    request = httpx2.Request("DELETE", "https://h/mcp?secret=1#there")
    presentation.show(request, Tokens("t", kind="DPoP", key=key))
    claims = json.loads(_claims(request))
    assert (claims["htm"], claims["htu"]) == ("DELETE", "https://h/mcp")
    assert json.loads(key)["d"] not in request.headers["dpop"]


@pytest.mark.parametrize("ours", [True, False])
async def test_a_token_of_another_kind_than_was_asked_for_is_refused(world: ServiceWorld, ours: bool) -> None:
    world.dpop, world.token_type = ours, "Bearer" if ours else "DPoP"
    error = (await failure(world, signing_in(world, dpop=ours))).__cause__
    assert isinstance(error, OAuthError)
    assert error.problem == "token_invalid"
    assert ("gives a Bearer token" if ours else "dpop=True") in str(error)
    assert not any(token in str(error) for token in world.access)
    assert {form["bearer"] for form in world.asked("mcp")} == {""}


async def test_a_server_that_wants_bound_tokens_says_so(world: ServiceWorld) -> None:
    world.dpop = False

    async def only_bound(request: Request) -> Response:
        return world.challenge("invalid_token")

    world.instead["mcp"] = only_bound
    assert "it wants tokens that are bound to a key (DPoP): dpop=True binds them" in str(
        await failure(world, signing_in(world))
    )
    assert len(world.asked("authorize")) == 1


async def test_a_bearer_token_of_before_is_not_used_in_place_of_a_bound_one(world: ServiceWorld) -> None:
    store = MemoryStore()
    async with using(world, bound(world, store)):
        pass
    await change_grant(store, lambda kept: replace(kept, tokens=replace(kept.tokens, kind="Bearer", key=None)))
    async with using(world, bound(world, store)) as toolbox:
        assert await whoami(toolbox) == "alice"
    assert (await grant_of(store)).tokens.kind == "DPoP"
    assert len(world.asked("authorize")) == 2
    await change_grant(store, lambda kept: replace(kept, tokens=replace(kept.tokens, key='{"alg": "none"}')))
    async with using(world, bound(world, store)) as toolbox:
        assert await whoami(toolbox) == "alice"
    assert len(world.asked("authorize")) == 3


async def test_an_authorization_server_whose_signatures_are_not_ours_is_told(world: ServiceWorld) -> None:
    world.metadata["dpop_signing_alg_values_supported"] = ["ML-DSA-44"]
    error = (await failure(world, bound(world))).__cause__
    assert isinstance(error, OAuthError)
    assert "ML-DSA-44" in str(error)
    assert not world.asked("authorization_code")


@pytest.mark.faults("O10")
async def test_each_user_has_a_key_of_their_own(world: ServiceWorld) -> None:
    async def as_user(toolbox: Toolbox, user: str) -> str:
        (part,) = (await toolbox.find("whoami").call({}, user=user)).parts
        assert isinstance(part, Text)
        return part.text

    async with using(world, bound(world), identity=user_of) as toolbox:
        await asyncio.gather(*(as_user(toolbox, user) for user in ("ann", "bob") * 5))
    assert len(set(world.keys)) == 3
    assert not world.unfit


async def test_neither_key_nor_proof_nor_token_is_shown(world: ServiceWorld, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    store = MemoryStore()
    async with using(world, bound(world, store)) as toolbox:
        assert await whoami(toolbox) == "alice"
    kept = await grant_of(store)
    assert kept.tokens.key is not None
    said = " ".join(record.getMessage() for record in caplog.records)
    for secret in (kept.tokens.access, json.loads(kept.tokens.key)["d"], "eyJ"):
        assert secret not in said + repr(kept) + repr(kept.tokens)
