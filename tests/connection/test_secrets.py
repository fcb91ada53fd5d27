"""What is secret in a declaration stays out of errors and logs, also those of the libraries below."""

from __future__ import annotations

import logging
from typing import Any

import pytest
from toolgraft.config import CallContext
from toolgraft.errors import ConnectError, TransportError

from tests.connection.conftest import StartRaw, raw_http, talk

pytestmark = pytest.mark.anyio


async def test_user_info_and_query_of_a_url_are_in_no_log(
    start_raw: StartRaw, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    server = start_raw()
    server_url = server.url.replace("http://", "http://user:hush@") + "?api_key=hush"
    config: Any = raw_http(server)
    object.__setattr__(config, "url", server_url)
    async with talk(config) as line:
        assert await line.says("echo", {"text": "on"}) == "on"
    assert "HTTP Request" in caplog.text
    assert "hush" not in caplog.text


@pytest.mark.parametrize("era", ["legacy", "2026-07-28"])
async def test_what_a_headers_function_raises_is_told_by_its_kind_alone(start_raw: StartRaw, era: Any) -> None:
    def headers(context: CallContext) -> dict[str, str]:
        if context.tool is not None:
            raise KeyError("hush")
        return {}

    server = start_raw("--era", "legacy" if era == "legacy" else "modern")
    async with talk(raw_http(server, headers=headers, era=era)) as line:
        with pytest.raises(TransportError, match="its headers function failed: KeyError") as caught:
            await line.call("echo", {"text": "on"})
    assert "hush" not in str(caught.value)
    assert not caught.value.sent


async def test_a_headers_function_that_fails_while_connecting_is_a_connect_error(start_raw: StartRaw) -> None:
    def headers(context: CallContext) -> dict[str, str]:
        raise KeyError("hush")

    with pytest.raises(ConnectError, match="its headers function failed: KeyError") as caught:
        async with talk(raw_http(start_raw(), headers=headers)):
            pytest.fail("it opened")
    assert "hush" not in str(caught.value)
