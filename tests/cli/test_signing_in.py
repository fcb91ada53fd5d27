"""`toolgraft login`, `logout` and `status`."""

from __future__ import annotations

import asyncio
import json
import threading
import webbrowser
from collections.abc import Generator
from pathlib import Path

import pytest

from tests.cli.conftest import Run
from tests.servers.oauth import World, serving


@pytest.fixture
def world(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Generator[World]:
    """A server, a data folder of its own, and somebody at the browser."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    with serving(World()) as served:

        def visit(url: str) -> bool:
            threading.Thread(target=lambda: asyncio.run(served.visit(url))).start()
            return True

        monkeypatch.setattr(webbrowser, "open", visit)
        yield served


def test_one_signs_in_ahead_sees_it_and_signs_out(run: Run, world: World) -> None:
    assert "nobody is signed in" in run("status").out
    signed_in = run("login", world.url)
    assert (signed_in.code, len(world.asked("authorize"))) == (0, 1)
    assert f"signed in to 127.0.0.1 at {world.issuer}" in signed_in.out
    assert run("login", world.url).code == 0
    assert len(world.asked("authorize")) == 1
    status = run("status", world.url)
    assert world.issuer in status.out
    assert "tools" in status.out
    (told,) = json.loads(run("status", "--json").out)
    assert (told["issuer"], told["scope"], told["renewable"]) == (world.issuer, "tools", True)
    for ended in (signed_in, status):
        said = ended.out + ended.err
        assert not [token for token in (*world.access, *world.refresh) if token in said]
    assert "signed out of 127.0.0.1" in run("logout", world.url).out
    assert not world.refresh
    assert "nobody was signed in" in run("logout", world.url).out
    assert json.loads(run("status", "--json").out) == []


def test_a_server_of_a_config_file_is_named(run: Run, world: World, tmp_path: Path) -> None:
    path = tmp_path / "servers.json"
    path.write_text(
        json.dumps({"mcpServers": {"notes": {"url": world.url, "oauth": {"scope": "more"}}, "x": {"command": "x"}}})
    )
    assert "signed in to notes" in run("login", "notes", "--config", str(path)).out
    assert world.asked("authorize")[0]["scope"] == "more tools"
    wrong = run("login", "note", "--config", str(path))
    assert wrong.code == 2
    assert "there are notes, x" in wrong.err
    assert "not reached by a URL" in run("login", "x", "--config", str(path)).err


def test_a_sign_in_that_fails_says_why(run: Run, world: World) -> None:
    world.metadata["code_challenge_methods_supported"] = None
    ended = run("login", world.url)
    assert ended.code == 3
    assert "assume_pkce=True" in ended.err
