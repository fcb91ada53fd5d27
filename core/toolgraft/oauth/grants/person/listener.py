"""A loopback address that the browser is sent back to (RFC 8252 section 7.3): one request is taken, then it is gone."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, suppress
from html import escape
from typing import Final
from urllib.parse import parse_qs, urlsplit

PATH: Final = "/callback"
_HEAD_BYTES: Final = 16 * 1024
_SECONDS: Final = 10.0
_AT_ONCE: Final = 20
"""Connections that are heard at the same time; more are hung up on."""

_HEADERS: Final = (
    "Content-Type: text/html; charset=utf-8\r\nCache-Control: no-store\r\nReferrer-Policy: no-referrer\r\n"
    "Content-Security-Policy: default-src 'none'; style-src 'unsafe-inline'\r\nX-Content-Type-Options: nosniff\r\n"
    "Connection: close\r\n"
)
_PAGE: Final = (
    '<!doctype html><html lang="en"><meta charset="utf-8"><title>{title}</title>'
    '<body style="font-family: sans-serif; margin: 20vh auto; max-width: 30em; text-align: center">'
    "<h1>{title}</h1><p>{text}</p></body></html>"
)


class Listener:
    """Hears the browser that comes back.

    Attributes:
        redirect_uri: Where it is sent.
        strangers: Requests that were not the one that is waited for.
    """

    def __init__(self, redirect_uri: str) -> None:
        self.redirect_uri = redirect_uri
        self.strangers = 0
        self._came: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        self._state: str | None = None
        self._open = 0

    def expects(self, state: str) -> None:
        """From now on the browser may come, with this state."""
        self._state = state

    async def heard(self) -> str:
        """The whole URL that it came back with."""
        return await self._came

    async def hear(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Answer one connection. Nothing of what it says is shown on a page."""
        self._open += 1
        try:
            if self._open <= _AT_ONCE:
                async with asyncio.timeout(_SECONDS):
                    head = await reader.readuntil(b"\r\n\r\n")
                    writer.write(self._answer(head))
                    await writer.drain()
        except (TimeoutError, OSError, asyncio.IncompleteReadError, asyncio.LimitOverrunError, ValueError):
            pass
        finally:
            self._open -= 1
            writer.close()
            with suppress(OSError):
                await writer.wait_closed()

    def _answer(self, head: bytes) -> bytes:
        lines = head.decode("latin-1").split("\r\n")
        method, _, rest = lines[0].partition(" ")
        target = rest.rpartition(" ")[0]
        hosts = [line.partition(":")[2].strip() for line in lines[1:] if line.lower().startswith("host:")]
        here = urlsplit(self.redirect_uri)
        if method != "GET" or hosts != [here.netloc] or urlsplit(target).path != (here.path or "/"):
            return self._stranger("404 Not Found")
        given = parse_qs(urlsplit(target).query, keep_blank_values=True)
        states = given.get("state", [])
        expected = self._state
        if expected is None or len(states) != 1 or not secrets.compare_digest(states[0].encode(), expected.encode()):
            return self._stranger("400 Bad Request")
        if self._came.done():
            return self._stranger("410 Gone")
        self._came.set_result(f"{self.redirect_uri.partition('?')[0]}?{urlsplit(target).query}")
        if "error" in given:
            return _page("200 OK", "Not signed in", "The sign-in was not completed. The program says more.")
        return _page("200 OK", "Thank you", "You can close this window and go back to your program.")

    def _stranger(self, status: str) -> bytes:
        self.strangers += 1
        return _page(status, "Nothing here", "This is not the answer that is waited for.")


@asynccontextmanager
async def listening(wanted: str | None) -> AsyncGenerator[Listener]:
    """Listen at a loopback URI, or at a free port where none is wanted.

    Raises:
        OSError: Somebody else listens there.
    """
    uri = urlsplit(wanted or f"http://127.0.0.1{PATH}")
    host = uri.hostname or "127.0.0.1"
    listener: list[Listener] = []

    async def hear(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await listener[0].hear(reader, writer)

    hosts = ["127.0.0.1"] if host == "localhost" else [host]
    server = await asyncio.start_server(hear, hosts, uri.port or 0, limit=_HEAD_BYTES)
    port = server.sockets[0].getsockname()[1]
    shown = f"[{host}]" if ":" in host else host
    listener.append(Listener(uri._replace(netloc=f"{shown}:{port}").geturl()))
    try:
        yield listener[0]
    finally:
        server.close()


def _page(status: str, title: str, text: str) -> bytes:
    body = _PAGE.format(title=escape(title), text=escape(text)).encode()
    return f"HTTP/1.1 {status}\r\n{_HEADERS}Content-Length: {len(body)}\r\n\r\n".encode() + body
