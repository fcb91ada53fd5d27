"""One declaration, many users; and tokens that one has already."""

from __future__ import annotations

import asyncio

import pytest
from toolgraft import Bearer, CallContext, Http, Text, Toolbox, connect
from toolgraft.config.token_store import MemoryStore
from toolgraft.errors import CallError, ConfigError, TransportError
from toolgraft.oauth.values import read

from tests.oauth.conftest import signing_in, using, whoami
from tests.servers.oauth import Granted, World

pytestmark = pytest.mark.anyio


def user_of(context: CallContext) -> str:
    return str(context.user or "nobody")


async def as_user(toolbox: Toolbox, user: str) -> str:
    (part,) = (await toolbox.find("whoami").call({}, user=user)).parts
    assert isinstance(part, Text)
    return part.text


@pytest.mark.faults("O9", "O10")
async def test_each_user_signs_in_once_and_nobody_has_anothers_token(world: World, store: MemoryStore) -> None:
    async def visit(url: str) -> None:
        world.user = f"person {len(world.asked('authorize'))}"
        await world.visit(url)

    auth = signing_in(world, store, redirect=visit)
    async with using(world, auth, identity=user_of) as toolbox:
        ann = await as_user(toolbox, "ann")
        bob = await as_user(toolbox, "bob")
        assert ann != bob
        again = await asyncio.gather(*(as_user(toolbox, user) for user in ("ann", "bob") * 5))
        assert again == [ann, bob] * 5
    keys = [key for key in await store.keys() if key.kind == "tokens"]
    assert {key.identity for key in keys} == {"nobody", "ann", "bob"}
    assert len({(await store.read(key)).value for key in keys}) == 3  # type: ignore[union-attr]
    assert len(world.asked("register")) == 1
    async with using(world, auth, identity=user_of) as toolbox:
        assert await as_user(toolbox, "bob") == bob
    assert len(world.asked("authorize")) == 3


async def test_two_users_are_asked_at_the_same_time(world: World) -> None:
    both = asyncio.Barrier(2)

    async def visit(url: str) -> None:
        if len(world.asked("authorize")):
            async with asyncio.timeout(20):
                await both.wait()
        await world.visit(url)

    async with using(world, signing_in(world, redirect=visit), identity=user_of) as toolbox:
        await asyncio.gather(as_user(toolbox, "ann"), as_user(toolbox, "bob"))
    assert len(world.asked("authorize")) == 3


async def test_a_token_that_one_has_is_shown(world: World) -> None:
    world.access["mine"] = Granted("me", "tools", 2e10, "")
    async with using(world, Bearer("mine")) as toolbox:
        assert await whoami(toolbox) == "me"
    assert not world.asked("authorize")


@pytest.mark.faults("O9", "O10")
async def test_a_function_gives_the_token_of_each_caller(world: World) -> None:
    for user in ("ann", "bob", "nobody"):
        world.access[f"of-{user}"] = Granted(user, "tools", 2e10, "")

    async def token(context: CallContext) -> str:
        await asyncio.sleep(0)
        return f"of-{user_of(context)}"

    async with using(world, Bearer(token)) as toolbox:
        said = await asyncio.gather(*(as_user(toolbox, user) for user in ("ann", "bob") * 5))
    assert said == ["ann", "bob"] * 5


async def test_a_token_that_cannot_be_sent_is_refused_without_showing_it(world: World) -> None:
    world.access["ok"] = Granted("me", "tools", 2e10, "")
    given = iter(["ok"] * 2 + ["s3cret\r\nX: y"] * 9)
    async with using(world, Bearer(lambda _: next(given))) as toolbox:
        with pytest.raises(TransportError, match="its token function gave what cannot be sent") as failed:
            await whoami(toolbox)
    assert "s3cret" not in str(failed.value)


@pytest.mark.parametrize("token", ["", "Bearer x", "a b", "a\n", 7, None])
def test_what_is_no_token_is_refused(token: object) -> None:
    with pytest.raises(ConfigError, match="token"):
        Bearer(token)  # type: ignore[arg-type]


async def test_a_header_that_auth_makes_too_is_an_error(world: World) -> None:
    with pytest.raises(ConfigError, match="headers has Authorization, and auth makes one"):
        Http(world.url, auth="oauth", headers={"authorization": "Bearer x"})
    server = Http(world.url, name="it", auth=signing_in(world), headers=lambda _: {"Authorization": "Bearer x"})
    async with connect(server) as toolbox:
        assert "headers has Authorization, and auth makes one" in str(toolbox.failures["it"])


async def test_a_server_without_auth_says_where_one_signs_in(world: World) -> None:
    async with using(world, None, required=False) as toolbox:
        said = str(toolbox.failures["it"])
    assert f"it offers OAuth at {world.issuer}: Http('{world.url}', auth=OAuth()) signs in" in said


@pytest.mark.faults("O6")
async def test_a_403_names_the_scope_that_a_token_of_ones_own_lacks(world: World) -> None:
    world.access["mine"] = Granted("me", "tools", 2e10, "")
    world.wanted["delete"] = "tools:delete"
    async with using(world, Bearer("mine")) as toolbox:
        with pytest.raises(CallError, match=r"HTTP 403.*lacks the scope 'tools:delete'"):
            await whoami(toolbox, "delete")


@pytest.mark.faults("O5")
@pytest.mark.parametrize("method", ["client_secret_basic", "client_secret_post"])
async def test_a_client_that_is_given_is_used_as_its_owner_says(world: World, store: MemoryStore, method: str) -> None:
    world.metadata["registration_endpoint"] = None
    world.clients["mine"] = {"client_secret": "hush"}
    auth = signing_in(world, store, client_id="mine", client_secret="hush", client_auth=method)
    async with using(world, auth) as toolbox:
        world.expire()
        assert await whoami(toolbox) == "alice"
    assert not world.asked("register")
    (asked,) = world.asked("refresh_token")
    assert asked["client_id"] == "mine"
    (key,) = [key for key in await store.keys() if key.kind == "tokens"]
    kept = await store.read(key)
    assert kept is not None
    signed_in = read(kept.value)
    assert signed_in is not None
    assert signed_in.client.method == method


@pytest.mark.faults("O8")
@pytest.mark.parametrize("method", ["none", "client_secret_basic", "client_secret_post"])
async def test_a_client_is_registered_in_the_way_that_is_taken(world: World, method: str) -> None:
    world.metadata |= {"token_endpoint_auth_methods_supported": [method], "scopes_supported": None}
    async with using(world, signing_in(world)) as toolbox:
        world.expire()
        assert await whoami(toolbox) == "alice"
    (client,) = world.clients.values()
    assert client["token_endpoint_auth_method"] == method


async def test_a_client_document_is_used_where_it_is_taken(world: World) -> None:
    document = "https://client.invalid/me.json"
    world.clients[document] = {}
    world.metadata["client_id_metadata_document_supported"] = True
    async with using(world, signing_in(world, client_metadata_url=document)) as toolbox:
        assert await whoami(toolbox) == "alice"
    assert world.asked("authorize")[0]["client_id"] == document
    assert not world.asked("register")
