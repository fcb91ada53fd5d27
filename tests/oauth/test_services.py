"""Services sign in by themselves: client credentials, enterprise-managed authorization, workload identity."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest
from starlette.requests import Request
from starlette.responses import Response
from toolgraft import (
    CallContext,
    ClientCredentials,
    EnterpriseManaged,
    Http,
    PrivateKey,
    Text,
    Toolbox,
    WorkloadIdentity,
)
from toolgraft.config.token_store import MemoryStore
from toolgraft.errors import ConfigError, OAuthError, TransportError
from toolgraft.oauth.grants.service import asked
from toolgraft.oauth.store.sqlite import SqliteStore

from tests.oauth.conftest import grant_of, signing_in, using, whoami
from tests.servers.oauth import answering, serving
from tests.servers.oauth_services import EXCHANGE, ID_JAG, KEYS, ServiceWorld, assertion_of, pem_of

pytestmark = pytest.mark.anyio

SECRET = "hush:+ %"


@pytest.fixture
def world() -> Generator[ServiceWorld]:
    with serving(ServiceWorld()) as served:
        assert isinstance(served, ServiceWorld)
        served.clients["me"] = {"client_secret": SECRET}
        yield served


def by_secret(world: ServiceWorld, **options: Any) -> ClientCredentials:
    return ClientCredentials("me", SECRET, issuer=world.issuer, **options)


def by_enterprise(world: ServiceWorld, id_token: Any, **options: Any) -> EnterpriseManaged:
    given: dict[str, Any] = {"idp_token_endpoint": world.idp_token_endpoint, "idp_client_id": "idp-client", **options}
    return EnterpriseManaged("me", SECRET, id_token=id_token, issuer=world.issuer, **given)


def id_token_of(user: str) -> str:
    return assertion_of(user, "idp-client")


def user_of(context: CallContext) -> str:
    return str(context.user or "nobody")


def _short(value: object) -> str:
    return repr(value)[:9]


async def failing(world: ServiceWorld, auth: Any) -> OAuthError:
    async with using(world, auth, required=False) as toolbox:
        error = toolbox.failures["it"].__cause__
    assert isinstance(error, OAuthError)
    return error


@pytest.mark.faults("O7")
@pytest.mark.parametrize("method", [None, "client_secret_basic", "client_secret_post"])
async def test_a_client_is_granted_tokens_by_its_secret(world: ServiceWorld, method: Any) -> None:
    async with using(world, by_secret(world, client_auth=method)) as toolbox:
        assert await whoami(toolbox) == "me"
        world.expire()
        assert await whoami(toolbox) == "me"
    first, second = world.asked("client_credentials")
    assert first["resource"] == second["resource"] == world.url
    assert first["scope"] == second["scope"] == "tools"
    assert not world.asked("authorize")
    assert not world.asked("register")


@pytest.mark.parametrize("algorithm", list(KEYS))
async def test_a_client_is_granted_tokens_by_its_private_key(world: ServiceWorld, algorithm: Any) -> None:
    world.clients["me"] = {"algorithm": algorithm}
    auth = ClientCredentials("me", PrivateKey(pem_of(KEYS[algorithm])))
    async with using(world, auth) as toolbox:
        world.expire()
        assert await whoami(toolbox) == "me"
    assert len(world.asked("client_credentials")) == 2
    assert not world.unfit


async def test_an_assertion_may_be_signed_elsewhere(world: ServiceWorld) -> None:
    world.clients["me"] = {"algorithm": "ES256"}
    audiences: list[str] = []

    async def sign(audience: str) -> str:
        await asyncio.sleep(0)
        audiences.append(audience)
        return assertion_of("me", audience, iss="me", jti=f"{len(audiences)}")

    async with using(world, ClientCredentials("me", sign)) as toolbox:
        world.expire()
        assert await whoami(toolbox) == "me"
    assert audiences == [world.issuer] * 2


async def test_a_workload_is_granted_tokens_by_what_it_runs_on(world: ServiceWorld) -> None:
    auth = WorkloadIdentity(lambda audience: assertion_of("pod-7", audience), issuer=world.issuer)
    async with using(world, auth) as toolbox:
        world.expire()
        assert await whoami(toolbox) == "pod-7"
    assert ["client_id" in form for form in world.asked("jwt-bearer")] == [False, False]


async def test_an_id_token_is_traded_for_an_assertion_and_that_for_a_token(world: ServiceWorld) -> None:
    async with using(world, by_enterprise(world, id_token_of("ann"), scope="tools:mine")) as toolbox:
        assert await whoami(toolbox) == "ann"
    (form,) = world.idp
    assert form["grant_type"] == EXCHANGE
    assert form["requested_token_type"] == ID_JAG
    assert (form["audience"], form["resource"]) == (world.issuer, world.url)
    assert form["client_id"] == "idp-client"
    assert SECRET not in form.values()
    assert world.asked("jwt-bearer")[0]["scope"] == form["scope"] == "tools:mine tools"


@pytest.mark.faults("O9", "O10")
async def test_each_caller_has_a_token_of_their_own_id_token(world: ServiceWorld, tmp_path: Path) -> None:
    async def id_token(identity: str) -> str:
        await asyncio.sleep(0)
        return id_token_of(identity)

    auth = by_enterprise(world, id_token, store=tmp_path / "tokens.db")

    async def as_user(toolbox: Toolbox, user: str) -> str:
        (part,) = (await toolbox.find("whoami").call({}, user=user)).parts
        assert isinstance(part, Text)
        return part.text

    for _ in range(2):
        async with using(world, auth, identity=user_of) as toolbox:
            said = await asyncio.gather(*(as_user(toolbox, user) for user in ("ann", "bob") * 5))
            assert said == ["ann", "bob"] * 5
    assert len(world.idp) == 3


@pytest.mark.faults("O10")
async def test_who_shares_a_store_shares_no_token(world: ServiceWorld) -> None:
    store = MemoryStore()
    world.clients["other"] = {"client_secret": "x"}

    def workload(audience: str) -> str:
        return assertion_of("pod-7", audience)

    ways = {
        "alice": signing_in(world, store),
        "me": by_secret(world, store=store),
        "other": ClientCredentials("other", "x", store=store),
        "ann": by_enterprise(world, id_token_of("ann"), store=store),
        "bob": by_enterprise(world, id_token_of("bob"), store=store),
        "pod-7": WorkloadIdentity(workload, "pod", store=store),
    }
    world.clients["pod"] = {}
    for _ in range(2):
        for name, auth in ways.items():
            async with using(world, auth) as toolbox:
                assert await whoami(toolbox) == name
    assert len(world.access) == len(ways)

    def forging(_: CallContext) -> str:
        return 'service:["client_credentials me", ""]'

    async with using(world, signing_in(world, store), identity=forging) as toolbox:
        assert await whoami(toolbox) == "alice"


@pytest.mark.faults("O3", "O4")
async def test_twenty_calls_make_one_request_for_a_token(world: ServiceWorld) -> None:
    async with using(world, by_secret(world)) as toolbox:
        world.expire()
        assert await asyncio.gather(*(whoami(toolbox) for _ in range(20))) == ["me"] * 20
    assert len(world.asked("client_credentials")) == 2


@pytest.mark.faults("O1")
async def test_tokens_are_kept_over_a_restart_and_secrets_are_not(world: ServiceWorld, tmp_path: Path) -> None:
    path = tmp_path / "tokens.db"
    async with using(world, by_secret(world, store=path)):
        pass
    async with using(world, by_secret(world, store=path)) as toolbox:
        assert await whoami(toolbox) == "me"
    assert len(world.asked("client_credentials")) == 1
    (key,) = [key for key in await SqliteStore(path).keys() if key.kind == "tokens"]
    kept = await SqliteStore(path).read(key)
    assert kept is not None
    assert SECRET not in kept.value
    world.clients["me"] = {"client_secret": "another"}
    world.expire()
    auth = ClientCredentials("me", "another", store=path)
    async with using(world, auth) as toolbox:
        assert await whoami(toolbox) == "me"


async def test_an_expired_token_is_replaced_before_it_is_shown(world: ServiceWorld, tmp_path: Path) -> None:
    path = tmp_path / "tokens.db"
    world.seconds = 0.001
    async with using(world, by_secret(world, store=path), required=False) as toolbox:
        assert "it does not take the token that was just signed in for" in str(toolbox.failures["it"])
    world.seconds = 3600
    world.log.clear()
    async with using(world, by_secret(world, store=path)) as toolbox:
        assert await whoami(toolbox) == "me"
    assert len(world.asked("client_credentials")) == 1
    assert all(form["bearer"] in world.access for form in world.asked("mcp"))


async def test_a_token_endpoint_that_is_down_costs_one_call(world: ServiceWorld) -> None:
    store = MemoryStore()
    async with using(world, by_secret(world, store=store)) as toolbox:
        world.expire()
        kept = await grant_of(store)
        world.instead["token"] = answering(lambda: Response("down", 503))
        with pytest.raises(TransportError, match="HTTP 503") as failed:
            await whoami(toolbox)
        assert not failed.value.sent
        assert await grant_of(store) == kept
        del world.instead["token"]
        assert await whoami(toolbox) == "me"


@pytest.mark.parametrize("kind", ["credential", "assertion", "id_token"])
async def test_a_function_that_raises_fails_its_call_and_tells_nothing(
    world: ServiceWorld, kind: str, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    fails = [True]

    def give(argument: str) -> str:
        if fails.pop() if fails else False:
            raise RuntimeError("t0ken-in-words")
        if kind == "id_token":
            return id_token_of("me")
        return assertion_of("me", argument, iss="me", jti=str(len(world.log)))

    world.clients["me"] = {"algorithm": "ES256"} if kind == "credential" else {"client_secret": SECRET}
    auth: Any = {
        "credential": lambda: ClientCredentials("me", give),
        "assertion": lambda: WorkloadIdentity(give),
        "id_token": lambda: by_enterprise(world, give),
    }[kind]()
    async with using(world, auth, required=False) as toolbox:
        error = toolbox.failures["it"]
        assert f"its {kind} function failed: RuntimeError" in str(error)
        assert "t0ken-in-words" not in str(error)
        assert "t0ken-in-words" not in " ".join(record.getMessage() for record in caplog.records)
    async with using(world, auth) as toolbox:
        assert await whoami(toolbox) == "me"


@pytest.mark.parametrize("given", ["", "a b", "x\r\nY: z", None, b"bytes", "x" * 100_000], ids=_short)
async def test_what_is_no_assertion_is_not_sent(world: ServiceWorld, given: Any) -> None:
    error = await failing(world, WorkloadIdentity(lambda _: given))
    assert error.problem == "assertion_failed"
    assert not world.asked("jwt-bearer")


async def test_a_function_that_gives_nothing_is_not_waited_for_for_ever(
    world: ServiceWorld, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(asked, "SECONDS", 0.1)

    async def give(_: str) -> str:
        await asyncio.Event().wait()
        return ""

    error = await failing(world, WorkloadIdentity(give))
    assert "its assertion function gave nothing within 0.1 s" in str(error)


async def test_a_refusal_is_told_and_nothing_else_is_tried(world: ServiceWorld) -> None:
    auth = WorkloadIdentity(lambda _: assertion_of("pod-7", "https://another"))
    error = await failing(world, auth)
    assert error.problem == "token_refused"
    assert "invalid_grant" in str(error)
    assert len(world.asked("jwt-bearer")) == 1
    assert [kind for kind, _ in world.log if kind not in ("mcp", "jwt-bearer")] == []


async def test_a_secret_goes_to_no_other_authorization_server(world: ServiceWorld) -> None:
    error = await failing(world, ClientCredentials("me", SECRET, issuer="https://auth.example.com"))
    assert error.problem == "issuer_mismatch"
    assert not world.asked("client_credentials")


@pytest.mark.parametrize(
    ("says", "problem"),
    [
        ({"issued_token_type": "urn:ietf:params:oauth:token-type:access_token"}, "token_invalid"),
        ({"issued_token_type": None}, "token_invalid"),
        ({"access_token": None}, "token_invalid"),
        ({"error": "access_denied"}, "token_refused"),
    ],
    ids=str,
)
async def test_what_an_identity_provider_gives_in_place_of_an_assertion_is_refused(
    world: ServiceWorld, says: dict[str, Any], problem: str
) -> None:
    world.idp_says = says
    error = await failing(world, by_enterprise(world, id_token_of("ann")))
    assert error.problem == problem
    assert "the identity provider" in str(error)
    assert not world.asked("jwt-bearer")


async def test_an_identity_provider_that_is_down_or_moves_is_told(world: ServiceWorld) -> None:
    world.instead["idp"] = answering(lambda: Response("down", 503))
    assert (await failing(world, by_enterprise(world, id_token_of("ann")))).problem == "unavailable"
    seen: list[Request] = []

    async def elsewhere(request: Request) -> Response:
        seen.append(request)
        return Response(status_code=307, headers={"location": f"{world.origin}/thief"})

    world.instead["idp"] = elsewhere
    assert (await failing(world, by_enterprise(world, id_token_of("ann")))).problem == "redirected"
    assert len(seen) == 1


def test_nothing_secret_is_shown_of_a_declaration() -> None:
    pem = pem_of(KEYS["ES256"])
    key = PrivateKey(pem)
    token = id_token_of("ann")
    ways = [
        ClientCredentials("me", SECRET),
        ClientCredentials("me", key),
        EnterpriseManaged("me", SECRET, idp_token_endpoint="https://idp/token", id_token=token),
        WorkloadIdentity(lambda _: token),
    ]
    for auth in ways:
        server = Http("https://h/mcp", auth=auth)
        hash(server)
        for shown in (repr(auth), str(auth), repr(server), repr(key)):
            assert SECRET not in shown
            assert token not in shown
            assert pem.splitlines()[1] not in shown
    assert repr(ways[0]) == "ClientCredentials(client_id='me')"
    assert key.algorithm == "ES256"


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: ClientCredentials("", "x"), "client_id"),
        (lambda: ClientCredentials("me", ""), "credential is a secret"),
        (lambda: ClientCredentials("me", None), "credential is a secret"),  # type: ignore[arg-type]
        (lambda: ClientCredentials("me", len, client_auth="client_secret_post"), "says how a secret is told"),  # type: ignore[arg-type]
        (lambda: ClientCredentials("me", "x", issuer="http://h"), "issuer must begin with https://"),
        (lambda: PrivateKey("s3cret"), "no private key in PEM form"),
        (lambda: PrivateKey(pem_of(KEYS["ES256"]), "RS256"), "key is one for ES256"),
        (lambda: PrivateKey(pem_of(KEYS["ES256"]), "HS256"), "algorithm is one of"),  # type: ignore[arg-type]
        (lambda: EnterpriseManaged("me", "x", idp_token_endpoint="http://idp", id_token="t"), "https://"),
        (lambda: EnterpriseManaged("me", "x", idp_token_endpoint="https://idp", id_token=""), "id_token is a token"),
        (
            lambda: EnterpriseManaged("m", "x", idp_token_endpoint="https://i", id_token="t", idp_credential="x"),
            "needs idp_client_id",
        ),
        (lambda: WorkloadIdentity("t"), "assertion is a function"),  # type: ignore[arg-type]
        (lambda: WorkloadIdentity(str, store="file"), "store needs client_id"),
    ],
)
def test_what_is_no_declaration_is_refused(make: Any, words: str) -> None:
    with pytest.raises(ConfigError, match=words) as refused:
        make()
    assert "s3cret" not in str(refused.value)


async def test_a_config_file_names_a_client_and_where_its_secret_is(world: ServiceWorld, tmp_path: Path) -> None:
    from toolgraft import connect, load

    entry: dict[str, Any] = {"grant_type": "client_credentials", "client_id": "me", "client_secret": "${MY_SECRET}"}
    config = {"mcpServers": {"it": {"url": world.url, "auth": {**entry, "issuer": world.issuer}}}}
    (tmp_path / "mcp.json").write_text(json.dumps(config))
    loaded = load(tmp_path / "mcp.json", environ={"MY_SECRET": SECRET})
    async with connect(*loaded) as toolbox:
        assert await whoami(toolbox) == "me"
    pem = {"grant_type": "client_credentials", "client_id": "me", "private_key": "${KEY}", "key_id": "k1", "dpop": True}
    (server,) = load({"it": {"url": world.url, "auth": pem}}, environ={"KEY": pem_of(KEYS["RS256"])})
    assert isinstance(server, Http)
    auth = server.auth
    assert isinstance(auth, ClientCredentials)
    assert auth.dpop
    assert auth.credential == PrivateKey(pem_of(KEYS["RS256"]), "RS256", "k1")


@pytest.mark.parametrize(
    ("auth", "words"),
    [
        ({"grant_type": "password", "client_id": "me"}, "it.auth.grant_type: is 'client_credentials'"),
        ({"grant_type": "client_credentials", "client_id": "me"}, "either client_secret, or private_key"),
        ({"grant_type": "client_credentials", "client_secret": "s3cret"}, "has no client_id"),
        (
            {"grant_type": "client_credentials", "client_id": "me", "client_secret": "s3cret", "private_key": "x"},
            "either client_secret, or private_key",
        ),
        ({"grant_type": "client_credentials", "client_id": "me", "private_key": "s3cret"}, "it.auth.private_key: "),
        ({"grant_type": "client_credentials", "client_id": "me", "client_secret": "s3cret", "x": 1}, "it.auth.x: "),
        ({"grant_type": "client_credentials", "client_id": "me", "client_secret": "s3cret", "scope": 1}, "scope: "),
    ],
    ids=str,
)
def test_a_config_file_that_is_wrong_is_told_so(auth: dict[str, Any], words: str) -> None:
    from toolgraft import load

    with pytest.raises(ConfigError, match=words) as refused:
        load({"it": {"url": "https://h", "auth": auth}}, environ={})
    assert "s3cret" not in str(refused.value)
