"""What else may be spoken with a server that could not be connected, e.g. one that ends at the probe."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Final, cast

import mcp_types as types
from mcp import MCPError
from mcp_types.version import HANDSHAKE_PROTOCOL_VERSIONS, MODERN_PROTOCOL_VERSIONS
from pydantic import ValidationError

from toolgraft.config.servers import Http
from toolgraft.connection.wire.in_flight import WireError

if TYPE_CHECKING:
    from toolgraft.config.servers import Server
    from toolgraft.connection.session.era import Spoken
    from toolgraft.connection.session.live_client import LiveClient
    from toolgraft.connection.wire.in_flight import Failure
    from toolgraft.errors import ConnectError

_REFUSALS: Final = frozenset({401, 403, 407, 408, 425, 429})
"""HTTP statuses that say nothing of what a server speaks."""


def other_mode(mode: str, config: Server, spoken: Spoken | None, error: ConnectError, client: LiveClient) -> str | None:
    """The mode to try after `mode` has failed, or None where another would fail in the same way.

    Args:
        mode: The one that failed.
        config: The server.
        spoken: What the server spoke last time, where that is known.
        error: How it failed.
        client: What failed. The next one is a new connection, to a new process where one is started.
    """
    era, child = config.era, client.child
    cause = error.__cause__
    answer = cause if isinstance(cause, MCPError) and cause.code != types.CONNECTION_CLOSED else None
    if mode == "legacy":  # by choice, or as remembered; then it may speak another protocol since
        return era if era != mode and (answer is not None or _is_foreign(cause)) else None
    if era != "auto":
        offered = None if answer is None else _offered(answer)
        return offered if offered != mode else None
    if child is not None and child.answered_late:
        return "auto"
    if spoken == "modern":
        return None
    if isinstance(cause, WireError):
        return "legacy" if _says_nothing(cause.failure) else None
    if isinstance(cause, MCPError) and not client.shook_hands:
        return "legacy" if answer is None or _is_spoilt_by_the_probe(answer, config) else None
    return None


def _is_foreign(cause: BaseException | None) -> bool:
    """Whether the older handshake was answered by what is no answer to it, as one may that knows another protocol."""
    if isinstance(cause, WireError):
        return 400 <= (cause.failure.http_status or 0) < 500 and _says_nothing(cause.failure)
    return isinstance(cause, ValidationError)


def _is_spoilt_by_the_probe(answer: MCPError, config: Server) -> bool:
    """Whether a server that refuses the older handshake may take it on a connection that begins with it."""
    return answer.code != types.UNSUPPORTED_PROTOCOL_VERSION and not isinstance(config, Http)


def _says_nothing(failure: Failure) -> bool:
    """Whether an answer to the probe may be that of an old server which does not know what it was asked."""
    return failure.sent and not failure.too_large and failure.http_status not in _REFUSALS


def _offered(error: MCPError) -> str | None:
    """The newest version that a server offers and we speak, as a mode."""
    if error.code != types.UNSUPPORTED_PROTOCOL_VERSION:
        return None
    data: Any = error.error.data
    given: object = cast("dict[str, object]", data).get("supported") if isinstance(data, dict) else None
    supported = cast("list[object]", given) if isinstance(given, list) else []
    if modern := _both(MODERN_PROTOCOL_VERSIONS, supported):
        return modern[-1]
    return "legacy" if _both(HANDSHAKE_PROTOCOL_VERSIONS, supported) else None


def _both(ours: Iterable[str], theirs: list[object]) -> list[str]:
    return [version for version in ours if version in theirs]
