"""The text of a message → the message, as it was meant: what strict readers refuse is understood where it can be."""

from __future__ import annotations

import re
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

from toolgraft.connection.wire.lenient_json import read_json
from toolgraft.connection.wire.unreadable import Unreadable, too_many_values
from toolgraft.content.size import has_more_values
from toolgraft.content.text import compact

_HEAD: Final = 4096
_BLANK: Final = b" \t\r\x00\xef\xbb\xbf"
_REASONS: Final = ("detail", "error", "reason", "title", "msg")
_ID: Final = re.compile(rb'"id"\s*:\s*(\d{1,18}|"[^"\\]{1,64}")')
_LAST_ID: Final = re.compile(_ID.pattern + rb'\s*(,\s*"jsonrpc"\s*:\s*"2\.0"\s*)?\}\s*$')
_TAIL: Final = 256


def parse(text: bytes, asked: RequestId | None = None, *, most: int) -> SessionMessage | Exception:
    """One message; what is none comes back as the exception that says so.

    What answers a request is taken as it is meant: only its id must be one of JSON-RPC's. What servers make of an
    error (a text, an object without a code) stays one.

    Args:
        text: The text.
        asked: The one request that it can answer. Servers that fail before they have read it leave its id out, or
            write it as a string.
        most: JSON values in it that are taken; with more it comes back as `TooLarge`, and is not read.
    """
    if not text.lstrip(_BLANK).startswith(b"{"):
        return ValueError("it is no JSON object")
    if has_more_values(text, most):
        return too_many_values(most, _naming_id(text))
    try:
        given: Any = read_json(text)
    except ValueError as error:
        answered = id_in(text[:_HEAD])
        return error if answered is None else Unreadable(answered)
    members = cast("dict[str, Any]", given) if isinstance(given, dict) else {"method": None}
    message = _answer(members, asked) if "method" not in members else None
    if message is not None:
        return message
    try:
        return SessionMessage(jsonrpc_message_adapter.validate_python(given, by_name=False))
    except ValueError as error:
        return error


def _answer(given: dict[str, Any], asked: RequestId | None) -> SessionMessage | Exception | None:
    """A result or an error; None for what is neither."""
    named, error, result = given.get("id"), given.get("error"), given.get("result")
    failed = error is not None and not isinstance(result, dict)  # some name both, the other one null
    request_id = _id(named)
    stray = isinstance(named, int) and named != asked
    if asked is not None and ((failed and not stray) or named in (None, "", asked, str(asked))):
        request_id = asked
    if failed and (request_id is not None or named is None):
        return SessionMessage(JSONRPCError(jsonrpc="2.0", id=request_id, error=_error(error)))
    if request_id is None:
        return None
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


def _naming_id(text: bytes) -> bytes:
    """The part of a message that names the request that it answers: its end, where it names it there."""
    last = _LAST_ID.search(text[-_TAIL:])
    return text[:_HEAD] if last is None else last[0]


def id_in(head: bytes) -> RequestId | None:
    """The request that a message answers, as far as its beginning tells; for messages that cannot be read whole."""
    match = _ID.search(head)
    if match is None:
        return None
    found = match[1].decode(errors="replace")
    return found[1:-1] if found.startswith('"') else int(found)
