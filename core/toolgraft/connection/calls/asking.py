"""Asks a person by the `elicit` function of a declaration, in the context of the call that waits."""

from __future__ import annotations

import asyncio
import contextvars
import inspect
import logging
import threading
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import Final

import mcp_types as types

from toolgraft.config.options import Answer, Elicit, Elicitation
from toolgraft.connection.calls import forms
from toolgraft.connection.wire.control_flow import ControlFlow
from toolgraft.errors import CallbackError
from toolgraft.spec import ToolRef

THREADS: Final = 32
"""How many plain functions of one server may ask at once; each blocks a thread of its own."""

_ACTIONS: Final = ("accept", "decline", "cancel")

_log: Final = logging.getLogger("toolgraft")


@dataclass(frozen=True, slots=True)
class Raised:
    """Asking ended with an exception. It is handed over as a value: the task that asks may not be the call's.

    Attributes:
        error: To be raised in the task of the call.
    """

    error: BaseException


class Person:
    """Whoever answers the questions of one server."""

    def __init__(self, elicit: Elicit, server: str, steers: ControlFlow) -> None:
        self._elicit = elicit
        self._server = server
        self._steers = steers
        self._threads = asyncio.Semaphore(THREADS)

    async def answer(
        self, asked: Elicitation, ref: ToolRef | None, scope: contextvars.Context
    ) -> types.ElicitResult | Raised:
        """Ask, and give what is to be sent.

        Args:
            asked: The question.
            ref: The tool that asks, where it is known.
            scope: The context that the function runs in, the caller's.
        """
        outcome = await _settled(self._outcome(asked), scope)
        if isinstance(outcome, Raised):
            return self._raised(outcome.error, ref)
        if not isinstance(outcome, Answer) or outcome.action not in _ACTIONS:
            given = type(outcome).__name__ if not isinstance(outcome, Answer) else f"the action {outcome.action!r}"
            return self._wrong(ref, f"gave {given[:100]} instead of an Answer")
        try:
            return forms.result(asked, outcome)
        except forms.Unfit as error:
            return self._wrong(ref, f"gave an answer that does not fit the form: {error}")

    def _raised(self, error: BaseException, ref: ToolRef | None) -> Raised:
        if not isinstance(error, Exception) or self._steers(error):
            return Raised(error)
        _log.error("the elicit function of server '%s' raised", self._server, exc_info=error)
        failed = CallbackError(ref, "elicit", f"raised {type(error).__name__}")
        failed.__cause__ = error
        return Raised(failed)

    def _wrong(self, ref: ToolRef | None, what: str) -> Raised:
        _log.error("the elicit function of server '%s' %s", self._server, what)
        return Raised(CallbackError(ref, "elicit", what))

    async def _outcome(self, asked: Elicitation) -> object:
        elicit = self._elicit
        try:
            if inspect.iscoroutinefunction(elicit) or inspect.iscoroutinefunction(type(elicit).__call__):
                given: object = elicit(asked)
            else:  # it may block, e.g. on input()
                given = await self._in_thread(partial(_called, elicit, asked))
            return await given if inspect.isawaitable(given) else given
        except BaseException as error:
            return Raised(error)

    async def _in_thread(self, work: Callable[[], object]) -> object:
        """Run what may block in a thread of its own: the loop's pool is the host's, and keeps its program alive.

        A thread counts for as long as it runs, also when nobody waits for it any more.
        """
        await self._threads.acquire()
        loop, done = asyncio.get_running_loop(), Future[object]()
        scope = contextvars.copy_context()

        def run() -> None:
            if done.set_running_or_notify_cancel():
                done.set_result(scope.run(work))
            with suppress(RuntimeError):  # the loop has ended
                loop.call_soon_threadsafe(self._threads.release)

        threading.Thread(target=run, name="toolgraft elicit", daemon=True).start()
        return await asyncio.wrap_future(done)


def _called(elicit: Elicit, asked: Elicitation) -> object:
    try:
        return elicit(asked)
    except BaseException as error:  # a future takes no StopIteration
        return Raised(error)


async def _settled(work: object, scope: contextvars.Context) -> object:
    """Run a coroutine in a context and wait for its value; a cancellation here is one there."""
    assert inspect.iscoroutine(work)
    task = asyncio.get_running_loop().create_task(work, context=scope)
    try:
        await asyncio.wait([task])
    except asyncio.CancelledError:
        task.cancel()
        await asyncio.wait([task])
        raise
    return task.result()
