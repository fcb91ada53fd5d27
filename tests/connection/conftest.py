"""Raw servers to connect to, over stdio and HTTP."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from collections.abc import AsyncGenerator, Callable, Generator, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path
from typing import Any, TypeAlias

import pytest
from toolgraft.calls import Call, Deadline
from toolgraft.config import CallContext, Http, Sse, Stdio
from toolgraft.connection import Event
from toolgraft.connection.connection import Connection
from toolgraft.spec import Safety, ToolRef, ToolSpec

RAW = Path(__file__).parent.parent / "servers" / "raw.py"


class RawServer:
    """A raw HTTP server in a process of its own, which can be killed and started again on the same port."""

    def __init__(self, *options: str, kind: str = "http") -> None:
        self._options = options
        self.kind = kind
        self.port = 0
        self._process: subprocess.Popen[str] | None = None

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/mcp"

    def start(self) -> None:
        command = [sys.executable, str(RAW), self.kind, "--port", str(self.port), *self._options]
        self._process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        assert self._process.stdout is not None
        self.port = int(self._process.stdout.readline())

    def kill(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.wait(10)
            assert self._process.stdout is not None
            self._process.stdout.close()
            self._process = None


StartRaw: TypeAlias = Callable[..., RawServer]


@pytest.fixture
def start_raw() -> Generator[StartRaw]:
    """Starts raw HTTP servers; they end with the test."""
    servers: list[RawServer] = []

    def start(*options: str, kind: str = "http") -> RawServer:
        server = RawServer(*options, kind=kind)
        server.start()
        servers.append(server)
        return server

    yield start
    for server in servers:
        server.kill()


class Ledger:
    """What a raw server wrote down."""

    def __init__(self, path: Path) -> None:
        self.path = path

    @property
    def lines(self) -> list[str]:
        return self.path.read_text().splitlines() if self.path.exists() else []

    def count(self, start: str) -> int:
        return sum(line.startswith(start) for line in self.lines)


@pytest.fixture
def ledger(tmp_path: Path) -> Ledger:
    return Ledger(tmp_path / "ledger")


def raw_stdio(*options: str, **settings: Any) -> Stdio:
    """A raw server as a child process."""
    given: Any = {"name": "raw", **settings}
    return Stdio(sys.executable, str(RAW), "stdio", *options, **given)


def raw_http(server: RawServer, **settings: Any) -> Http | Sse:
    """The declaration of a raw server over HTTP."""
    given: Any = {"name": "raw", **settings}
    return Sse(server.url, **given) if server.kind == "sse" else Http(server.url, **given)


def a_call(
    server: str,
    tool: str,
    arguments: Mapping[str, Any] | None = None,
    *,
    user: object = None,
    limit: float | Deadline = 20,
    repeatable: bool = False,
) -> Call:
    """A call as a bound tool makes it."""
    safety = Safety.IDEMPOTENT if repeatable else Safety.SIDE_EFFECT
    spec = ToolSpec(ToolRef(server, tool), tool, tool, "", {"type": "object"}, safety=safety)
    deadline = limit if isinstance(limit, Deadline) else Deadline(limit, "the test")
    return Call(spec, arguments or {}, CallContext(server, tool, user), deadline)


class Talk:
    """An open connection and what it told."""

    def __init__(self, connection: Connection, events: list[Event]) -> None:
        self.connection = connection
        self.events = events

    async def call(
        self, tool: str, arguments: Mapping[str, Any] | None = None, *, limit: float = 20, repeatable: bool = False
    ) -> Mapping[str, Any]:
        name = self.connection.config.name
        return await self.connection.call(a_call(name, tool, arguments, limit=limit, repeatable=repeatable))

    async def says(self, tool: str, arguments: Mapping[str, Any] | None = None, **options: Any) -> str:
        raw = await self.call(tool, arguments, **options)
        return raw["content"][0]["text"]

    def heard(self, kind: type[Event]) -> list[Event]:
        return [event for event in self.events if isinstance(event, kind)]


async def until(condition: Callable[[], object], seconds: float = 20) -> None:
    """Wait until something is so that nothing tells of."""
    async with asyncio.timeout(seconds):
        while not condition():  # noqa: ASYNC110
            await asyncio.sleep(0.005)


def talk(config: Any, **options: Any) -> AbstractAsyncContextManager[Talk]:
    """Open a connection, and close it in the end."""

    @asynccontextmanager
    async def opened() -> AsyncGenerator[Talk]:
        events: list[Event] = []
        connection = Connection(config, emit=events.append, **options)
        try:
            await connection.open()
            yield Talk(connection, events)
        finally:
            await connection.close()

    return opened()
