"""Looks on at calls: how long each took, and what the server answered."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field

from toolgraft.calls import Call, Handler, Middleware
from toolgraft.config import Server
from toolgraft.hookspecs import hookimpl
from toolgraft.result import ABSENT, ToolResult
from toolgraft.spec import ToolRef


@dataclass(frozen=True, slots=True)
class Record:
    """One call on the wire.

    Attributes:
        seconds: From sending to the whole answer.
        structured: Whether the answer has a structured value.
    """

    seconds: float
    structured: bool


@dataclass(slots=True)
class Recorder:
    """A plugin that keeps a record of each call, by tool."""

    records: dict[ToolRef, list[Record]] = field(default_factory=dict[ToolRef, list[Record]])

    @hookimpl
    def toolgraft_middleware(self, server: Server) -> Sequence[Middleware]:
        """Look on at the calls of every server."""
        return [self._look_on]

    def take(self, ref: ToolRef) -> Record | None:
        """Take out the oldest record of a tool; None where the server was not called."""
        records = self.records.get(ref)
        return records.pop(0) if records else None

    async def _look_on(self, call: Call, handler: Handler) -> ToolResult:
        started = time.perf_counter()
        structured = False
        try:
            result = await handler(call)
            structured = result.structured is not ABSENT
            return result
        finally:
            record = Record(time.perf_counter() - started, structured)
            self.records.setdefault(call.spec.ref, []).append(record)
