"""Bodies of HTTP answers, read within a limit, and the messages in them."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Final

import httpx2
from mcp.shared.message import SessionMessage
from mcp_types import JSONRPCRequest

from toolgraft.connection.wire.http.failures import NotMcp
from toolgraft.connection.wire.http.said import reason_in
from toolgraft.connection.wire.messages import parse
from toolgraft.connection.wire.unreadable import UNREADABLE, TooLarge, too_many_bytes

ENCODINGS: Final = frozenset({"", "identity", "gzip", "x-gzip", "deflate"})
"""Content encodings that are taken: others can grow a small body without bound before anybody sees it."""


def kind_of(response: httpx2.Response) -> str:
    """The media type of an answer."""
    return response.headers.get("content-type", "").partition(";")[0].strip().lower()


async def chunks(response: httpx2.Response) -> AsyncIterator[bytes]:
    """The decoded body as it comes.

    Raises:
        NotMcp: It is encoded in a way that was not asked for.
    """
    encoding = response.headers.get("content-encoding", "").strip().lower()
    if encoding not in ENCODINGS:
        raise NotMcp(f"its answer has the content encoding {encoding[:40]!r}, which was not asked for")
    async for chunk in response.aiter_bytes():
        yield chunk


async def read_body(response: httpx2.Response, limit: int, *, cut: bool = False) -> bytes:
    """The decoded body, never more than `limit` of it and a chunk in memory.

    Raises:
        TooLarge: It is larger, and not to be `cut`.
    """
    pieces: list[bytes] = []
    size = 0
    try:
        async for chunk in chunks(response):
            size += len(chunk)
            if size > limit and not cut:
                raise too_many_bytes(None, limit)
            pieces.append(chunk)
            if size > limit:
                break
    finally:
        await response.aclose()
    return b"".join(pieces)[:limit]


def read_message(body: bytes, request: JSONRPCRequest | None, most: int) -> SessionMessage:
    """The message of a body.

    Args:
        body: The body.
        request: What it answers, where it can answer nothing else.
        most: JSON values in it that are taken.

    Raises:
        NotMcp: It is no message.
        TooLarge: It has more values.
    """
    read = parse(body, request.id if request is not None else None, most=most)
    if isinstance(read, TooLarge):
        raise read
    if isinstance(read, Exception):
        said = reason_in(body)
        raise NotMcp(f"{UNREADABLE}: {said}" if said else UNREADABLE) from read
    return read
