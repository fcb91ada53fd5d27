"""A server as a child process: one JSON-RPC message a line, over its standard input and output (MCP: stdio transport).

The caller's task writes and the session's task reads, with no task or queue between: those are most of the cost of a
small call. On Windows the SDK's own transport does it (job objects, `npx.cmd`).
"""

from __future__ import annotations

import asyncio
import os
import sys
from collections import deque
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, suppress
from typing import TYPE_CHECKING, Any, Final

import anyio
from mcp import StdioServerParameters
from mcp.client.stdio import get_default_environment, stdio_client
from mcp.shared.message import SessionMessage
from mcp_types import JSONRPCRequest

from toolgraft.connection.lines import Cutter, parse
from toolgraft.connection.processes import LIVING, stop_process
from toolgraft.connection.record import TooLarge
from toolgraft.connection.streams import Incoming, Stream

if TYPE_CHECKING:
    from toolgraft.config.servers import Stdio
    from toolgraft.connection.child import Child

_CHUNK: Final = 256 * 1024


def environment(config: Stdio) -> dict[str, str]:
    """The child's environment: the SDK's short base set, what the declaration passes on, and its `env` on top."""
    if config.inherit_env is True:
        passed = dict(os.environ)
    else:
        names = config.inherit_env or ()
        passed = {name: os.environ[name] for name in names if name in os.environ}
    return {**get_default_environment(), **passed, **config.env}


@asynccontextmanager
async def stdio(config: Stdio, child: Child, *, wire_bytes: int) -> AsyncGenerator[tuple[Any, Any]]:
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
    with child.target() as errors:
        process = await asyncio.create_subprocess_exec(
            config.command,
            *config.args,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=errors,
            env=environment(config),
            cwd=config.cwd,
            start_new_session=True,
            limit=_CHUNK,
        )
    LIVING.add(process.pid)
    child.pid = process.pid
    reading = asyncio.create_task(child.drain(process.stderr)) if process.stderr is not None else None
    assert process.stdin is not None
    assert process.stdout is not None
    lines = Lines(process.stdout, wire_bytes)
    hurry = True
    try:
        yield lines, Writer(process.stdin)
        hurry = lines.ended  # it has said that it is going
    finally:
        await _unbroken(_end(process, child, reading, hurry=hurry))


async def _end(
    process: asyncio.subprocess.Process, child: Child, reading: asyncio.Task[None] | None, *, hurry: bool
) -> None:
    assert process.stdout is not None
    draining = asyncio.create_task(_drain(process.stdout))  # a server that is stuck writing never sees its input end
    try:
        child.exit_code = await stop_process(process, hurry=hurry)
        if reading is not None:
            await asyncio.wait([reading], timeout=0.1)  # its last words
    finally:
        for task in (draining, reading):
            if task is not None:
                task.cancel()
        transport = getattr(process, "_transport", None)  # nothing public closes pipes that a runaway grandchild holds
        if transport is not None:
            with suppress(Exception):
                transport.close()


async def _drain(stream: asyncio.StreamReader) -> None:
    with suppress(Exception):
        while await stream.read(_CHUNK):
            pass


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
        ended: The server has closed its output.
    """

    def __init__(self, stream: asyncio.StreamReader, limit: int) -> None:
        self._stream = stream
        self._cutter = Cutter(limit)
        self._ready: deque[SessionMessage | Exception] = deque()
        self.ended = False
        self._closed = False

    async def aclose(self) -> None:
        """Stop reading."""
        self._closed = True

    async def __anext__(self) -> SessionMessage | Exception:
        while not self._ready:
            try:
                chunk = await self._stream.read(_CHUNK)
            except OSError:
                chunk = b""
            if not chunk:
                self.ended = True
            if not chunk or self._closed:
                raise StopAsyncIteration
            for line in self._cutter.feed(chunk):
                if isinstance(line, TooLarge):
                    self._ready.append(line)
                elif line.strip():
                    self._ready.append(parse(line))
        return self._ready.popleft()


class Writer(Stream):
    """Messages to the server, written in the task of the caller."""

    def __init__(self, stream: asyncio.StreamWriter) -> None:
        self._stream = stream

    async def send(self, item: SessionMessage, /) -> None:
        """Write a message.

        Raises:
            anyio.BrokenResourceError: The server has closed its input.
        """
        message = item.message
        line = message.model_dump_json(by_alias=True, exclude_unset=True).encode()
        if self._stream.is_closing():
            raise anyio.BrokenResourceError
        try:
            self._stream.write(line + b"\n")
            if isinstance(
                message, JSONRPCRequest
            ):  # others are small, and a cancellation must not wait for a full pipe
                await self._stream.drain()
        except OSError as error:
            raise anyio.BrokenResourceError from error

    async def aclose(self) -> None:
        """Leave the closing to the transport: the server sees the end of its input when it is stopped."""
