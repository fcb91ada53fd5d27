"""Servers and authorization servers that are not what they seem, each refused with its name."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any
from urllib.parse import urlencode

import httpx2
import pytest
from starlette.responses import JSONResponse, RedirectResponse, Response
from toolgraft import Http
from toolgraft.connection.connection import Connection
from toolgraft.errors import ConnectError, OAuthError
from toolgraft.oauth.wire import fetching

from tests.oauth.conftest import signing_in, using, whoami
from tests.servers.oauth import World, answering, dripping, serving

pytestmark = pytest.mark.anyio

Spoil = Callable[[World], None]


async def refused(world: World, **options: Any) -> OAuthError:
    """Why nobody is signed in."""
    connection = Connection(Http(world.url, name="it", auth=signing_in(world, **options)))
    try:
        with pytest.raises(ConnectError) as failed:
            await connection.open()
    finally:
        await connection.close()
    error = failed.value.__cause__
    assert isinstance(error, OAuthError), failed.value
    assert error.reason in str(failed.value)
    assert "it" in str(error)
    return error


def metadata(**changes: Any) -> Spoil:
    return lambda world: world.metadata.update(changes)


def resource(**changes: Any) -> Spoil:
    return lambda world: world.resource.update(changes)


def instead(route: str, response: Callable[[], Response]) -> Spoil:
    return lambda world: world.instead.update({route: answering(response)})


def huge() -> Response:
    return Response(b'{"issuer": "' + b"x" * 1_000_000 + b'"}', media_type="application/json")


def registered_by_tls() -> Response:
    return JSONResponse({"client_id": "x", "token_endpoint_auth_method": "tls_client_auth"}, 201)


MISDEEDS: list[tuple[str, Spoil]] = [
    ("issuer_mismatch", metadata(issuer="http://127.0.0.1:1/as")),
    ("issuer_mismatch", metadata(issuer=None)),
    ("resource_mismatch", resource(resource="https://elsewhere.invalid/mcp")),
    ("pkce_missing", metadata(code_challenge_methods_supported=None)),
    ("pkce_missing", metadata(code_challenge_methods_supported=["plain"])),
    ("too_large", instead("metadata", huge)),
    ("too_large", instead("resource", huge)),
    ("too_large", instead("token", huge)),
    ("redirected", instead("metadata", lambda: RedirectResponse("http://localhost:1/as", 302))),
    ("redirected", instead("token", lambda: RedirectResponse("http://127.0.0.1:1/token", 307))),
    ("redirected", instead("metadata", lambda: RedirectResponse("/.well-known/oauth-authorization-server/as", 302))),
    ("metadata_invalid", metadata(token_endpoint=None)),
    ("metadata_invalid", metadata(authorization_endpoint=None)),
    ("metadata_invalid", metadata(authorization_endpoint="javascript:alert(1)")),
    ("metadata_invalid", metadata(authorization_endpoint="file:///etc/passwd")),
    ("metadata_invalid", metadata(authorization_endpoint="a:$(touch /tmp/x)?b=")),
    ("metadata_invalid", instead("metadata", lambda: JSONResponse([1]))),
    ("not_https", metadata(token_endpoint="http://as.invalid/token")),
    ("not_https", metadata(authorization_endpoint="http://as.invalid/authorize")),
    ("address_refused", metadata(token_endpoint="https://169.254.169.254/token")),
    ("address_refused", metadata(registration_endpoint="https://[fe80::1]/register")),
    ("address_refused", resource(authorization_servers=["https://0.0.0.0/"])),
    ("address_refused", resource(authorization_servers=["https://[::ffff:169.254.169.254]/"])),
    ("registration_refused", instead("register", lambda: JSONResponse({"error": "invalid_client_metadata"}, 400))),
    ("registration_refused", instead("register", registered_by_tls)),
    ("no_client", metadata(registration_endpoint=None)),
    ("token_invalid", instead("token", lambda: JSONResponse({"access_token": "a\r\nX: y", "token_type": "bearer"}))),
    ("token_invalid", instead("token", lambda: JSONResponse({"access_token": "a", "token_type": "mac"}))),
    ("token_refused", instead("token", lambda: JSONResponse({"error": "invalid_grant"}, 400))),
    ("unavailable", instead("token", lambda: Response("down", 502))),
    ("unavailable", instead("metadata", lambda: Response("down", 500))),
    ("not_offered", lambda world: world.instead.update(
        resource=answering(lambda: Response(status_code=404)), metadata=answering(lambda: Response(status_code=404)),
    )),
]  # fmt: skip


@pytest.mark.parametrize(("problem", "spoil"), MISDEEDS)
async def test_a_misdeed_is_refused_with_its_name(world: World, problem: str, spoil: Spoil) -> None:
    spoil(world)
    assert (await refused(world)).problem == problem


RETURNS: list[tuple[str, dict[str, str | None]]] = [
    ("state_mismatch", {"state": "another"}),
    ("state_mismatch", {"state": None}),
    ("issuer_mismatch", {"iss": "http://127.0.0.1:1/as"}),
    ("issuer_mismatch", {"iss": None}),
    ("issuer_mismatch", {"iss": "http://127.0.0.1:1/as", "error": "access_denied"}),
    ("token_in_url", {"access_token": "a"}),
    ("token_in_url", {"id_token": "a", "code": None}),
    ("access_denied", {"error": "access_denied", "code": None}),
    ("authorization_refused", {"error": "server_error", "error_description": "\x1b[31mno", "code": None}),
    ("authorization_refused", {"code": None}),
    ("token_refused", {"code": "of somebody else"}),
]


@pytest.mark.parametrize(("problem", "changes"), RETURNS)
async def test_a_return_that_is_not_the_one_waited_for_is_refused(
    world: World, problem: str, changes: dict[str, str | None]
) -> None:
    came_to: list[str] = []

    async def redirect(url: str) -> None:
        async with httpx2.AsyncClient() as browser:
            back = httpx2.URL((await browser.get(url)).headers["location"])
        params = {name: value for name, value in {**dict(back.params), **changes}.items() if value is not None}
        came_to.append(str(back.copy_with(query=urlencode(params).encode())))

    async def callback() -> str:
        return came_to[-1]

    error = await refused(world, redirect=redirect, callback=callback)
    assert error.problem == problem
    assert "\x1b" not in str(error)
    codes = [form.get("code") for form in world.asked("authorization_code")]
    assert codes == (["of somebody else"] if problem == "token_refused" else [])


async def test_a_page_of_somebody_elses_does_not_end_the_waiting(world: World) -> None:
    async def visit(url: str) -> None:
        back = httpx2.URL(url).params["redirect_uri"]
        async with httpx2.AsyncClient() as stranger:
            for query in ("code=x&state=y", "code=x", "", "code=x&state=y&state=z"):
                assert (await stranger.get(f"{back}?{query}")).status_code == 400
            assert (await stranger.post(back)).status_code == 404
            assert (await stranger.get(back, headers={"host": "evil.invalid"})).status_code == 404
            assert (await stranger.get(f"{back}/other")).status_code == 404
        await world.visit(url)

    async with using(world, signing_in(world, redirect=visit)) as toolbox:
        assert await whoami(toolbox) == "alice"


async def test_the_page_shows_nothing_of_what_it_was_asked_and_the_address_is_gone(world: World) -> None:
    pages: list[httpx2.Response] = []

    async def visit(url: str) -> None:
        async with httpx2.AsyncClient() as browser:
            back = (await browser.get(url)).headers["location"]
            pages.append(await browser.get(f"{back}&x=<script>"))

    async with using(world, signing_in(world, redirect=visit)):
        pass
    (page,) = pages
    assert page.status_code == 200
    assert "script" not in page.text
    assert "default-src 'none'" in page.headers["content-security-policy"]
    async with httpx2.AsyncClient() as browser:
        with pytest.raises(httpx2.ConnectError):
            await browser.get(page.url)


@pytest.mark.parametrize("route", ["resource", "metadata", "token", "register"])
async def test_an_answer_that_drips_is_not_waited_for(
    world: World, route: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fetching, "SECONDS", 0.5)
    world.instead[route] = dripping()
    assert (await refused(world)).problem == "too_slow"


async def test_a_server_that_sends_to_another_origin_is_shown_no_token_there(world: World) -> None:
    with serving(World()) as other:
        async with using(world, signing_in(world)) as toolbox:
            world.instead["mcp"] = answering(lambda: RedirectResponse(other.url, 307))
            with pytest.raises(Exception, match="redirects to"):
                await whoami(toolbox)
        assert not other.log


async def test_a_token_is_shown_to_nobody_but_its_server(
    world: World, store: Any, caplog: pytest.LogCaptureFixture, capsys: pytest.CaptureFixture[str]
) -> None:
    caplog.set_level(logging.DEBUG)
    auth = signing_in(world, store)
    async with using(world, auth) as toolbox:
        assert await whoami(toolbox) == "alice"
        world.instead["mcp"] = answering(lambda: Response(status_code=500))
        with pytest.raises(Exception, match="HTTP 500") as failed:
            await whoami(toolbox)
    out = capsys.readouterr()
    said = "".join((caplog.text, repr(failed.value), repr(auth), repr(Http(world.url, auth=auth)), out.out, out.err))
    secrets = [*world.access, *world.refresh, *(form["code"] for form in world.asked("authorization_code"))]
    assert secrets
    assert not [secret for secret in secrets if secret in said]
    keys = await store.keys()
    assert not [secret for secret in secrets for key in keys if secret in repr((key, await store.read(key)))]


async def test_another_authorization_server_than_the_one_that_is_accepted_is_refused(world: World) -> None:
    error = await refused(world, issuer="https://login.invalid")
    assert error.problem == "issuer_mismatch"
    assert "https://login.invalid" in str(error)


async def test_pkce_that_is_not_announced_is_used_when_one_is_told_so(world: World) -> None:
    world.metadata["code_challenge_methods_supported"] = None
    async with using(world, signing_in(world, assume_pkce=True)) as toolbox:
        assert await whoami(toolbox) == "alice"
    assert world.asked("authorize")[0]["code_challenge_method"] == "S256"
