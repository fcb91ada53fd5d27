"""Foreign errors → ours, once, here: with server, target and root cause, and no text of task groups."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

import mcp_types as types
from mcp import MCPError
from pydantic import ValidationError

from toolgraft.connection.wire.in_flight import InFlight, WireError
from toolgraft.errors import CallError, ConnectError, ProtocolError, ResultError, TransportError

if TYPE_CHECKING:
    from toolgraft.config.servers import Server
    from toolgraft.connection.wire.opener import Opener


def root(error: BaseException) -> BaseException:
    """The first real cause inside groups of errors."""
    while isinstance(error, BaseExceptionGroup):
        inside = cast("tuple[BaseException, ...]", error.exceptions)
        error = next((each for each in inside if isinstance(root(each), Exception)), inside[0])
    return error


def connect_error(config: Server, error: BaseException, way: Opener, *, doing: str = "") -> ConnectError:
    """Why a server could not be reached."""
    cause = root(error)
    reason = way.explain(cause) or _sentence(config, cause, doing)
    story = way.child.story() if way.child is not None else ""
    made = ConnectError(config.name, config.target, f"{reason}; {story}" if story else reason)
    made.__cause__ = cause
    if isinstance(cause, WireError) and cause.failure.cause is not None and cause.failure.session == "open":
        made.__cause__ = cause.failure.cause
    return made


def _sentence(config: Server, cause: BaseException, doing: str) -> str:
    text = " ".join(str(cause).split())[:500]
    match cause:
        case WireError():
            return cause.failure.reason
        case FileNotFoundError() | NotADirectoryError():
            return f"no such file: {cause.filename or text}"
        case MCPError() if cause.code == types.CONNECTION_CLOSED:
            return "it ended the connection before the handshake was done"
        case MCPError():
            return f"it answered {doing or 'the handshake'} with an error: {cause.message} (error {cause.code})"
        case ValidationError():
            return "it does not speak MCP: its answer to the handshake is not valid"
        case _:
            return text or type(cause).__name__


def call_error(in_flight: InFlight, error: MCPError | WireError) -> CallError:
    """Why a call failed: by the server's own JSON-RPC error, or on the wire."""
    if isinstance(error, MCPError):
        return ProtocolError(in_flight.ref, in_flight.said(error.message), code=error.code, data=error.data)
    failure = error.failure
    if failure.too_large:
        return ResultError(in_flight.ref, in_flight.said(f"the tool ran, but {failure.reason}"))
    made = TransportError(
        in_flight.ref,
        in_flight.said(failure.reason),
        sent=failure.sent,
        http_status=failure.http_status,
        retry_after=failure.retry_after,
        www_authenticate=failure.www_authenticate,
    )
    made.__cause__ = failure.cause
    return made


def not_connected(in_flight: InFlight, error: ConnectError | WireError) -> TransportError:
    """A call that never left, since there is no connection."""
    reason = error.reason if isinstance(error, ConnectError) else error.failure.reason
    made = TransportError(in_flight.ref, in_flight.said(f"it is not connected: {reason}"), sent=False)
    made.__cause__ = error.failure.cause if isinstance(error, WireError) else error
    return made
