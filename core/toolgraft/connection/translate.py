"""Foreign errors → ours, once, here: with server, target and root cause, and no text of task groups."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final, cast

import httpx2
import mcp_types as types
from mcp import MCPError
from pydantic import ValidationError

from toolgraft.config.servers import Http, Sse, Stdio
from toolgraft.connection.isolation import WireError, failure_of
from toolgraft.connection.record import UNREADABLE, Failure
from toolgraft.errors import CallError, ConnectError, ProtocolError, ResultError, TransportError

if TYPE_CHECKING:
    from toolgraft.config.servers import Server
    from toolgraft.connection.child import Child
    from toolgraft.connection.link import Link
    from toolgraft.connection.record import Record

_MADE_BY_SDK: Final = (
    (types.CONNECTION_CLOSED, "SSE stream ended"),
    (types.PARSE_ERROR, "Failed to parse"),
    (types.PARSE_ERROR, UNREADABLE),
    (types.INVALID_REQUEST, "server answered a request with 202"),
    (types.INVALID_REQUEST, "Redirect to"),
)
"""Errors that the SDK makes up for an answer that did not come; a server's own go to the caller as they are."""

_STREAM_FAILED: Final = "SSE stream failed"
_EVENT_TOO_LARGE: Final = "Server-sent event exceeded"


def root(error: BaseException) -> BaseException:
    """The first real cause inside groups of errors."""
    while isinstance(error, BaseExceptionGroup):
        inside = cast("tuple[BaseException, ...]", error.exceptions)
        error = next((each for each in inside if isinstance(root(each), Exception)), inside[0])
    return error


def connect_error(config: Server, error: BaseException, child: Child | None, *, doing: str = "") -> ConnectError:
    """Why a server could not be reached."""
    cause = root(error)
    reason = _sentence(config, cause, doing)
    story = child.story() if child is not None else ""
    made = ConnectError(config.name, config.target, f"{reason}; {story}" if story else reason)
    made.__cause__ = cause
    return made


def _sentence(config: Server, cause: BaseException, doing: str) -> str:
    text = " ".join(str(cause).split())
    if isinstance(config, Http | Sse):
        text = text.replace(config.url, config.target)  # without the secrets in it
    text = text[:500]
    match cause:
        case WireError():
            return cause.failure.reason
        case httpx2.HTTPStatusError():
            return f"HTTP {cause.response.status_code} {cause.response.reason_phrase}".strip()
        case httpx2.TransportError():
            return failure_of(cause).reason
        case FileNotFoundError() | NotADirectoryError():
            return _missing(config, cause, text)
        case PermissionError():
            return f"not allowed to run it: {cause.filename or text}"
        case MCPError() if cause.code == types.CONNECTION_CLOSED:
            return "it ended the connection before the handshake was done"
        case MCPError():
            return f"it answered {doing or 'the handshake'} with an error: {cause.message} (error {cause.code})"
        case ValidationError():
            return "it does not speak MCP: its answer to the handshake is not valid"
        case _:
            return text or type(cause).__name__


def _missing(config: Server, cause: OSError, text: str) -> str:
    if isinstance(config, Stdio):
        if config.cwd is not None and not Path(config.cwd).is_dir():
            return f"no such folder: {config.cwd} (cwd)"
        program, *more = config.command.split(" ", 1)  # what follows may hold a secret
        apart = f"; give a command and its arguments apart: Stdio({program!r}, ...)" if more else ""
        return f"no such command: {program!r} is not on the PATH of the server{apart}"
    return f"no such file: {cause.filename or text}"


def call_error(record: Record, error: MCPError | WireError, link: Link) -> CallError:
    """Why a call failed."""
    if isinstance(error, WireError):
        record.fail(error.failure)
        return _wire_error(record, error.failure)
    failure = record.failure
    if failure is None and error.code == types.CONNECTION_CLOSED and link.lost:
        story = link.child.story() if link.child is not None else ""
        gone = "the server went away before it answered"
        failure = Failure(f"{gone}; {story}" if story else gone, sent=record.handed)
    if failure is None and any(error.code == code and error.message.startswith(text) for code, text in _MADE_BY_SDK):
        reason = UNREADABLE if error.code == types.PARSE_ERROR else error.message
        failure = Failure(reason, http_status=record.redirected)
    if failure is None and error.message.startswith(_STREAM_FAILED):
        too_large = _EVENT_TOO_LARGE in error.message
        setting = " (Limits.wire_bytes, or Http(max_sse_event_size=...))" if too_large else ""
        failure = Failure(error.message.rstrip(".") + setting, too_large=too_large)
    if failure is None:
        return ProtocolError(record.ref, record.said(error.message), code=error.code, data=error.data)
    return _wire_error(record, failure)


def _wire_error(record: Record, failure: Failure) -> CallError:
    """A failure on the wire as an error of the call."""
    if failure.too_large:
        return ResultError(record.ref, record.said(f"the tool ran, but {failure.reason}"))
    return TransportError(
        record.ref,
        record.said(failure.reason),
        sent=failure.sent,
        http_status=failure.http_status,
        retry_after=failure.retry_after,
        www_authenticate=failure.www_authenticate,
    )
