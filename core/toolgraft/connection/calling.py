"""One request on an open connection: its limit, its input rounds, and what is done when it fails."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Final

import mcp_types as types
from mcp import MCPError
from mcp.shared.inbound import mcp_param_headers
from sniffio import current_async_library_cvar

from toolgraft.calls import Deadline
from toolgraft.connection.deadlines import Clock
from toolgraft.connection.elicitation import Questions
from toolgraft.connection.in_flight import CURRENT, InFlight, WireError
from toolgraft.connection.keeper import Keeper
from toolgraft.connection.link import Link
from toolgraft.connection.ongoing import Ongoing
from toolgraft.connection.sessions import Sessions
from toolgraft.connection.state import State
from toolgraft.connection.translate import call_error, not_connected
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


class Caller:
    """Makes the requests of one connection.

    Attributes:
        in_flight: The calls on their way.
    """

    def __init__(self, sessions: Sessions, questions: Questions, in_flight: Ongoing) -> None:
        self._sessions = sessions
        self._questions = questions
        self.in_flight = in_flight

    async def request(
        self, request: types.Request[Any, Any], record: InFlight, limit: Deadline, *, repeatable: bool
    ) -> Mapping[str, Any]:
        """Send a request and give its result as it came over the wire.

        Raises:
            CallError: It failed; the class says how.
            ClosedError: The connection is closed.
        """
        token = CURRENT.set(record)
        library = current_async_library_cvar.set("asyncio")  # or each wait of the SDK looks it up
        self.in_flight.add(record)
        try:
            async with Clock(limit) as record.clock:
                return await self._settled(request, record, repeatable)
        except TimeoutError as error:
            may_have_run = record.handed and not repeatable
            raise DeadlineError(
                record.ref, limit=limit.seconds or 0.0, source=limit.source, may_have_run=may_have_run
            ) from error
        finally:
            self.in_flight.discard(record)
            current_async_library_cvar.reset(library)
            CURRENT.reset(token)

    async def _settled(self, request: types.Request[Any, Any], record: InFlight, repeatable: bool) -> Mapping[str, Any]:
        """Send on the session of the caller."""
        if self._sessions.single:
            return await self._sent(self._sessions.main, request, record, repeatable)
        try:
            async with self._sessions.of(record) as keeper:
                return await self._sent(keeper, request, record, repeatable)
        except (ConnectError, WireError) as error:
            raise not_connected(record, error) from error.__cause__

    async def _sent(
        self, keeper: Keeper, request: types.Request[Any, Any], record: InFlight, repeatable: bool
    ) -> Mapping[str, Any]:
        """Send until there is an answer or no reason to send again."""
        for resends in range(RESENDS + 1):
            link = keeper.link if keeper.state is State.OPEN else None
            if link is None:
                link = await self._linked(keeper, record)
            marks = keeper.fresh.marks(record.ref)
            record.headers = mcp_param_headers(marks, record.arguments) if marks else {}
            try:
                return await self._questions.drive(request, record, _sender(link, record))
            except (MCPError, WireError) as error:
                failed = call_error(record, error)
                if not await self._again(keeper, link, record, failed, repeatable) or resends == RESENDS:
                    outcome = _outcome(failed, record, repeatable, closed=keeper.state is State.CLOSED)
                    raise outcome from outcome.__cause__ or error
        raise AssertionError("unreachable")

    async def _linked(self, keeper: Keeper, record: InFlight) -> Link:
        try:
            return await keeper.linked()
        except ConnectError as error:
            raise not_connected(record, error) from error

    async def _again(self, keeper: Keeper, link: Link, record: InFlight, failed: CallError, repeatable: bool) -> bool:
        """Whether to send once more: only what cannot run twice by it."""
        failure = record.failure
        if failure is not None and failure.expired:
            keeper.lose(link, "its session expired")
            reopened, record.reopened = record.reopened, True
            return not reopened and (repeatable or not failure.may_have_run)
        if isinstance(failed, ProtocolError):
            return failed.code == types.HEADER_MISMATCH and await self._relisted(keeper, link, record)
        if not isinstance(failed, TransportError) or keeper.state is State.CLOSED:
            return False
        if link.lost or keeper.link is not link or keeper.state is not State.OPEN:
            return repeatable or not failed.sent
        return repeatable and failed.sent and failed.http_status is None

    async def _relisted(self, keeper: Keeper, link: Link, record: InFlight) -> bool:
        """The tool's schema changed since it was listed, and the server refused the call for it (SEP-2243)."""
        if record.relisted or not link.marks_count:
            return False
        record.relisted = True
        await keeper.listing(refresh=True)
        return True


def _sender(link: Link, record: InFlight) -> Callable[[types.Request[Any, Any]], Awaitable[dict[str, Any]]]:
    """Sends on a link; asks for progress only where that counts or is listened to."""
    clock = record.clock
    counts = clock is not None and clock.wants_progress
    if not counts and record.on_progress is None:
        return link.fetch
    return lambda request: link.fetch(request, record.progressed)


def checked_arguments(record: InFlight, arguments: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments, if they are JSON: what is not would end the whole HTTP transport of the SDK.

    Raises:
        ArgumentsError: They are not.
    """
    return _checked(record, arguments, "/")


def checked_meta(record: InFlight, meta: Mapping[str, Any]) -> dict[str, Any]:
    """What a caller wants sent as `_meta`, if it is JSON and leaves the protocol's own names alone.

    Raises:
        ArgumentsError: It is not.
    """
    if reserved := sorted(name for name in meta if name == "progressToken" or name.startswith(RESERVED)):
        raise ArgumentsError(record.ref, [f"_meta: {reserved[0]!r} is the protocol's own name"])
    return _checked(record, meta, "_meta")


def _checked(record: InFlight, value: Mapping[str, Any], where: str) -> dict[str, Any]:
    try:
        _ENCODER.encode(value).encode()
    except (TypeError, ValueError, RecursionError) as error:
        raise ArgumentsError(record.ref, [f"{where}: not JSON: {error}"]) from error
    return dict(value)


def _outcome(failed: CallError, record: InFlight, repeatable: bool, *, closed: bool) -> CallError | ClosedError:
    """What to tell of a failure: that a side effect may have happened, where that is so."""
    failure = record.failure
    if not isinstance(failed, TransportError) or failure is None:
        return failed
    if failure.may_have_run and not repeatable:
        return _unknown(failed, record)
    if closed:
        return ClosedError("the connection was closed while the call was on its way")
    return failed


def _unknown(failed: TransportError, record: InFlight) -> CallError:
    """A side effect that may have happened; an HTTP error keeps its status."""
    look = "look whether it happened before you repeat it"
    if failed.http_status is not None and failed.http_status >= 400:
        told = TransportError(
            record.ref,
            f"{failed.reason}. It was sent and may have run: {look}",
            sent=True,
            http_status=failed.http_status,
            retry_after=failed.retry_after,
            www_authenticate=failed.www_authenticate,
        )
        told.__cause__ = failed.__cause__
        return told
    unknown = ToolOutcomeUnknownError(
        record.ref,
        f"it was sent and its answer was lost, so it may have run, or not ({failed.reason}); "
        f"it was not sent again: {look}",
    )
    unknown.__cause__ = failed
    return unknown
