"""Arguments that a server wants as HTTP headers too (`x-mcp-header`, SEP-2243)."""

from __future__ import annotations

from typing import Any

import httpx2
import pytest
from toolgraft.config import Http

from tests.connection.conftest import talk
from tests.servers.sdk import serving

pytestmark = pytest.mark.anyio


class Calls:
    """What left as a POST of a tool call: its `Mcp-Param-*` headers."""

    def __init__(self) -> None:
        self.headers: list[dict[str, str]] = []

    def client(self, **options: Any) -> httpx2.AsyncClient:
        return httpx2.AsyncClient(event_hooks={"request": [self._note]}, **options)

    async def _note(self, request: httpx2.Request) -> None:
        if b'"tools/call"' in await request.aread():
            headers = request.headers.items()
            self.headers.append({name: value for name, value in headers if name.startswith("mcp-param-")})


async def test_a_marked_argument_is_a_header_of_the_first_request() -> None:
    calls = Calls()
    with serving("http") as url:
        async with talk(Http(url, http_client=calls.client)) as line:
            assert await line.says("near", {"place": "Bern", "steps": 3}) == "3 from Bern"
            assert await line.says("near", {"place": " Zürich"}) == "1 from  Zürich"
            assert await line.says("echo", {"text": "Bern"}) == "Bern"
    assert calls.headers == [
        {"mcp-param-place": "Bern"},
        {"mcp-param-place": "=?base64?IFrDvHJpY2g=?="},
        {},
    ]


async def test_an_older_server_is_sent_no_such_header() -> None:
    calls = Calls()
    with serving("http") as url:
        async with talk(Http(url, era="legacy", http_client=calls.client)) as line:
            assert await line.says("near", {"place": "Bern"}) == "1 from Bern"
    assert calls.headers == [{}]
