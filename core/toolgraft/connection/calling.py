"""One request on an open connection: its limit, its input rounds, and what is done when it fails."""

from __future__ import annotations

import asyncio
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
from toolgraft.connection.headers import HeadersFailed
from toolgraft.connection.isolation import WireError
from toolgraft.connection.keeper import Keeper
from toolgraft.connection.lanes import Lanes
from toolgraft.connection.link import Link
from toolgraft.connection.ongoing import Ongoing
from toolgraft.connection.record import CURRENT, Record
from toolgraft.connection.state import State
from toolgraft.connection.translate import call_error
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

    def __init__(self, lanes: Lanes, questions: Questions, in_flight: Ongoing) -> None:
        self._lanes = lanes
        self._questions = questions
        self.in_flight = in_flight

    async def request(
        self, request: types.Request[Any, Any], record: Record, limit: Deadline, *, repeatable: bool
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

    async def _settled(self, request: types.Request[Any, Any], record: Record, repeatable: bool) -> Mapping[str, Any]:
        """Send until there is an answer or no reason to send again."""
        keeper = self._lanes.main if self._lanes.single else await self._lane(record)
        for resends in range(RESENDS + 1):
            link = keeper.link if keeper.state is State.OPEN else None
            if link is None:
                link = await self._linked(keeper, record)
            marks = keeper.fresh.marks(record.ref)
            record.headers = mcp_param_headers(marks, record.arguments) if marks else {}
            try:
                return await self._questions.drive(request, record, _sender(link, record))
            except (MCPError, WireError) as error:
                failed = call_error(record, error, link)
                if not await self._again(keeper, link, record, failed, repeatable) or resends == RESENDS:
                    raise _outcome(failed, record, repeatable, closed=keeper.state is State.CLOSED) from error
                record.handed, record.failure = False, None
        raise AssertionError("unreachable")

    async def _lane(self, record: Record) -> Keeper:
        try:
            return await self._lanes.keeper(record)
        except (ClosedError, asyncio.CancelledError):
            raise
        except (ConnectError, HeadersFailed) as error:
            reason = error.reason if isinstance(error, ConnectError) else str(error)
            raise TransportError(record.ref, record.said(f"it is not connected: {reason}"), sent=False) from error

    async def _linked(self, keeper: Keeper, record: Record) -> Link:
        try:
            return await keeper.linked()
        except ConnectError as error:
            raise TransportError(record.ref, record.said(f"it is not connected: {error.reason}"), sent=False) from error

    async def _again(self, keeper: Keeper, link: Link, record: Record, failed: CallError, repeatable: bool) -> bool:
        """Whether to send once more: only what cannot run twice by it."""
        if record.failure is not None and record.failure.expired and not record.reopened:
            keeper.lose(link, "its session expired")
            record.reopened = True
            return True  # it was refused, not run
        if isinstance(failed, ProtocolError):
            return failed.code == types.HEADER_MISMATCH and await self._relisted(keeper, link, record)
        if not isinstance(failed, TransportError) or keeper.state is State.CLOSED:
            return False
        if link.lost:
            return repeatable or not failed.sent
        return repeatable and failed.sent and failed.http_status is None

    async def _relisted(self, keeper: Keeper, link: Link, record: Record) -> bool:
        """The tool's schema changed since it was listed, and the server refused the call for it (SEP-2243)."""
        if record.relisted or not link.marks_count:
            return False
        record.relisted = True
        await keeper.listing(refresh=True)
        return True


def _sender(link: Link, record: Record) -> Callable[[types.Request[Any, Any]], Awaitable[dict[str, Any]]]:
    """Sends on a link; asks for progress only where that counts or is listened to."""
    clock = record.clock
    counts = clock is not None and clock.wants_progress
    if not counts and record.on_progress is None:
        return link.fetch
    return lambda request: link.fetch(request, record.progressed)


def checked_arguments(record: Record, arguments: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments, if they are JSON: what is not would end the whole HTTP transport of the SDK.

    Raises:
        ArgumentsError: They are not.
    """
    return _checked(record, arguments, "/")


def checked_meta(record: Record, meta: Mapping[str, Any]) -> dict[str, Any]:
    """What a caller wants sent as `_meta`, if it is JSON and leaves the protocol's own names alone.

    Raises:
        ArgumentsError: It is not.
    """
    if reserved := sorted(name for name in meta if name == "progressToken" or name.startswith(RESERVED)):
        raise ArgumentsError(record.ref, [f"_meta: {reserved[0]!r} is the protocol's own name"])
    return _checked(record, meta, "_meta")


def _checked(record: Record, value: Mapping[str, Any], where: str) -> dict[str, Any]:
    try:
        _ENCODER.encode(value).encode()
    except (TypeError, ValueError, RecursionError) as error:
        raise ArgumentsError(record.ref, [f"{where}: not JSON: {error}"]) from error
    return dict(value)


def _outcome(failed: CallError, record: Record, repeatable: bool, *, closed: bool) -> CallError | ClosedError:
    """What to tell of a failure: that a side effect may have happened, where that is so."""
    lost_answer = isinstance(failed, TransportError) and failed.sent and failed.http_status is None
    if lost_answer and not repeatable:
        unknown = ToolOutcomeUnknownError(
            record.ref,
            f"it was sent and its answer was lost, so it may or may not have run ({failed.reason}); "
            "it was not sent again: look whether it happened before you repeat it",
        )
        unknown.__cause__ = failed
        return unknown
    if closed and isinstance(failed, TransportError):
        return ClosedError("the connection was closed while the call was on its way")
    return failed
