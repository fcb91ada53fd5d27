"""Bytes that come in pieces → lines → messages, never more than a limit in memory."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final, cast

from mcp.shared.message import SessionMessage
from mcp_types import (
    INTERNAL_ERROR,
    ErrorData,
    JSONRPCError,
    JSONRPCResponse,
    RequestId,
    jsonrpc_message_adapter,
)

from toolgraft.connection.record import TooLarge, Unreadable
from toolgraft.connection.wire_json import read_json
from toolgraft.content.text import compact

_HEAD: Final = 4096
_BLANK: Final = b" \t\r\x00\xef\xbb\xbf"
_REASONS: Final = ("detail", "error", "reason", "title", "msg")
_ID: Final = re.compile(rb'"id"\s*:\s*(\d{1,18}|"[^"\\]{1,64}")')


class Cutter:
    """Cuts bytes into lines. A line above the limit is dropped as it comes, but for its head."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._pieces: list[bytes] = []
        self._size = 0

    def feed(self, chunk: bytes) -> Iterator[bytes | TooLarge]:
        """The lines that a chunk completes, without their ends."""
        first, *others = chunk.split(b"\n")
        self._add(first)
        for piece in others:
            yield self._line()
            self._add(piece)

    def rest(self) -> bytes:
        """What has come of a line that is not complete."""
        return b"".join(self._pieces)

    def _add(self, piece: bytes) -> None:
        self._size += len(piece)
        if self._size <= self._limit:
            self._pieces.append(piece)
        else:  # the head usually names the request that is answered
            self._pieces = [b"".join([*self._pieces, piece])[:_HEAD]]

    def _line(self) -> bytes | TooLarge:
        line = self._pieces[0] if len(self._pieces) == 1 else b"".join(self._pieces)
        size, self._size = self._size, 0
        self._pieces = []
        return TooLarge(size, self._limit, line) if size > self._limit else line


class EventReader:
    """Server-sent events (WHATWG HTML, 9.2.6): the type and data of each; ids and retry times do not matter here."""

    def __init__(self, limit: int) -> None:
        self._cutter = Cutter(limit)
        self._limit = limit
        self._type = b""
        self._data: list[bytes] = []
        self._size = 0

    def feed(self, chunk: bytes) -> Iterator[tuple[str, bytes | TooLarge]]:
        """The events that a chunk completes."""
        for line in self._cutter.feed(chunk):
            if isinstance(line, TooLarge):
                self._type, self._data = b"", []
                yield "message", line
                continue
            line = line.removesuffix(b"\r")
            if not line:
                yield from self._dispatch()
                continue
            field, _, value = line.partition(b":")
            value = value.removeprefix(b" ")
            if field == b"event":
                self._type = value
            elif field == b"data":
                self._size += len(value)
                if self._size <= self._limit or not self._data:
                    self._data.append(value)

    def _dispatch(self) -> Iterator[tuple[str, bytes | TooLarge]]:
        kind, data, size = self._type.decode(errors="replace") or "message", self._data, self._size
        self._type, self._data, self._size = b"", [], 0
        if size > self._limit:
            yield kind, TooLarge(size, self._limit, data[0][:_HEAD])
        elif data:
            yield kind, data[0] if len(data) == 1 else b"\n".join(data)


def parse(text: bytes) -> SessionMessage | Exception:
    """One message; what is none comes back as the exception that says so.

    What answers a request is taken as it is meant: only its id must be one of JSON-RPC's. What servers make of an
    error (a text, an object without a code) stays one.
    """
    if not text.lstrip(_BLANK).startswith(b"{"):
        return ValueError("it is no JSON object")
    try:
        given: Any = read_json(text)
    except ValueError as error:
        answered = id_in(text[:_HEAD])
        return error if answered is None else Unreadable(answered)
    members = cast("dict[str, Any]", given) if isinstance(given, dict) else {"method": None}
    message = _answer(members) if "method" not in members else None
    if message is not None:
        return message
    try:
        return SessionMessage(jsonrpc_message_adapter.validate_python(given, by_name=False))
    except ValueError as error:
        return error


def _answer(given: dict[str, Any]) -> SessionMessage | Exception | None:
    """A result or an error; None for what is neither."""
    request_id = _id(given.get("id"))
    error = given.get("error")
    if error is not None and (request_id is not None or given.get("id") is None):
        return SessionMessage(JSONRPCError(jsonrpc="2.0", id=request_id, error=_error(error)))
    if request_id is None:
        return None
    result = given.get("result")
    if not isinstance(result, dict):
        return Unreadable(request_id)
    return SessionMessage(
        JSONRPCResponse.model_construct(jsonrpc="2.0", id=request_id, result=cast("dict[str, Any]", result))
    )


def _error(given: object) -> ErrorData:
    """An error of any shape, with its reason."""
    if not isinstance(given, dict):
        return ErrorData(code=INTERNAL_ERROR, message=given if isinstance(given, str) else compact(given))
    members = cast("dict[str, object]", given)
    code, message = members.get("code"), members.get("message")
    if not isinstance(message, str):
        message = next((each for key in _REASONS if isinstance(each := members.get(key), str)), None) or compact(given)
    if not isinstance(code, int) or isinstance(code, bool):
        code = INTERNAL_ERROR
    return ErrorData(code=code, message=message, data=members.get("data"))


def _id(given: object) -> RequestId | None:
    """A request's id; JavaScript may write 7 as 7.0."""
    if isinstance(given, float) and given.is_integer():
        return int(given)
    return given if isinstance(given, int | str) and not isinstance(given, bool) else None


def id_in(head: bytes) -> RequestId | None:
    """The request that a message answers, as far as its beginning tells; for messages that cannot be read whole."""
    match = _ID.search(head)
    if match is None:
        return None
    found = match[1].decode(errors="replace")
    return found[1:-1] if found.startswith('"') else int(found)
