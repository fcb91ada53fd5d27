"""Calls that were decided and are done: a host that carries them out again, on a resume, is given what came of them.

A LangGraph node that runs all calls of a turn runs those that are done again when another one of them was asked about.
An answer is used once; the second time there is what came of it the first time.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from concurrent.futures import Future
from typing import Final, TypeAlias

from toolgraft.config import CallId
from toolgraft.errors import RejectedError
from toolgraft.result import ToolResult

Key: TypeAlias = "tuple[CallId, str]"
"""Which call of the host's, and its digest."""

_MOST: Final = 1_000
"""Calls whose results are kept."""


class Finished:
    """What came of calls, and calls on their way, by call of the host's. Any loop may ask."""

    def __init__(self) -> None:
        self._runs: OrderedDict[Key, Future[ToolResult]] = OrderedDict()

    async def result(self, key: Key | None, start: Callable[[], Awaitable[ToolResult]]) -> ToolResult:
        """Give what came of a call, or wait for what comes of it; start it where it was not decided, or failed."""
        while key is not None and (run := self._runs.get(key)) is not None:
            try:
                return await asyncio.shield(asyncio.wrap_future(run))
            except asyncio.CancelledError:
                if not run.cancelled() or _is_cancelled():
                    raise  # this one; else the other one was, and this one takes its place
        return await self._run(key, start())

    async def _run(self, key: Key | None, going: Awaitable[ToolResult]) -> ToolResult:
        """Let a call be asked about and go, and keep its result, or the no; any other failure is forgotten."""
        if key is None:
            return await going
        run = self._runs[key] = Future[ToolResult]()
        while len(self._runs) > _MOST:
            self._runs.popitem(last=False)
        try:
            result = await going
        except RejectedError as error:
            run.set_exception(error)
            raise
        except BaseException as error:
            self._runs.pop(key, None)
            run.set_exception(error) if isinstance(error, Exception) else run.cancel()
            raise
        run.set_result(result)
        return result


def _is_cancelled() -> bool:
    task = asyncio.current_task()
    return task is not None and task.cancelling() > 0
