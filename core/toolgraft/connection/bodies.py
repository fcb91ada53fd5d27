"""Bodies of HTTP answers: read whole within a limit, checked, and put in the place of the original."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Callable
from typing import Any, Final, cast

import httpx2
from pydantic_core import to_json

from toolgraft.connection.record import UNREADABLE, Record, TooLarge
from toolgraft.connection.wire_json import read_json

_FRAMING: Final = frozenset({"content-encoding", "content-length", "transfer-encoding"})
_LARGE: Final = 32 * 1024


class NotMcp(Exception):
    """What answered is something else."""


class QuietBody(httpx2.AsyncByteStream):
    """A body that ends, rather than raises, when its connection breaks."""

    def __init__(self, inner: httpx2.AsyncByteStream, broke: Callable[[httpx2.TransportError], None]) -> None:
        self._inner = inner
        self._broke = broke

    async def __aiter__(self) -> AsyncIterator[bytes]:
        try:
            async for chunk in self._inner:
                yield chunk
        except httpx2.TransportError as error:
            self._broke(error)

    async def aclose(self) -> None:
        """Close the body."""
        await self._inner.aclose()


async def read_body(response: httpx2.Response, limit: int, *, cut: bool = False) -> bytes:
    """The decoded body, never more than `limit` of it in memory."""
    chunks: list[bytes] = []
    size = 0
    try:
        async for chunk in response.aiter_bytes():
            size += len(chunk)
            if size > limit and not cut:
                raise TooLarge(None, limit)
            chunks.append(chunk)
            if size > limit:
                break
    finally:
        await response.aclose()
    return b"".join(chunks)[:limit]


def checked_body(body: bytes, record: Record | None) -> bytes:
    """A body that the SDK can read; a large result goes round it, since its parser is slow."""
    try:
        message: Any = read_json(body)
    except ValueError as error:
        raise NotMcp(UNREADABLE) from error
    if not isinstance(message, dict):
        raise NotMcp(UNREADABLE)
    result = cast("dict[str, Any]", message).get("result")
    if "error" not in message and not isinstance(result, dict):
        raise NotMcp(UNREADABLE)
    if record is None or result is None or (len(body) < _LARGE and b"\\ud" not in body.lower()):
        return body
    record.raw = result
    return to_json({**message, "result": {}})


def with_body(response: httpx2.Response, body: bytes) -> httpx2.Response:
    """`response` with a body that has been read."""
    headers = [(key, value) for key, value in response.headers.multi_items() if key.lower() not in _FRAMING]
    copy = httpx2.Response(response.status_code, headers=headers, content=body, request=response.request)
    copy.next_request = response.next_request
    return copy


def is_rpc_error(response: httpx2.Response, body: bytes) -> bool:
    """Whether an answer's body is a JSON-RPC error."""
    if not response.headers.get("content-type", "").lower().startswith("application/json"):
        return False
    try:
        parsed: object = json.loads(body)
    except ValueError:
        return False
    return isinstance(parsed, dict) and "jsonrpc" in parsed and "error" in parsed
