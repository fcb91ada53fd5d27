"""What is special to HTTP: headers per call, identities, the user's own client, auth that fails, TLS that is shared."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import AsyncGenerator
from dataclasses import replace
from typing import Any

import httpx2
import pytest
from toolgraft.config import CallContext, Http
from toolgraft.connection.connection import Connection
from toolgraft.connection.wire.http.client import http_client
from toolgraft.errors import ConnectError, ToolOutcomeUnknownError, TransportError

from tests.connection.conftest import Ledger, StartRaw, Talk, a_call, raw_http, talk, until

pytestmark = pytest.mark.anyio
ERAS = ["modern", "legacy"]
KINDS = [("http", "modern"), ("http", "legacy"), ("sse", "legacy")]


async def call_as(line: Talk, user: str) -> str:
    raw = await line.connection.call(a_call("raw", "echo", {"text": user}, user=user))
    return str(raw["content"][0]["text"])


@pytest.mark.parametrize(("kind", "era"), KINDS)
@pytest.mark.parametrize("is_async", [False, True])
async def test_headers_are_made_for_each_call_by_who_calls(
    kind: str, era: str, is_async: bool, start_raw: StartRaw, ledger: Ledger
) -> None:
    seen: list[CallContext] = []

    def plain(context: CallContext) -> dict[str, str]:
        seen.append(context)
        return {"Authorization": f"Bearer {context.user}"}

    async def slow(context: CallContext) -> dict[str, str]:
        await asyncio.sleep(0)
        return plain(context)

    server = start_raw("--era", era, "--ledger", str(ledger.path), "--authorization", kind=kind)
    async with talk(raw_http(server, headers=slow if is_async else plain)) as line:
        users = [f"u{n}" for n in range(5)]
        assert await asyncio.gather(*(call_as(line, user) for user in users)) == users
    for user in users:
        assert f"tools/call as Bearer {user}" in ledger.lines
    assert "tools/list as Bearer None" in ledger.lines
    assert CallContext("raw", "echo", "u1") in seen


async def test_each_identity_has_a_session_of_its_own_on_an_old_server(start_raw: StartRaw, ledger: Ledger) -> None:
    def headers(context: CallContext) -> dict[str, str]:
        return {"Authorization": f"Bearer {context.user}"}

    server = start_raw("--era", "legacy", "--ledger", str(ledger.path), "--authorization")
    async with talk(raw_http(server, headers=headers)) as line:
        for user in ("ada", "bo", "ada", "bo"):
            await call_as(line, user)
    assert ledger.count("initialize as Bearer ada") == 1
    assert ledger.count("initialize as Bearer bo") == 1
    assert ledger.count("initialize as Bearer None") == 1


async def test_a_header_function_that_raises_fails_its_call_alone(start_raw: StartRaw) -> None:
    def headers(context: CallContext) -> dict[str, str]:
        if context.user == "nobody":
            raise PermissionError("no token for this user")
        return {}

    for era in ERAS:
        async with talk(raw_http(start_raw("--era", era), headers=headers)) as line:
            beside = asyncio.create_task(line.says("sleep", {"s": 0.3}))
            with pytest.raises(TransportError, match="its headers function failed: PermissionError") as caught:
                await call_as(line, "nobody")
            assert not caught.value.sent
            assert await beside == "slept"


class Flow(httpx2.Auth):
    """An auth flow that can be made to break, before or after its request was sent."""

    def __init__(self) -> None:
        self.breaks = ""

    async def async_auth_flow(self, request: httpx2.Request) -> AsyncGenerator[httpx2.Request, httpx2.Response]:
        if self.breaks == "before":
            raise RuntimeError("the flow broke")
        request.headers["Authorization"] = "Bearer flow"
        yield request
        if self.breaks == "after":
            raise RuntimeError("the flow broke")


@pytest.mark.parametrize("era", ERAS)
async def test_an_auth_flow_that_breaks_fails_its_call_alone(era: str, start_raw: StartRaw, ledger: Ledger) -> None:
    flow = Flow()
    server = start_raw("--era", era, "--ledger", str(ledger.path))
    async with talk(raw_http(server, auth=flow)) as line:
        beside = asyncio.create_task(line.says("sleep", {"s": 0.5}))
        await until(lambda: ledger.count("sleep"))
        flow.breaks = "before"
        with pytest.raises(TransportError, match="the flow broke") as caught:
            await line.call("echo")
        assert not caught.value.sent
        flow.breaks = "after"
        with pytest.raises(ToolOutcomeUnknownError):
            await line.call("echo")
        flow.breaks = ""
        assert await line.says("echo", {"text": "on"}) == "on"
        assert await beside == "slept"


async def test_an_auth_flow_that_breaks_while_connecting_is_the_root_cause(start_raw: StartRaw) -> None:
    flow = Flow()
    flow.breaks = "before"
    connection = Connection(raw_http(start_raw(), auth=flow))
    with pytest.raises(ConnectError, match="the flow broke"):
        await connection.open()
    await connection.close()


async def test_fixed_headers_are_sent_and_secrets_are_not_shown(start_raw: StartRaw, ledger: Ledger) -> None:
    server = start_raw("--ledger", str(ledger.path), "--authorization")
    config = raw_http(server, headers={"Authorization": "Bearer hush"})
    async with talk(config) as line:
        await line.call("echo")
        assert "hush" not in repr(line.connection) + repr(line.events)
    assert "tools/call as Bearer hush" in ledger.lines


async def test_the_users_own_client_factory_is_used_and_isolated_too(start_raw: StartRaw) -> None:
    given: list[dict[str, Any]] = []

    def factory(**options: Any) -> httpx2.AsyncClient:
        given.append(options)
        return httpx2.AsyncClient(**options)

    server = start_raw()
    async with talk(raw_http(server, http_client=factory)) as line:
        with pytest.raises(TransportError, match="503"):
            await line.call("status", {"code": 503})
        assert await line.says("echo", {"text": "on"}) == "on"
    assert {"headers", "auth", "timeout", "verify", "proxy"} <= set(given[0])
    assert given[0]["timeout"].read is None


@pytest.mark.faults("O11")
async def test_a_proxy_is_used(start_raw: StartRaw) -> None:
    proxy = start_raw()  # it answers whatever it is asked for
    async with talk(Http("http://far.invalid/mcp", name="raw", proxy=f"http://127.0.0.1:{proxy.port}")) as line:
        assert await line.says("echo", {"text": "by proxy"}) == "by proxy"


async def tls_of(config: Http) -> ssl.SSLContext:
    """The TLS context that a client for `config` would have."""
    given: list[ssl.SSLContext] = []

    def factory(**options: Any) -> httpx2.AsyncClient:
        given.append(options["verify"])
        return httpx2.AsyncClient(transport=httpx2.MockTransport(lambda _: httpx2.Response(200)))

    await http_client(replace(config, http_client=factory))
    return given[0]


@pytest.mark.faults("O11")
async def test_tls_is_set_up_once_and_not_at_all_for_plain_http() -> None:
    first, second = [await tls_of(Http(f"https://{host}.invalid/mcp")) for host in "ab"]
    assert first is second
    assert first.verify_mode is ssl.CERT_REQUIRED
    assert not (await tls_of(Http("http://127.0.0.1:1/mcp"))).get_ca_certs()
    assert (await tls_of(Http("https://a.invalid/mcp", verify=False))).verify_mode is ssl.CERT_NONE
    own = ssl.create_default_context()
    assert await tls_of(Http("https://a.invalid/mcp", verify=own)) is own


async def test_the_largest_event_can_be_set_apart(start_raw: StartRaw) -> None:
    from toolgraft.errors import ResultError

    server = start_raw("--sse")
    async with talk(Http(server.url, name="raw", max_sse_event_size=100_000)) as line:
        with pytest.raises(ResultError):
            await line.call("big", {"n": 200_000})
        assert await line.says("echo", {"text": "on"}) == "on"


async def test_arguments_that_are_wanted_as_headers_are_sent_as_such(start_raw: StartRaw, ledger: Ledger) -> None:
    server = start_raw("--list", "marked", "--ledger", str(ledger.path))
    async with talk(raw_http(server)) as line:
        await line.call("echo", {"region": "eu", "text": "x"})
    assert "region eu" in ledger.lines
