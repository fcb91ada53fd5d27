"""Whose turn it is at a server that may ask a person and does not say for which call (MCP before 2026-07-28).

Over stdio, and wherever questions come apart from the answers, nothing in a question names the call that it belongs to.
It is known all the same where one call runs alone. So calls that may ask take turns: one runs; while a person is asked
for it, the next one does; the answer then waits for its turn. A tool that was called without asking goes beside others.
So does a call that has waited long enough: one that hangs must not keep all others from running.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from contextlib import nullcontext
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from toolgraft.connection.wire.in_flight import InFlight

LONGEST: Final = 30.0
"""Seconds that a call waits for its turn, and not longer than its own limit is."""


class Turns:
    """The turns of one session.

    Attributes:
        needed: Nothing else tells which call asks.
    """

    def __init__(self, *, needed: bool) -> None:
        self.needed = needed
        self._running: InFlight | None = None
        self._line: OrderedDict[InFlight, asyncio.Future[None]] = OrderedDict()
        self._quiet: set[str] = set()
        self._asking: set[str] = set()

    async def take(self, call: InFlight) -> None:
        """Wait until a call may run; its clock stands still meanwhile, for the server does nothing for it.

        When it has waited long enough it runs beside the one whose turn it is. A question that comes then may be of
        either of them, and is put to a person without the name of a tool.
        """
        if not self._wanted(call):
            return
        if self._running is None:
            self._running = call
        if self._running is call:
            return
        turn = self._line.setdefault(call, asyncio.get_running_loop().create_future())
        with call.clock.paused() if call.clock is not None else nullcontext():
            await asyncio.wait([turn], timeout=min(LONGEST, call.deadline.seconds or LONGEST))
        if not turn.done():
            self._line.pop(call, None)

    def leave(self, call: InFlight) -> None:
        """A call runs no more, or not now: the next one may."""
        if (turn := self._line.pop(call, None)) is not None:
            turn.set_result(None)
        if self._running is call:
            self._running = None
            if self._line:
                self._running, turn = self._line.popitem(last=False)
                turn.set_result(None)

    def asked(self, call: InFlight) -> None:
        """A call asks, or may be the one that does."""
        if call.ref is not None:
            self._asking.add(call.ref.tool)
            self._quiet.discard(call.ref.tool)

    def answered(self, call: InFlight) -> None:
        """A call has had its answer, or all of its time."""
        if not call.questions and call.ref is not None and call.ref.tool not in self._asking:
            self._quiet.add(call.ref.tool)
            self._let_go()

    def end(self) -> None:
        """Something else tells which call asks: there is nothing to take turns for."""
        self.needed = False
        self._let_go()

    def _wanted(self, call: InFlight) -> bool:
        return self.needed and call.ref is not None and call.ref.tool not in self._quiet

    def _let_go(self) -> None:
        """Let those run that need no turn any more."""
        for call in [call for call in self._line if not self._wanted(call)]:
            self._line.pop(call).set_result(None)
