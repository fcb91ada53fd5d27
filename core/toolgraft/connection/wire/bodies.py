"""Bodies of HTTP answers, read within a limit, and the messages in them."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any, Final, cast

import httpx2
from mcp.shared.message import SessionMessage
from mcp_types import INTERNAL_ERROR, ErrorData, JSONRPCError, JSONRPCMessage, JSONRPCRequest, JSONRPCResponse
from mcp_types import jsonrpc_message_adapter as any_message

from toolgraft.connection.record import UNREADABLE, TooLarge
from toolgraft.connection.wire.failures import NotMcp
from toolgraft.connection.wire_json import read_json

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
                raise TooLarge(None, limit)
            pieces.append(chunk)
            if size > limit:
                break
    finally:
        await response.aclose()
    return b"".join(pieces)[:limit]


def read_message(body: bytes, request: JSONRPCRequest | None) -> SessionMessage:
    """The message of a body.

    What answers `request` without naming it, as servers do that fail before they have read it, is given its id. A
    JSON-RPC error of another shape keeps its reason.

    Raises:
        NotMcp: It is no message.
    """
    try:
        given: Any = read_json(body)
    except ValueError as error:
        raise NotMcp(UNREADABLE) from error
    if not isinstance(given, dict):
        raise NotMcp(UNREADABLE)
    return SessionMessage(_message(cast("dict[str, Any]", given), request))


def _message(given: dict[str, Any], request: JSONRPCRequest | None) -> JSONRPCMessage:
    error = given.get("error")
    try:
        if error is not None and "method" not in given and "result" not in given:
            return JSONRPCError(jsonrpc="2.0", id=_id(given, request), error=error_data(error))
        if isinstance(given.get("result"), dict) and "method" not in given:
            return JSONRPCResponse(jsonrpc="2.0", id=_id(given, request), result=given["result"])
        return any_message.validate_python(given, by_name=False)
    except ValueError as wrong:
        raise NotMcp(UNREADABLE) from wrong


def _id(given: dict[str, Any], request: JSONRPCRequest | None) -> Any:
    """The id of an answer; the request's own where it is left out, or says the same as a string."""
    found: object = given.get("id")
    if request is None:
        return found
    if found is None or found == "" or found == request.id or found == str(request.id) or "error" in given:
        return request.id
    return found


def error_data(error: object) -> ErrorData:
    """A JSON-RPC error, also one of another shape: its reason is what counts."""
    if not isinstance(error, dict):
        return ErrorData(code=INTERNAL_ERROR, message=str(error)[:10_000])
    given = cast("dict[str, Any]", error)
    code, message = given.get("code"), given.get("message")
    if not isinstance(message, str):
        message = next((given[key] for key in ("detail", "error", "msg") if isinstance(given.get(key), str)), None)
    return ErrorData(
        code=code if isinstance(code, int) and not isinstance(code, bool) else INTERNAL_ERROR,
        message=message if isinstance(message, str) else str(given)[:10_000],
        data=given.get("data"),
    )
