"""What a server sends takes no more work than its limits allow, and the event loop is left to others meanwhile."""

from __future__ import annotations

import asyncio
import os
import sys

import pytest
from toolgraft.config import Limits, ListLimits, Stdio
from toolgraft.connection.listing.listing import list_all
from toolgraft.connection.wire.bounds import Bounds
from toolgraft.connection.wire.owed import Owed
from toolgraft.connection.wire.probe import Probe
from toolgraft.connection.wire.stdio.child import Child
from toolgraft.connection.wire.stdio.pipes import ReadEnd
from toolgraft.connection.wire.stdio.stdio import Lines
from toolgraft.errors import ResultError

from tests.connection.conftest import Ledger, StartRaw, raw_http, raw_stdio, talk
from tests.connection.test_lost_pipes import mortal

pytestmark = [pytest.mark.anyio, pytest.mark.faults("T6")]

TOOLS = ListLimits().tools
FEW = Limits(wire_values=1_000)


@pytest.mark.parametrize("transport", ["stdio", "http", "http, streamed", "sse"])
async def test_a_result_of_too_many_values_is_refused_before_it_is_read_and_is_said_to_have_run(
    transport: str, start_raw: StartRaw, ledger: Ledger
) -> None:
    noted = ("--ledger", str(ledger.path))
    server = {
        "stdio": lambda: raw_stdio(*noted, limits=FEW),
        "http": lambda: raw_http(start_raw(*noted), limits=FEW),
        "http, streamed": lambda: raw_http(start_raw("--sse", *noted), limits=FEW),
        "sse": lambda: raw_http(start_raw(*noted, kind="sse"), limits=FEW),
    }
    async with talk(server[transport]()) as line:
        assert await line.call("big", {"values": 900})
        with pytest.raises(ResultError, match=r"the tool ran, but .* 1,000 JSON values .*\(Limits\.wire_values\)"):
            await line.call("big", {"values": 1_100})
        assert await line.says("echo", {"text": "on"}) == "on"
    assert ledger.count("big") == 2


async def test_one_of_several_calls_that_is_answered_by_too_many_values_is_known_by_the_id_at_the_end(
    ledger: Ledger,
) -> None:
    """What stands as an id within the result is none."""
    values = ",".join(["0"] * 1_100)
    answer = f'{{"result":{{"content":[],"structuredContent":{{"id":999,"of":[{values}]}}}},"id":ID,"jsonrpc":"2.0"}}'
    async with talk(mortal(ledger, "--answer", answer, limits=FEW)) as line:
        ends = await asyncio.gather(*(line.call("act", limit=20) for _ in range(3)), return_exceptions=True)
    assert [type(end) for end in ends] == [ResultError] * 3


async def test_a_chunk_of_tiny_lines_is_worked_on_in_many_turns() -> None:
    """All of them are there to be read at once, as a flood has them."""
    count = 30_000
    reading, writing = os.pipe()
    os.write(writing, b"x\n" * count)
    os.close(writing)
    child = Child(Stdio(sys.executable, name="flood"))
    lines = Lines(ReadEnd(reading), Bounds(1_000, 1_000), Owed(), Probe(child), child)
    in_a_row = longest = seen = 0

    async def others() -> None:
        nonlocal in_a_row
        while True:
            in_a_row = 0
            await asyncio.sleep(0)

    beside = asyncio.create_task(others())
    async for _ in lines:
        seen, in_a_row = seen + 1, in_a_row + 1
        longest = max(longest, in_a_row)
    beside.cancel()
    lines.close()
    assert seen == count
    assert longest < count // 2


@pytest.mark.parametrize(("more", "cut"), [(0, False), (1, True)])
async def test_a_page_of_too_many_tools_is_cut_and_the_cut_is_told(more: int, cut: bool) -> None:
    tool = {"inputSchema": {"type": "object"}}
    page: dict[str, object] = {"tools": [{"name": f"t{number}", **tool} for number in range(TOOLS + more)]}
    turns = 0

    async def others() -> None:
        nonlocal turns
        while True:
            turns += 1
            await asyncio.sleep(0)

    async def fetch(_: str | None) -> dict[str, object]:
        return page

    beside = asyncio.create_task(others())
    listing = await list_all("s", fetch)
    beside.cancel()
    assert len(listing.tools) == TOOLS
    assert bool(listing.cut) is cut
    assert turns > 100
