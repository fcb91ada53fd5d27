"""An MCP server that wants tokens, and the authorization server that gives them: Starlette on uvicorn, at loopback.

The authorization server is decent: PKCE and resource are checked, refresh tokens rotate, and one that is spent twice
takes its whole family with it. What it does otherwise is said by its attributes, before it is asked.

`python -m tests.servers.oauth` serves one by itself, and prints its port.
"""

from __future__ import annotations

import asyncio
import base64
import hashlib
import secrets
import ssl
import sys
import threading
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, TypeAlias
from urllib.parse import parse_qsl, urlencode

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response, StreamingResponse
from starlette.routing import Route

MODERN = {"resultType": "complete", "ttlMs": 0, "cacheScope": "private"}

Answering: TypeAlias = Callable[[Request], Awaitable[Response | None]]
"""Answers in place of a route, or None to have it answer."""


@dataclass
class Granted:
    """An access token."""

    user: str
    scope: str
    expires_at: float
    family: str


@dataclass
class World:
    """Both servers, on one port.

    Attributes:
        port: Theirs.
        host: As their URLs name it.
        tls: Path of a certificate with its key, where they speak TLS.
        for_resource: The server that tokens are given for, where it is another.
        verify: Whom the browser trusts.
        seconds: Life of an access token.
        scopes: Those that the server wants.
        wanted: By tool: scopes that it wants beside them.
        granted: The scope that is granted in place of what was asked for.
        user: Who is at the browser.
        metadata: Changes what the authorization server says of itself; None takes a member away.
        resource: The same for the server.
        instead: By path: answers in its place.
        log: What was asked of the authorization server, with its form; and `mcp` with the method.
    """

    port: int = 0
    host: str = "127.0.0.1"
    tls: str = ""
    for_resource: str = ""
    verify: str = ""
    seconds: float = 3600
    scopes: str = "tools"
    wanted: dict[str, str] = field(default_factory=dict[str, str])
    granted: str | None = None
    user: str = "alice"
    metadata: dict[str, Any] = field(default_factory=dict[str, Any])
    resource: dict[str, Any] = field(default_factory=dict[str, Any])
    instead: dict[str, Answering] = field(default_factory=dict[str, Answering])
    log: list[tuple[str, dict[str, str]]] = field(default_factory=list[tuple[str, dict[str, str]]])
    clients: dict[str, dict[str, Any]] = field(default_factory=dict[str, dict[str, Any]])
    codes: dict[str, dict[str, str]] = field(default_factory=dict[str, dict[str, str]])
    access: dict[str, Granted] = field(default_factory=dict[str, Granted])
    refresh: dict[str, Granted] = field(default_factory=dict[str, Granted])
    spent: dict[str, str] = field(default_factory=dict[str, str])

    @property
    def origin(self) -> str:
        return f"{'https' if self.tls else 'http'}://{self.host}:{self.port}"

    @property
    def url(self) -> str:
        return f"{self.origin}/mcp"

    @property
    def issuer(self) -> str:
        return f"{self.origin}/as"

    def asked(self, what: str) -> list[dict[str, str]]:
        """The forms of all that was asked of one kind."""
        return [form for kind, form in self.log if kind == what]

    def expire(self) -> None:
        """Take no access token any more."""
        self.access.clear()

    async def visit(self, url: str) -> None:
        """Be the browser: sign in at once, and go where one is sent."""
        import httpx2

        trusted = ssl.create_default_context(cafile=self.verify) if self.verify else True
        async with httpx2.AsyncClient(timeout=20, verify=trusted) as browser:
            response = await browser.get(url)
            while "location" in response.headers:
                response = await browser.get(response.headers["location"])

    def app(self) -> Starlette:
        return Starlette(
            routes=[
                Route("/.well-known/oauth-protected-resource/mcp", self._of("resource", self._resource)),
                Route("/.well-known/oauth-authorization-server/as", self._of("metadata", self._metadata)),
                Route("/as/authorize", self._of("authorize", self._authorize)),
                Route("/as/token", self._of("token", self._token), methods=["POST"]),
                Route("/as/register", self._of("register", self._register), methods=["POST"]),
                Route("/as/revoke", self._of("revoke", self._revoke), methods=["POST"]),
                Route("/mcp", self._of("mcp", self._mcp), methods=["POST", "GET", "DELETE"]),
            ]
        )

    def _of(self, name: str, route: Callable[[Request], Awaitable[Response]]) -> Callable[[Request], Any]:
        async def answer(request: Request) -> Response:
            instead = self.instead.get(name)
            return (await instead(request) if instead else None) or await route(request)

        return answer

    async def _resource(self, request: Request) -> Response:
        said = {"resource": self.url, "authorization_servers": [self.issuer], "scopes_supported": self.scopes.split()}
        return JSONResponse(_changed(said, self.resource))

    async def _metadata(self, request: Request) -> Response:
        said: dict[str, Any] = {
            "issuer": self.issuer,
            "authorization_endpoint": f"{self.issuer}/authorize",
            "token_endpoint": f"{self.issuer}/token",
            "registration_endpoint": f"{self.issuer}/register",
            "revocation_endpoint": f"{self.issuer}/revoke",
            "code_challenge_methods_supported": ["S256"],
            "token_endpoint_auth_methods_supported": ["none", "client_secret_basic", "client_secret_post"],
            "authorization_response_iss_parameter_supported": True,
            "op_tos_uri": "",
        }
        return JSONResponse(_changed(said, self.metadata))

    async def _register(self, request: Request) -> Response:
        asked = await request.json()
        self.log.append(("register", {"redirect_uri": asked["redirect_uris"][0]}))
        client = {**asked, "client_id": f"client-{len(self.clients) + 1}"}
        if asked.get("token_endpoint_auth_method") != "none":
            client |= {"client_secret": secrets.token_hex(8), "client_secret_expires_at": 0}
        self.clients[client["client_id"]] = client
        return JSONResponse(client, 201)

    async def _authorize(self, request: Request) -> Response:
        given = dict(request.query_params)
        self.log.append(("authorize", given))
        code = secrets.token_hex(8)
        self.codes[code] = {**given, "user": self.user}
        back = {"code": code, "state": given["state"], "iss": self.issuer}
        return RedirectResponse(f"{given['redirect_uri']}?{urlencode(back)}", 302)

    async def _token(self, request: Request) -> Response:
        form = dict(parse_qsl((await request.body()).decode()))
        basic = request.headers.get("authorization", "")
        if basic.startswith("Basic "):
            form["client_id"], form["client_secret"] = base64.b64decode(basic[6:]).decode().split(":")
        self.log.append((form["grant_type"], form))
        known = self.clients.get(form.get("client_id", ""))
        if known is None or known.get("client_secret", "") != form.get("client_secret", ""):
            return _error("invalid_client", 401)
        if form.get("resource") != (self.for_resource or self.url):
            return _error("invalid_target")
        if form["grant_type"] == "refresh_token":
            return self._refreshed(form)
        code = self.codes.pop(form.get("code", ""), None)
        digest = hashlib.sha256(form.get("code_verifier", "").encode()).digest()
        challenge = base64.urlsafe_b64encode(digest).decode().rstrip("=")
        if code is None or code["code_challenge"] != challenge or code["redirect_uri"] != form["redirect_uri"]:
            return _error("invalid_grant")
        return self._give(code["user"], code.get("scope", ""), secrets.token_hex(4))

    def _refreshed(self, form: Mapping[str, str]) -> Response:
        token = form["refresh_token"]
        if (family := self.spent.get(token)) is not None:  # spent twice: nobody knows by whom
            for kept in (self.access, self.refresh):
                for name in [name for name, each in kept.items() if each.family == family]:
                    del kept[name]
        found = self.refresh.pop(token, None)
        if found is None:
            return _error("invalid_grant")
        if not form.get("scope"):
            return _error("invalid_scope")
        self.spent[token] = found.family
        return self._give(found.user, found.scope, found.family)

    def _give(self, user: str, scope: str, family: str) -> Response:
        scope = scope if self.granted is None else self.granted
        granted = Granted(user, scope, time.time() + self.seconds, family)
        access, refresh = f"access-{secrets.token_hex(16)}", f"refresh-{secrets.token_hex(16)}"
        self.access[access], self.refresh[refresh] = granted, granted
        given = {"access_token": access, "token_type": "bearer", "expires_in": self.seconds, "refresh_token": refresh}
        return JSONResponse({**given, "scope": scope})

    async def _revoke(self, request: Request) -> Response:
        form = dict(parse_qsl((await request.body()).decode()))
        self.log.append(("revoke", form))
        self.refresh.pop(form["token"], None)
        self.access.pop(form["token"], None)
        return Response()

    async def _mcp(self, request: Request) -> Response:
        if request.method != "POST":
            return Response(status_code=405)
        message: dict[str, Any] = await request.json()
        method: str = message.get("method", "")
        params: dict[str, Any] = message.get("params") or {}
        bearer = request.headers.get("authorization", "").removeprefix("Bearer ")
        self.log.append(("mcp", {"method": method, "bearer": bearer}))
        granted = self.access.get(bearer)
        metadata = f'resource_metadata="{self.origin}/.well-known/oauth-protected-resource/mcp"'
        if granted is None or granted.expires_at < time.time():
            return Response(status_code=401, headers={"www-authenticate": f'Bearer {metadata}, scope="{self.scopes}"'})
        missing = self.wanted.get(params.get("name", ""), "")
        if not set(missing.split()) <= set(granted.scope.split()):
            challenge = f'Bearer error="insufficient_scope", scope="{missing}", {metadata}'
            return Response(status_code=403, headers={"www-authenticate": challenge})
        if "id" not in message:
            return Response(status_code=202)
        return JSONResponse({"jsonrpc": "2.0", "id": message["id"], "result": await _result(method, params, granted)})


async def _result(method: str, params: Mapping[str, Any], granted: Granted) -> Mapping[str, Any]:
    if method == "server/discover":
        return {**MODERN, "supportedVersions": ["2026-07-28"], "capabilities": {"tools": {}}}
    if method == "tools/list":
        tools = [{"name": name, "inputSchema": {"type": "object"}} for name in ("whoami", "slow", "delete")]
        return {**MODERN, "tools": tools}
    if params.get("name") == "slow":
        await asyncio.sleep(1)
    return {**MODERN, "content": [{"type": "text", "text": granted.user}]}


def _changed(said: Mapping[str, Any], by: Mapping[str, Any]) -> Mapping[str, Any]:
    return {name: value for name, value in {**said, **by}.items() if value is not None}


def _error(code: str, status: int = 400) -> Response:
    return JSONResponse({"error": code}, status)


def dripping(seconds: float = 60) -> Answering:
    """Answers with a byte now and then."""

    async def drip() -> AsyncIterator[bytes]:
        for _ in range(int(seconds * 20)):
            yield b" "
            await asyncio.sleep(0.05)

    async def answer(request: Request) -> Response:
        return StreamingResponse(drip(), media_type="application/json")

    return answer


def answering(response: Callable[[], Response]) -> Answering:
    """Answers with this."""

    async def answer(request: Request) -> Response:
        return response()

    return answer


@contextmanager
def serving(world: World) -> Generator[World]:
    """Serve in a thread."""
    config = uvicorn.Config(world.app(), host="127.0.0.1", port=world.port, log_level="error", ws="none")
    config.timeout_graceful_shutdown = 1
    config.ssl_certfile = world.tls or None
    web = uvicorn.Server(config)
    thread = threading.Thread(target=web.run, daemon=True)
    thread.start()
    while not web.started:
        threading.Event().wait(0.005)
    world.port = web.servers[0].sockets[0].getsockname()[1]
    try:
        yield world
    finally:
        web.should_exit = True
        thread.join(20)


if __name__ == "__main__":
    with serving(World()) as served:
        print(served.port, flush=True)
        sys.stdin.read()
