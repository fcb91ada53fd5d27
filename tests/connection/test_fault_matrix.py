"""What comes of each fault on each transport in each protocol era: the table is the test.

`python -m tests.connection.test_fault_matrix` prints it as Markdown.
"""

from __future__ import annotations

import asyncio
import os
import signal
import uuid
from collections.abc import Generator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import pytest
from toolgraft.config import AnyServer, Limits
from toolgraft.connection import State
from toolgraft.errors import CallError

from tests.connection.conftest import Ledger, RawServer, raw_http, raw_stdio, talk, until

CHANNELS: Final = {
    "stdio, 2026": ("stdio", "--era", "modern"),
    "stdio, 2025": ("stdio", "--era", "legacy"),
    "HTTP JSON, 2026": ("http", "--era", "modern"),
    "HTTP JSON, 2025": ("http", "--era", "legacy"),
    "HTTP SSE, 2026": ("http", "--era", "modern", "--sse"),
    "HTTP SSE, 2025": ("http", "--era", "legacy", "--sse"),
    "HTTP+SSE, 2025": ("sse", "--era", "legacy"),
}

SMALL: Final = Limits(wire_bytes=200_000)
SURVIVED: Final = {"reset", "status", "redirect", "unreadable", "big", "error", "hang"}
"""Faults beside which another call goes on."""

ANSWER: Final = "answer"
UNKNOWN: Final = "ToolOutcomeUnknownError"
DEADLINE: Final = "DeadlineError"


@dataclass(frozen=True)
class Fault:
    """A misdeed of a server, and what comes of a call that may not be repeated.

    Attributes:
        what: In words.
        tool: The tool of the raw server that does it.
        stdio: Outcome over stdio; empty where the fault cannot happen.
        http: Outcome over HTTP.
        sse: Outcome over HTTP+SSE, where it is another.
        arguments: For the tool.
        limit: Seconds.
        faults: Ids of the kinds of fault that the row keeps away.
    """

    what: str
    tool: str
    stdio: str
    http: str
    arguments: Mapping[str, Any] = field(default_factory=dict[str, Any])
    limit: float = 20
    faults: tuple[str, ...] = ()
    sse: str = ""

    def outcome(self, channel: str) -> str:
        """What comes of it on a channel."""
        if channel.startswith("stdio"):
            return self.stdio
        return self.sse or self.http if channel.startswith("HTTP+SSE") else self.http


def status(code: int) -> Fault:
    return Fault(f"HTTP {code}", "status", "", f"TransportError {code}", {"code": code}, faults=("E4", "L11"))


TABLE: Final = (
    Fault("garbage before the answer", "garbage", ANSWER, UNKNOWN, sse=ANSWER),
    Fault("half a message, then gone", "half", UNKNOWN, UNKNOWN, faults=("L10",)),
    Fault("an answer that is no JSON-RPC", "unreadable", UNKNOWN, UNKNOWN),
    Fault("killed in the call", "die", UNKNOWN, UNKNOWN, faults=("L9", "L10")),
    Fault("hung", "hang", DEADLINE, DEADLINE, limit=0.3, faults=("L11", "TL3")),
    Fault("slow drip", "drip", DEADLINE, DEADLINE, limit=0.3),
    Fault("connection reset", "reset", "", UNKNOWN),
    Fault("redirect to another host", "redirect", "", "TransportError 302"),
    Fault("too large", "big", "ResultError", "ResultError", {"n": 300_000}),
    Fault("JSON-RPC error", "error", "ProtocolError", "ProtocolError"),
    Fault("result without content", "no_content", ANSWER, ANSWER, faults=("R4",)),
    Fault("unknown content blocks", "odd", ANSWER, ANSWER),
    Fault("off its output schema", "off_schema", ANSWER, ANSWER),
    *(status(code) for code in (401, 403, 404, 429, 500, 503)),
)

CASES: Final = [
    pytest.param(channel, fault, id=f"{fault.what} - {channel}", marks=pytest.mark.faults(*fault.faults))
    for fault in TABLE
    for channel in CHANNELS
    if fault.outcome(channel)
]


@pytest.fixture(scope="module")
def book(tmp_path_factory: pytest.TempPathFactory) -> Ledger:
    return Ledger(tmp_path_factory.mktemp("matrix") / "ledger")


@pytest.fixture(scope="module")
def servers(book: Ledger) -> Generator[dict[str, RawServer]]:
    """The HTTP servers by channel, started when first needed; one that was killed is started again."""
    running: dict[str, RawServer] = {}
    yield running
    for server in running.values():
        server.kill()


def declared(channel: str, servers: dict[str, RawServer], ledger: Path) -> AnyServer:
    transport, *options = CHANNELS[channel]
    options += ["--ledger", str(ledger)]
    settings = {"limits": SMALL}
    if transport == "stdio":
        return raw_stdio(*options, **settings)
    if channel not in servers:
        servers[channel] = RawServer(*options, kind=transport)
        servers[channel].start()
    return raw_http(servers[channel], **settings)


@pytest.mark.anyio
@pytest.mark.parametrize(("channel", "fault"), CASES)
async def test_a_fault_has_the_outcome_of_the_table_and_the_next_call_works(
    channel: str, fault: Fault, servers: dict[str, RawServer], book: Ledger
) -> None:
    case = uuid.uuid4().hex
    async with talk(declared(channel, servers, book.path)) as line:
        beside = asyncio.create_task(line.says("sleep", {"s": 0.2})) if fault.tool in SURVIVED else None
        message = ""
        try:
            await line.call(fault.tool, {**fault.arguments, "case": case}, limit=fault.limit)
            outcome = ANSWER
        except CallError as error:
            code = getattr(error, "http_status", None)
            outcome = type(error).__name__ + (f" {code}" if code else "")
            message = str(error)
        assert "TaskGroup" not in message
        assert outcome == fault.outcome(channel)
        if beside is not None:
            assert await beside == "slept", "a call in flight beside it must finish"
        if fault.tool == "die" and channel in servers:
            servers[channel].kill()
            servers[channel].start()
        assert await line.says("echo", {"text": "next"}) == "next"
    assert sum(case in each for each in book.lines) <= 1, "it must not be sent twice"


@pytest.mark.anyio
@pytest.mark.parametrize("channel", CHANNELS)
@pytest.mark.faults("L15")
async def test_a_hundred_calls_at_once_each_get_their_own_answer(
    channel: str, servers: dict[str, RawServer], book: Ledger
) -> None:
    async with talk(declared(channel, servers, book.path)) as line:
        answers = await asyncio.gather(*(line.says("echo", {"text": str(n)}) for n in range(100)))
    assert answers == [str(n) for n in range(100)]


@pytest.mark.anyio
@pytest.mark.parametrize("channel", CHANNELS)
@pytest.mark.faults("L7", "L8")
async def test_a_server_restarted_between_calls_is_called_again(
    channel: str, servers: dict[str, RawServer], book: Ledger
) -> None:
    async with talk(declared(channel, servers, book.path)) as line:
        assert await line.says("echo", {"text": "before"}) == "before"
        if channel in servers:
            servers[channel].kill()
            servers[channel].start()
        elif line.connection.pid is not None:
            os.kill(line.connection.pid, signal.SIGKILL)
            await until(lambda: line.connection.state is State.LOST)
        assert await line.says("echo", {"text": "after"}) == "after"


def as_markdown() -> str:
    """The table for people."""
    head = ["| fault | stdio | Streamable HTTP | HTTP+SSE |", "| --- | --- | --- | --- |"]
    fine = [f"| {what} | {' | '.join([ANSWER] * 3)} |" for what in ("100 calls at once", "restarted between calls")]
    rows = [f"| {row.what} | {row.stdio or '-'} | {row.http or '-'} | {row.sse or row.http} |" for row in TABLE]
    return "\n".join(head + fine + rows)


def test_the_table_prints_for_people() -> None:
    assert as_markdown().count("\n") == len(TABLE) + 3


if __name__ == "__main__":
    print(as_markdown())
