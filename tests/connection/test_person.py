"""The time that a person takes to log in counts neither for connecting nor for the calls that wait for it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from typing import Any

import httpx2
import pytest
from mcp.client.auth import OAuthClientProvider
from mcp.shared.auth import OAuthClientMetadata
from toolgraft.connection.connection import Connection
from toolgraft.connection.wire.person_time import uncounted, waiting_for_a_person
from toolgraft.errors import ConnectError

from tests.connection.conftest import StartRaw, a_call, raw_http

pytestmark = pytest.mark.anyio


class Login(httpx2.Auth):
    """Waits for somebody, who comes when the test says so."""

    def __init__(self, seconds: float, *, counted: bool = False) -> None:
        self._seconds = seconds
        self._counted = counted
        self.logins = 0

    async def async_auth_flow(self, request: httpx2.Request) -> AsyncGenerator[httpx2.Request, httpx2.Response]:
        if not self.logins:
            self.logins += 1
            if self._counted:
                await asyncio.sleep(self._seconds)
            else:
                with waiting_for_a_person():
                    await asyncio.sleep(self._seconds)
        yield request


@pytest.mark.parametrize("era", ["auto", "legacy", "2026-07-28"])
async def test_a_login_longer_than_the_limit_of_connecting_is_waited_for(era: Any, start_raw: StartRaw) -> None:
    server = start_raw("--era", "legacy" if era == "legacy" else "modern")
    connection = Connection(raw_http(server, auth=Login(3.5), connect_timeout=3, era=era))
    try:
        await connection.open()
        assert (await connection.call(a_call("raw", "echo")))["content"]
    finally:
        await connection.close()


async def test_a_login_that_does_not_say_that_it_waits_for_a_person_is_counted(start_raw: StartRaw) -> None:
    connection = Connection(raw_http(start_raw(), auth=Login(30, counted=True), connect_timeout=0.5))
    with pytest.raises(ConnectError, match="connect_timeout"):
        await connection.open()
    await connection.close()


async def test_a_call_that_connects_waits_for_the_login_beyond_its_own_limit(start_raw: StartRaw) -> None:
    connection = Connection(raw_http(start_raw(), auth=Login(3.5), connect_timeout=3))
    try:
        calls = (connection.call(a_call("raw", "echo", limit=3)) for _ in range(3))
        assert len(await asyncio.gather(*calls)) == 3
    finally:
        await connection.close()


class _Storage:
    async def get_tokens(self) -> None: ...
    async def set_tokens(self, tokens: Any) -> None: ...
    async def get_client_info(self) -> None: ...
    async def set_client_info(self, client_info: Any) -> None: ...


async def test_the_handlers_of_the_sdks_provider_are_where_the_wait_is_told_from() -> None:
    """A canary: the provider calls `context.redirect_handler` and `context.callback_handler` for a login."""
    paused: list[bool] = []

    async def redirect(url: str) -> None:
        paused.append(bool(url))

    async def callback() -> Any:
        return "answer"

    metadata = OAuthClientMetadata.model_validate({"redirect_uris": ["http://localhost/cb"], "client_name": "x"})
    provider = OAuthClientProvider("http://localhost/mcp", metadata, _Storage(), redirect, callback)
    assert uncounted(provider) is provider
    wrapped = provider.context.redirect_handler
    assert wrapped is not redirect
    uncounted(provider)
    assert provider.context.redirect_handler is wrapped
    assert wrapped is not None
    await wrapped("http://login")
    assert provider.context.callback_handler is not None
    assert (await provider.context.callback_handler(), paused) == ("answer", [True])
