"""Whether a refusal means that a server does not know our session any more, and so refused before anything ran."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Final, TypeAlias

import anyio
from mcp_types import JSONRPCRequest

from toolgraft.connection.wire.http.failures import OUTAGE
from toolgraft.connection.wire.in_flight import Failure, WireError

EXPIRED: Final = frozenset({400, 404})
"""How an expired session is refused: by 404, as the protocol says (MCP: session management); old SDKs say 400."""

_SECONDS: Final = 5.0
_ID: Final = re.compile(r'"id"\s*:\s*("(?:[^"\\]|\\.)*"|[^\s,}]+)\s*,?')

Ask: TypeAlias = Callable[[JSONRPCRequest], Awaitable[Failure | None]]
"""Makes a request on the session, and gives how it is refused, or None."""


class SessionCheck:
    """Finds out what refusals mean for a session.

    A tool may answer with every status and every word that an expired session is refused with. So what worked before on
    the session is asked again, the tool list: only a server that refuses that in the same way has refused the session.
    That nothing ran before is taken as known only where the words are of the session, and the same for both.
    """

    def __init__(self, ask: Ask) -> None:
        self._ask = ask
        self._refusal: Failure | None = None
        self._asking: set[asyncio.Task[Failure | None]] = set()

    @property
    def lost(self) -> bool:
        """Whether it was refused once, with all that is asked on it."""
        return self._refusal is not None

    async def judged(self, failure: Failure) -> Failure:
        """A refusal of a request on the session, with what it means for the session.

        How the session is refused is remembered: of calls at once, each is judged by it.
        """
        if not _may_be_of_the_session(failure):
            return failure
        again = self._refusal or await self._asked(failure)
        again = self._refusal or again  # another was quicker
        if again is None or again.http_status != failure.http_status:
            return failure
        alike = _without_id(again.body) == _without_id(failure.body)
        if failure.http_status in EXPIRED:
            before = alike and _names_the_session(failure)
            judged = replace(failure, session="expired", ran=failure.ran if before else "perhaps")
        elif alike:
            judged = replace(failure, session="refused")
        else:
            return failure
        self._refusal = again
        return judged

    async def end(self) -> None:
        """Wait for what is asked, which is not for long."""
        if self._asking:
            await asyncio.wait(self._asking)

    async def _asked(self, failure: Failure) -> Failure | None:
        """Ask in a task: who waits may leave, and the end of the connection, which tells the same, ends no question."""
        task = asyncio.get_running_loop().create_task(self._list(f"session-{failure.http_status}"))
        self._asking.add(task)
        task.add_done_callback(self._asking.discard)
        return await asyncio.shield(task)

    async def _list(self, request_id: str) -> Failure | None:
        request = JSONRPCRequest(jsonrpc="2.0", id=request_id, method="tools/list")
        with anyio.move_on_after(_SECONDS):
            try:
                return await self._ask(request)
            except WireError:
                return None
        return None


def _may_be_of_the_session(failure: Failure) -> bool:
    """Whether it is worth asking: not where a gateway or a login refuses, unless it speaks of sessions."""
    status = failure.http_status
    if status is not None and 400 <= status <= 500 and status not in OUTAGE:
        return True
    return _names_the_session(failure)


def _names_the_session(failure: Failure) -> bool:
    """Whether its words are of a session, as those of every SDK are: a tool that ran may say `Not found` too."""
    return "session" in failure.body.lower()


def _without_id(body: str) -> str:
    """What an answer says, whichever request it was given to."""
    return _ID.sub("", body).strip()
