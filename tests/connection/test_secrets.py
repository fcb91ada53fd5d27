"""What is secret in a declaration stays out of errors and logs, also those of the libraries below."""

from __future__ import annotations

import logging
import traceback
from collections.abc import AsyncGenerator
from typing import Any

import httpx2
import pytest
from toolgraft.config import CallContext, Http, Sse
from toolgraft.errors import CallError, ConfigError, ConnectError, ToolOutcomeUnknownError, TransportError

from tests.connection.conftest import StartRaw, raw_http, talk
from tests.servers.web import Request, web

pytestmark = pytest.mark.anyio

KINDS = [("http", "modern"), ("http", "legacy"), ("sse", "legacy")]

SPOILT = ["Bearer hush ", " Bearer hush", "Bearer hush\t", "Bearer hush\n", "Bearer\r\nX: hush", "hush\x01", "hushé"]
"""Values that no header can have."""


def told(error: BaseException) -> str:
    """All that is shown of an error."""
    return "".join(traceback.format_exception(error)) + repr(error)


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


@pytest.mark.faults("T10", "T30")
@pytest.mark.parametrize("value", [*SPOILT, None, 3])
@pytest.mark.parametrize(("kind", "era"), KINDS)
async def test_a_header_value_that_cannot_be_sent_is_told_by_its_name_alone(
    kind: str, era: str, value: Any, start_raw: StartRaw, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)

    def headers(context: CallContext) -> dict[str, str]:
        return {} if context.tool is None else {"Authorization": value}

    server = start_raw("--era", era, kind=kind)
    async with talk(raw_http(server, headers=headers)) as line:
        with pytest.raises(CallError, match=r"headers\['Authorization'\] ") as caught:
            await line.call("echo")
    assert "hush" not in told(caught.value) + caplog.text
    with pytest.raises(ConfigError, match=r"headers\['Authorization'\] ") as refused:
        raw_http(server, headers={"Authorization": value})
    assert "hush" not in told(refused.value)


class Spoiling(httpx2.Auth):
    """A login that gives a header value with the line break of the file that it was read from."""

    async def async_auth_flow(self, request: httpx2.Request) -> AsyncGenerator[httpx2.Request, httpx2.Response]:
        request.headers["Authorization"] = "Bearer hush\n"
        yield request


@pytest.mark.faults("T10")
@pytest.mark.parametrize("kind", [Http, Sse])
async def test_what_the_http_library_says_of_a_header_is_not_repeated(
    kind: type[Http | Sse], caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    with web() as served, pytest.raises(ConnectError, match="a header of it has white space") as caught:
        async with talk(kind(served.url, name="web", auth=Spoiling())):
            pytest.fail("it opened")
    assert "hush" not in told(caught.value) + caplog.text


@pytest.mark.faults("T10")
async def test_a_header_of_the_server_that_is_none_is_not_repeated(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)

    def misbehave(request: Request) -> bool:
        if request.tool == "order":
            request.wfile.write(b"HTTP/1.1 200 OK\r\nSet-Cookie : session=hush\r\nX\x01: y\r\n\r\n")
            request.close_connection = True
        return request.tool == "order"

    with web(modern=True) as served:
        served.misbehave = misbehave
        async with talk(Http(served.url, name="web")) as line:
            with pytest.raises(ToolOutcomeUnknownError, match="illegal header") as caught:
                await line.call("order")
    assert "hush" not in told(caught.value) + caplog.text


@pytest.mark.faults("T10")
@pytest.mark.parametrize("cookie", ["session=hush", "session=hush\xe9", "session=hush\t; Path=/"])
async def test_cookies_are_in_no_log_and_one_that_cannot_be_sent_is_not_kept(
    cookie: str, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)

    def misbehave(request: Request) -> bool:
        if request.tool == "order":
            request.result({"resultType": "complete", "content": []}, {"Set-Cookie": cookie})
        return request.tool == "order"

    with web(modern=True) as served:
        served.misbehave = misbehave
        async with talk(Http(served.url, name="web")) as line:
            await line.call("order")
            assert await line.says("echo", {"text": "on"})
    assert "set-cookie" in caplog.text.lower()
    assert "hush" not in caplog.text


@pytest.mark.faults("T10")
async def test_a_proxy_of_the_environment_that_is_no_url_is_not_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HTTP_PROXY", "http://user:pa/hush@proxy:3128")
    with pytest.raises(ConnectError, match="a proxy of the environment") as caught:
        async with talk(Http("http://far.invalid/mcp", name="web")):
            pytest.fail("it opened")
    assert "hush" not in told(caught.value)


@pytest.mark.faults("T10")
@pytest.mark.parametrize("url", ["http://user:pa/hush@h/mcp", "http://h:hush/mcp", "http://h/\x01hush"])
def test_a_url_that_is_none_is_not_shown(url: str) -> None:
    for given, proxy in ((url, None), ("http://h/mcp", url)):
        with pytest.raises(ConfigError) as caught:
            Http(given, proxy=proxy)
        assert "hush" not in told(caught.value)
