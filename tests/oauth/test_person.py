"""What a person is asked, and that nobody waits for them."""

from __future__ import annotations

import asyncio
import os
import socket
import stat
import sys
from pathlib import Path

import httpx2
import pytest
from toolgraft import Http, OAuth
from toolgraft.connection.connection import Connection
from toolgraft.errors import ConfigError, ConnectError, OAuthError

from tests.oauth.conftest import signing_in, using, whoami
from tests.servers.oauth import World

pytestmark = pytest.mark.anyio


async def failing(world: World, auth: OAuth) -> OAuthError:
    connection = Connection(Http(world.url, name="it", auth=auth))
    try:
        with pytest.raises(ConnectError) as failed:
            await connection.open()
    finally:
        await connection.close()
    assert isinstance(failed.value.__cause__, OAuthError)
    return failed.value.__cause__


async def test_a_persons_time_counts_neither_for_connecting_nor_for_calls(world: World) -> None:
    async def visit(url: str) -> None:
        await asyncio.sleep(2.5)
        await world.visit(url)

    async with using(world, signing_in(world, redirect=visit), connect_timeout=2, timeout=2) as toolbox:
        world.expire()
        world.refresh.clear()
        assert await asyncio.gather(whoami(toolbox), whoami(toolbox)) == ["alice", "alice"]
    assert len(world.asked("authorize")) == 2


async def test_a_person_who_does_not_come_is_waited_for_as_long_as_was_said(world: World) -> None:
    async def nobody(url: str) -> None:
        async with httpx2.AsyncClient() as stranger:
            await stranger.get(httpx2.URL(url).params["redirect_uri"])

    error = await failing(world, signing_in(world, redirect=nobody, timeout=0.5))
    assert error.problem == "not_answered"
    assert "within 0.5 s; 1 other requests came instead" in str(error)


async def test_waiting_for_a_person_can_be_cancelled_and_leaves_no_port_open(world: World) -> None:
    shown: asyncio.Future[str] = asyncio.get_running_loop().create_future()

    async def nobody(url: str) -> None:
        shown.set_result(url)

    async def enter() -> None:
        async with using(world, signing_in(world, redirect=nobody)):
            pytest.fail("nobody has signed in")

    entering = asyncio.create_task(enter())
    async with asyncio.timeout(20):
        back = httpx2.URL(await shown).params["redirect_uri"]
        entering.cancel()
        await asyncio.wait([entering])
    assert entering.cancelled()
    async with httpx2.AsyncClient() as browser:
        with pytest.raises(httpx2.ConnectError):
            await browser.get(back)


async def test_where_nobody_is_to_be_asked_it_is_said_what_to_do(world: World) -> None:
    error = await failing(world, OAuth(store="memory", ask="never"))
    assert error.problem == "nobody_to_ask"
    assert "toolgraft login" in str(error)


async def test_without_a_browser_the_url_is_printed(
    world: World, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    async def visit_what_is_printed() -> None:
        said = ""
        async with asyncio.timeout(20):
            while "http" not in said:
                said += capsys.readouterr().err
                await asyncio.sleep(0.01)
        await world.visit(said.split()[-1])

    visiting = asyncio.create_task(visit_what_is_printed())
    async with using(world, OAuth(store="memory", ask="print")) as toolbox:
        assert await whoami(toolbox) == "alice"
    await visiting


async def test_the_browser_of_the_system_is_opened(
    world: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    browser = tmp_path / "browser"
    browser.write_text(f'#!/bin/sh\nprintf %s "$1" > {tmp_path}/url.part\nmv {tmp_path}/url.part {tmp_path}/url\n')
    browser.chmod(browser.stat().st_mode | stat.S_IXUSR)
    code = (
        "import asyncio, sys; from toolgraft import Http, OAuth, connect\n"
        "async def main():\n"
        "    server = Http(sys.argv[1], name='it', required=True, auth=OAuth(store='memory'))\n"
        "    async with connect(server) as toolbox: print((await toolbox.call('whoami', {})).parts[0].text)\n"
        "asyncio.run(main())"
    )
    pipe = asyncio.subprocess.PIPE
    environment = {**os.environ, "BROWSER": str(browser)}
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-c", code, world.url, stdout=pipe, stderr=pipe, env=environment
    )
    async with asyncio.timeout(50):
        while not (tmp_path / "url").exists():  # noqa: ASYNC110
            await asyncio.sleep(0.02)
        await world.visit((tmp_path / "url").read_text())
        out, err = await process.communicate()
    assert out == b"alice\n", err


async def test_a_port_that_was_registered_is_kept_and_another_is_registered_where_it_is_taken(world: World) -> None:
    auth = signing_in(world)
    async with using(world, auth):
        pass
    world.expire()
    world.refresh.clear()
    async with using(world, auth):
        pass
    first, again = (asked["redirect_uri"] for asked in world.asked("authorize"))
    assert first == again
    taken = socket.create_server(("127.0.0.1", httpx2.URL(first).port or 0))
    world.expire()
    world.refresh.clear()
    with taken:
        async with using(world, auth) as toolbox:
            assert await whoami(toolbox) == "alice"
    assert len(world.asked("register")) == 2


async def test_a_redirect_uri_of_ones_own_is_listened_to(world: World) -> None:
    uri = "http://localhost/back/here"
    async with using(world, signing_in(world, redirect_uri=uri)) as toolbox:
        assert await whoami(toolbox) == "alice"
    came_back = httpx2.URL(world.asked("authorize")[0]["redirect_uri"])
    assert (came_back.host, came_back.path) == ("localhost", "/back/here")


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"client_secret": "s3cret"}, "needs client_id"),
        ({"client_id": "a", "client_auth": "client_secret_post"}, "needs client_secret"),
        ({"redirect_uri": "https://mine.example/back"}, "give callback"),
        ({"client_metadata_url": "http://mine.example/me.json"}, "https://"),
        ({"client_metadata_url": "https://mine.example/"}, "with a path"),
        ({"issuer": "login.example"}, "https://"),
        ({"scope": 7}, "scope"),
        ({"ask": "ever"}, "ask is one of"),
        ({"store": 7}, "store is"),
        ({"timeout": 0}, "above 0"),
        ({"trusted_hosts": "one"}, "list of names"),
    ],
)
def test_a_declaration_that_cannot_be_meant_is_refused(options: dict[str, object], told: str) -> None:
    with pytest.raises(ConfigError, match=told) as refused:
        OAuth(**options)  # type: ignore[arg-type]
    assert "s3cret" not in str(refused.value)
