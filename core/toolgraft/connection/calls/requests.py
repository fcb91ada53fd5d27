"""One request on an open connection: its limit, its input rounds, and what is done when it fails."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Final

import mcp_types as types
from mcp import MCPError
from mcp.shared.inbound import mcp_param_headers
from sniffio import current_async_library_cvar

from toolgraft.connection.calls.elicitation import Questions
from toolgraft.connection.events import Emit, Retried
from toolgraft.connection.session.live_client import LiveClient
from toolgraft.connection.session.session import Session
from toolgraft.connection.session.sessions import Sessions
from toolgraft.connection.session.state import State
from toolgraft.connection.wire.clock import Clock
from toolgraft.connection.wire.foreign_errors import call_error, not_connected
from toolgraft.connection.wire.in_flight import CURRENT, InFlight, WireError
from toolgraft.errors import (
    ArgumentsError,
    CallError,
    ClosedError,
    ConnectError,
    DeadlineError,
    ProtocolError,
    ToolOutcomeUnknownError,
    TransportError,
)

RESENDS: Final = 2
"""How often one call may be sent again, when it may be sent again at all."""

RESERVED: Final = "io.modelcontextprotocol/"
"""How the names in `_meta` begin that are the protocol's own (MCP: General fields, `_meta`)."""

_ENCODER: Final = json.JSONEncoder(allow_nan=False, ensure_ascii=False)


class Requests:
    """Makes the requests of one connection."""

    def __init__(self, sessions: Sessions, questions: Questions, emit: Emit) -> None:
        self._sessions = sessions
        self._questions = questions
        self._emit = emit

    async def send(self, request: types.Request[Any, Any], in_flight: InFlight) -> Mapping[str, Any]:
        """Send a request and give its result as it came over the wire.

        Raises:
            CallError: It failed; the class says how.
            ClosedError: The connection is closed.
            BaseException: What a function of the declaration raised by which the host steers its run.
        """
        token = CURRENT.set(in_flight)
        library = current_async_library_cvar.set("asyncio")  # or each wait of the SDK looks it up
        try:
            async with Clock(in_flight.deadline) as in_flight.clock:
                return await self._settled(request, in_flight)
        except TimeoutError as error:
            limit = in_flight.deadline
            may_have_run = in_flight.handed and not in_flight.repeatable
            raise DeadlineError(
                in_flight.ref, limit=limit.seconds or 0.0, source=limit.source, may_have_run=may_have_run
            ) from error
        finally:
            current_async_library_cvar.reset(library)
            CURRENT.reset(token)

    async def _settled(self, request: types.Request[Any, Any], in_flight: InFlight) -> Mapping[str, Any]:
        """Send on the session of the caller."""
        if self._sessions.single:
            return await self._sent(self._sessions.main, request, in_flight)
        try:
            async with self._sessions.of(in_flight) as session:
                return await self._sent(session, request, in_flight)
        except (ConnectError, WireError) as error:
            _steered(in_flight, error)
            raise not_connected(in_flight, error) from error.__cause__

    async def _sent(self, session: Session, request: types.Request[Any, Any], in_flight: InFlight) -> Mapping[str, Any]:
        """Send until there is an answer or no reason to send again."""
        for resends in range(RESENDS + 1):
            client = session.client if session.state is State.OPEN else None
            if client is None:
                client = await self._connected(session, in_flight)
            marks = session.tool_list.marks(in_flight.ref)
            in_flight.headers = mcp_param_headers(marks, in_flight.call.arguments) if marks and in_flight.call else {}
            try:
                async with session.ongoing.running(in_flight, modern=client.modern):
                    return await self._questions.drive(request, in_flight, _sender(client, in_flight))
            except (MCPError, WireError) as error:
                _steered(in_flight, error)
                failed = call_error(in_flight, error)
                if not await self._again(session, client, in_flight, failed) or resends == RESENDS:
                    outcome = _outcome(failed, in_flight, closed=session.state is State.CLOSED)
                    raise outcome from outcome.__cause__ or error
                if in_flight.call is not None:
                    ref, call_id = in_flight.call.ref, in_flight.call.id
                    self._emit(Retried(ref.server, ref.tool, call_id, resends + 1, str(failed)))
        raise AssertionError("unreachable")

    async def _connected(self, session: Session, in_flight: InFlight) -> LiveClient:
        try:
            return await session.connected()
        except ConnectError as error:
            _steered(in_flight, error)
            raise not_connected(in_flight, error) from error

    async def _again(self, session: Session, client: LiveClient, in_flight: InFlight, failed: CallError) -> bool:
        """Whether to send once more: only what cannot run twice by it."""
        failure = in_flight.failure
        if failure is not None and failure.session != "open":
            session.lose(client, "its session expired")
            reopened, in_flight.reopened = in_flight.reopened, True
            refused = failure.session == "expired" and not failure.may_have_run
            return not reopened and (in_flight.repeatable or refused)
        if isinstance(failed, ProtocolError):
            return failed.code == types.HEADER_MISMATCH and await self._relisted(session, client, in_flight)
        if not isinstance(failed, TransportError) or session.state is State.CLOSED:
            return False
        if client.lost or session.client is not client or session.state is not State.OPEN:
            return in_flight.repeatable or not failed.sent
        return in_flight.repeatable and failed.sent and failed.http_status is None

    async def _relisted(self, session: Session, client: LiveClient, in_flight: InFlight) -> bool:
        """The tool's schema changed since it was listed, and the server refused the call for it (SEP-2243)."""
        if in_flight.relisted or not client.marks_count:
            return False
        in_flight.relisted = True
        await session.listing(refresh=True)
        return True


def _steered(in_flight: InFlight, error: ConnectError | MCPError | WireError) -> None:
    """Raise what a function of the declaration raised, where the host steers its run by that."""
    cause = error.failure.cause if isinstance(error, WireError) else error.__cause__
    if cause is not None and in_flight.steers(cause):
        raise cause


def _sender(client: LiveClient, in_flight: InFlight) -> Callable[[types.Request[Any, Any]], Awaitable[dict[str, Any]]]:
    """Sends on a client; asks for progress only where that counts or is listened to."""
    clock = in_flight.clock
    counts = clock is not None and clock.wants_progress
    if not counts and in_flight.on_progress is None:
        return client.fetch
    return lambda request: client.fetch(request, in_flight.progressed)


def checked_arguments(in_flight: InFlight, arguments: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments, if they are JSON: what is not would end the whole HTTP transport of the SDK.

    Raises:
        ArgumentsError: They are not.
    """
    return _checked(in_flight, arguments, "/")


def checked_meta(in_flight: InFlight, meta: Mapping[str, Any]) -> dict[str, Any]:
    """What a caller wants sent as `_meta`, if it is JSON and leaves the protocol's own names alone.

    Raises:
        ArgumentsError: It is not.
    """
    if reserved := sorted(name for name in meta if name == "progressToken" or name.startswith(RESERVED)):
        raise ArgumentsError(in_flight.ref, [f"_meta: {reserved[0]!r} is the protocol's own name"])
    return _checked(in_flight, meta, "_meta")


def _checked(in_flight: InFlight, value: Mapping[str, Any], where: str) -> dict[str, Any]:
    try:
        _ENCODER.encode(value).encode()
    except (TypeError, ValueError, RecursionError) as error:
        raise ArgumentsError(in_flight.ref, [f"{where}: not JSON: {error}"]) from error
    return dict(value)


def _outcome(failed: CallError, in_flight: InFlight, *, closed: bool) -> CallError | ClosedError:
    """What to tell of a failure: that a side effect may have happened, where that is so."""
    failure = in_flight.failure
    if not isinstance(failed, TransportError) or failure is None:
        return failed
    if failure.may_have_run and not in_flight.repeatable:
        return _unknown(failed, in_flight)
    if closed:
        return ClosedError("the connection was closed while the call was on its way")
    return failed


def _unknown(failed: TransportError, in_flight: InFlight) -> CallError:
    """A side effect that may have happened; an HTTP error keeps its status."""
    look = "look whether it happened before you repeat it"
    if failed.http_status is not None and failed.http_status >= 300:
        told = TransportError(
            in_flight.ref,
            f"{failed.reason}. It was sent and may have run: {look}",
            sent=True,
            http_status=failed.http_status,
            retry_after=failed.retry_after,
            www_authenticate=failed.www_authenticate,
            may_have_run=True,
        )
        told.__cause__ = failed.__cause__
        return told
    unknown = ToolOutcomeUnknownError(
        in_flight.ref,
        f"it was sent and its answer was lost, so it may have run, or not ({failed.reason}); "
        f"it was not sent again: {look}",
    )
    unknown.__cause__ = failed
    return unknown
