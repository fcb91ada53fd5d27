"""A server as a child process: one JSON-RPC message a line, over its standard input and output (MCP: stdio transport).

The caller's task writes and the session's task reads, with no task or queue between: those are most of the cost of a
small call. On Windows the SDK's own transport does it (job objects, `npx.cmd`).
"""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import AsyncGenerator, Iterator
from contextlib import ExitStack, asynccontextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from mcp import StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp.shared.message import SessionMessage
from mcp_types import JSONRPCNotification, JSONRPCRequest, RequestId

from toolgraft.connection.wire.in_flight import CURRENT
from toolgraft.connection.wire.lines import Cutter
from toolgraft.connection.wire.messages import parse
from toolgraft.connection.wire.owed import Owed, TooMuchOwed
from toolgraft.connection.wire.probe import Probe
from toolgraft.connection.wire.stdio.environment import environment
from toolgraft.connection.wire.stdio.pipes import ReadEnd, Turn, WriteEnd
from toolgraft.connection.wire.stdio.processes import GRACE, LIVING, stop_process
from toolgraft.connection.wire.streams import Incoming, NotSent, Stream
from toolgraft.connection.wire.unreadable import TooLarge

if TYPE_CHECKING:
    from toolgraft.config.servers import Stdio
    from toolgraft.connection.wire.bounds import Bounds
    from toolgraft.connection.wire.stdio.child import Child

_LAST_WORDS: Final = 0.1
"""Seconds that the standard error of a server that ended is waited for."""

_ORPHANED: Final = 1.0
"""Seconds after which pipes that a process of a dead server holds open are given up."""


@asynccontextmanager
async def stdio(config: Stdio, child: Child, bounds: Bounds) -> AsyncGenerator[tuple[Any, Any]]:
    """Start the server and speak to it.

    Raises:
        OSError: It cannot be started.
    """
    if sys.platform == "win32":
        parameters = StdioServerParameters(
            command=config.command, args=list(config.args), env=environment(config), cwd=config.cwd
        )
        with child.file() as errlog:
            async with stdio_client(parameters, errlog=errlog) as streams:
                yield streams
        return
    process, pipes = await _started(config, child)
    reading = asyncio.create_task(child.drain(ReadEnd(pipes.errors))) if pipes.errors is not None else None
    owed, probe = Owed(), Probe(child)
    lines = Lines(ReadEnd(pipes.output), bounds, owed, probe, child)
    writer = Writer(WriteEnd(pipes.input, lambda: _deaf(child, lines)), owed, probe)
    exit_seen = asyncio.create_task(_exit(process, child, lines))
    hurry = True
    try:
        yield lines, writer
        hurry = lines.ended or child.deaf  # it has said that it is going, or has nothing more to say
    finally:
        probe.over()
        await _unbroken(_end(process, child, lines, writer, (exit_seen, reading), hurry=hurry))


@dataclass(frozen=True, slots=True)
class _Pipes:
    """Our ends of the pipes to a process."""

    input: int
    output: int
    errors: int | None


async def _started(config: Stdio, child: Child) -> tuple[asyncio.subprocess.Process, _Pipes]:
    if not LIVING.ready:
        await asyncio.to_thread(LIVING.prepare)
    with ExitStack() as theirs, ExitStack() as ours:

        def pipe() -> tuple[int, int]:
            reading, writing = os.pipe()
            return reading, writing

        its_input, our_input = pipe()
        our_output, its_output = pipe()
        our_errors, its_errors = pipe() if child.logs else (None, None)
        for each in (our_input, our_output, our_errors):
            if each is not None:
                ours.callback(os.close, each)
        for each in (its_input, its_output, its_errors):
            if each is not None:
                theirs.callback(os.close, each)
        process = await asyncio.create_subprocess_exec(
            config.command,
            *config.args,
            stdin=its_input,
            stdout=its_output,
            stderr=theirs.enter_context(child.target()) if its_errors is None else its_errors,
            env=environment(config),
            cwd=config.cwd,
            start_new_session=True,
        )
        ours.pop_all()
    LIVING.add(process.pid)
    child.pid = process.pid
    return process, _Pipes(our_input, our_output, our_errors)


def _deaf(child: Child, lines: Lines) -> None:
    """It has closed its input: nothing more can be asked; what it still has to answer it has a moment for."""
    lines.end_after(GRACE)
    child.deaf = True
    child.on_deaf()


async def _exit(process: asyncio.subprocess.Process, child: Child, lines: Lines) -> None:
    """A process of the server's own may hold its pipes open after it: then no end of them tells of its end."""
    child.exit_code = await process.wait()
    lines.end_after(_ORPHANED, unless_more_comes=True)


async def _end(
    process: asyncio.subprocess.Process,
    child: Child,
    lines: Lines,
    writer: Writer,
    tasks: tuple[asyncio.Task[None] | None, ...],
    *,
    hurry: bool,
) -> None:
    exit_seen, reading = tasks
    draining = asyncio.create_task(lines.drain())  # a server that is stuck writing never sees its input end
    try:
        child.exit_code = await stop_process(process, writer.close, hurry=hurry)
        if reading is not None:
            await asyncio.wait([reading], timeout=_LAST_WORDS)
    finally:
        for task in (draining, exit_seen, reading):
            if task is not None:
                task.cancel()
        lines.close()


async def _unbroken(work: Any) -> None:
    """Finish `work` even if this task is cancelled meanwhile, once or more."""
    task = asyncio.ensure_future(work)
    cancelled: asyncio.CancelledError | None = None
    while not task.done():
        try:
            await asyncio.shield(task)
        except asyncio.CancelledError as error:
            cancelled = error
            if task.cancelled():
                break
    if cancelled is not None:
        raise cancelled


class Lines(Incoming):
    """The messages of the server, as the SDK reads them.

    Attributes:
        ended: The server has closed its output, or was given up.
    """

    def __init__(self, end: ReadEnd, bounds: Bounds, owed: Owed, probe: Probe, child: Child) -> None:
        self.ended = False
        self._end = end
        self._cutter = Cutter(bounds.bytes)
        self._most = bounds.values
        self._lines: Iterator[bytes | TooLarge] = iter(())
        self._owed = owed
        self._probe = probe
        self._child = child
        self._loop = asyncio.get_running_loop()
        self._turn = Turn()
        self._chunks = 0
        self._ending: asyncio.TimerHandle | None = None
        probe.on_silence = end.wake

    async def aclose(self) -> None:
        """Stop reading."""
        self._end.end()

    def end_after(self, seconds: float, *, unless_more_comes: bool = False) -> None:
        """End in a while, if nothing ends it before."""
        read = self._chunks

        def end() -> None:
            if not unless_more_comes or self._chunks == read:
                self._end.end()

        if self._ending is not None:
            self._ending.cancel()
        self._ending = self._loop.call_later(seconds, end)

    def close(self) -> None:
        """Close the pipe."""
        if self._ending is not None:
            self._ending.cancel()
        self._end.close()

    async def drain(self) -> None:
        """Read on, for nobody."""
        await self._end.discard()

    async def __anext__(self) -> SessionMessage | Exception:
        while True:
            if (unanswered := self._probe.unanswered()) is not None:
                return unanswered
            line = next(self._lines, None)
            if line is None:
                await self._read()
                continue
            await self._turn.ends()
            item = line if isinstance(line, TooLarge) else parse(line, most=self._most) if line.strip() else None
            if isinstance(item, SessionMessage) and not isinstance(line, TooLarge):
                self._child.speaks = True
                self._probe.came_in(item.message)
                try:
                    self._owed.asked(item, len(line))
                except TooMuchOwed as error:
                    self._give_up(str(error))
            elif isinstance(item, ValueError) and not isinstance(line, TooLarge):
                self._child.strays(line)
            if item is not None:
                return item

    async def _read(self) -> None:
        chunk = await self._end.read()
        self._turn.begins()
        if chunk is None:
            return
        self._chunks += 1
        if not chunk:
            self.ended = True
            raise StopAsyncIteration
        self._lines = self._cutter.feed(chunk)

    def _give_up(self, reason: str) -> None:
        self._child.given_up = f"it was given up, since {reason}"
        self._lines = iter(())
        self.ended = True
        raise StopAsyncIteration


class Writer(Stream):
    """Messages to the server, written in the task of the caller."""

    def __init__(self, end: WriteEnd, owed: Owed, probe: Probe) -> None:
        self._end = end
        self._owed = owed
        self._probe = probe
        self._withdrawn: set[RequestId] = set()

    async def send(self, item: SessionMessage, /) -> None:
        """Write a message; a request waits until the server takes it.

        Raises:
            NotSent: The server has closed its input, and not a byte of the message went there. Where some of it did,
                this returns as if all had: it may have run.
        """
        message = item.message
        line = message.model_dump_json(by_alias=True, exclude_unset=True).encode() + b"\n"
        if self._end.broken:
            raise NotSent
        if isinstance(message, JSONRPCRequest):
            self._probe.goes_out(message)
            await self._ask(message.id, line)
        elif not self._takes_back(message):  # does not wait: a cancellation must not wait for a full pipe
            self._owed.written(item, len(line))
            self._end.put(line, lambda: self._owed.taken(len(line)))

    async def _ask(self, request_id: RequestId, line: bytes) -> None:
        outgoing = self._end.put(line)
        try:
            await outgoing.ended()
        except asyncio.CancelledError:
            if self._end.withdraw(outgoing):
                self._withdrawn.add(request_id)
                in_flight = CURRENT.get()
                if in_flight is not None:
                    in_flight.exchange.handed = False
            raise
        if not outgoing.begun:
            raise NotSent

    def _takes_back(self, message: object) -> bool:
        """Whether it cancels a request that the server never saw."""
        if not isinstance(message, JSONRPCNotification) or message.method != "notifications/cancelled":
            return False
        request_id = (message.params or {}).get("requestId")
        if request_id not in self._withdrawn:
            return False
        self._withdrawn.discard(request_id)
        return True

    def close(self) -> None:
        """Close the server's input."""
        self._end.close()

    async def aclose(self) -> None:
        """Leave the closing to the transport: the server sees the end of its input when it is stopped."""
