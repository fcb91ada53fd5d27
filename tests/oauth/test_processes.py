"""Many processes, one rotating token."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

import pytest
from toolgraft.oauth.store.opened import opened

from tests.oauth.conftest import aged, change_grant, signing_in, using
from tests.servers.oauth import World

pytestmark = pytest.mark.anyio

PROCESSES = 20
CALLER = """
import asyncio, sys
from toolgraft import Http, OAuth, connect

async def main(url, store):
    print("ready", flush=True)
    sys.stdin.readline()
    async with connect(Http(url, name="it", required=True, auth=OAuth(ask="never", store=store))) as toolbox:
        print((await toolbox.call("whoami", {})).parts[0].text, flush=True)

asyncio.run(main(*sys.argv[1:]))
"""


@pytest.mark.timeout(180)
@pytest.mark.faults("O3")
@pytest.mark.parametrize("shared", ["file", "database"])
async def test_twenty_processes_with_one_expired_token_renew_it_once_and_all_go_on(
    shared: str, world: World, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    place = str(tmp_path / "tokens.db") if shared == "file" else request.getfixturevalue("database").empty()
    async with using(world, signing_in(world, place)):
        pass
    await change_grant(opened(place), aged)
    world.expire()
    pipe = asyncio.subprocess.PIPE
    processes = [
        await asyncio.create_subprocess_exec(
            sys.executable, "-c", CALLER, world.url, place, stdin=pipe, stdout=pipe, stderr=pipe
        )
        for _ in range(PROCESSES)
    ]
    for process in processes:
        assert process.stdout is not None
        assert await process.stdout.readline() == b"ready\n"
    outcomes = await asyncio.gather(*(process.communicate(b"\n") for process in processes))
    assert [said for said, _ in outcomes] == [b"alice\n"] * PROCESSES, outcomes
    assert len(world.asked("refresh_token")) == 1
    assert len(world.asked("authorize")) == 1
