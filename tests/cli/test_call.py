from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from toolgraft.config import Http

from tests.cli.conftest import HOSTILE, Ended, Run

Config = Callable[..., Path]
Call = Callable[..., object]


@pytest.fixture
def run(run: Run) -> Run:
    """Run with the config named, where there is one: what was only found is asked about first."""

    def named(*words: str) -> Ended:
        named = ("--config", "mcp.json") if words[0] == "call" and Path("mcp.json").exists() else ()
        return run(*words[:1], *named, *words[1:])

    return named


@pytest.fixture
def demo(config: Config, demo_http: Http) -> Path:
    """A config with the demo server, as `demo`, and one that cannot start."""
    return config(dead={"command": "no-such-command"}, demo={"type": "http", "url": demo_http.url})


@pytest.mark.usefixtures("demo")
def test_words_become_what_the_schema_says(run: Run) -> None:
    ended = run("call", "demo.add", "a=2", "b=-0.5")
    assert (ended.code, json.loads(ended.out)) == (0, {"sum": 1.5})
    ended = run("call", "demo.echo", "self=1", "config=a=b")
    assert json.loads(ended.out) == {"arguments": {"self": "1", "config": "a=b"}}


@pytest.mark.usefixtures("demo")
def test_json_takes_the_place_of_words(run: Run) -> None:
    ended = run("call", "demo.add", "--json", '{"a": 2, "b": 3}')
    assert (ended.code, json.loads(ended.out)) == (0, {"sum": 5})
    assert run("call", "demo.add", "a=1", "--json", "{}").code == 2
    ended = run("call", "demo.add", "--json", "[1]")
    assert ended.code == 2
    assert "JSON object" in ended.err


@pytest.mark.usefixtures("demo")
def test_only_the_server_of_the_tool_is_started(run: Run) -> None:
    assert "dead" not in run("call", "demo.greet", "name=Ada").err
    ended = run("call", "greet", "name=Ada")
    assert (ended.code, ended.out) == (0, "Hello, Ada!\n")


@pytest.mark.usefixtures("demo")
def test_the_tool_is_found_by_its_public_name(run: Run) -> None:
    assert run("call", "notes_delete", "id=7").out == "Note 7 is deleted.\n"
    assert run("call", "demo.notes.delete", "id=7").out == "Note 7 is deleted.\n"


@pytest.mark.usefixtures("demo")
def test_pictures_are_saved_and_never_over_another(run: Run, tmp_path: Path) -> None:
    folder = tmp_path / "out"
    for number in (1, 2):
        ended = run("call", "demo.picture", "color=red", "size=8", "--out", str(folder))
        path = folder / f"demo_picture-{number}.png"
        assert ended.code == 0
        assert "A red square of 8 by 8 pixels." in ended.out
        assert str(path) in ended.out
        assert path.read_bytes().startswith(b"\x89PNG")
    assert len(list(folder.iterdir())) == 2


@pytest.mark.usefixtures("demo")
def test_sound_is_saved_where_no_folder_is_named(run: Run, tmp_path: Path) -> None:
    assert "demo_sound-1.wav" in run("call", "demo.sound").out
    assert (tmp_path / "demo_sound-1.wav").read_bytes().startswith(b"RIFF")


@pytest.mark.usefixtures("demo")
def test_a_folder_that_cannot_be_written_is_told(run: Run, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    ended = run("call", "demo.picture", "color=red", "--out", str(tmp_path / "file"))
    assert ended.code == 2
    assert "--out" in ended.err


@pytest.mark.usefixtures("demo")
@pytest.mark.parametrize(
    ("words", "code", "told"),
    [
        (("demo.fail", "reason=paper"), 1, ""),
        (("demo.slow", "seconds=60", "--timeout", "0.2"), 1, "0.2 s"),
        (("demo.add", "a=2", "b=two"), 2, "/b"),
        (("demo.add", "a=2"), 2, "b"),
        (("demo.ad", "a=2"), 2, "no tool 'demo.ad'"),
        (("demo.add", "two"), 2, "'two' is not of the form key=value"),
        (("dead.add", "a=2"), 3, "server 'dead' (no-such-command)"),
        (("nothing",), 3, "no tool 'nothing'"),
    ],
)
def test_what_goes_wrong_is_told_by_message_and_exit_code(
    words: tuple[str, ...], code: int, told: str, run: Run
) -> None:
    ended = run("call", *words)
    assert ended.code == code
    assert told in ended.err
    assert "Traceback" not in ended.out + ended.err


@pytest.mark.usefixtures("demo")
def test_a_failed_call_prints_what_the_tool_said(run: Run) -> None:
    assert "paper" in run("call", "demo.fail", "reason=paper").out


def test_a_result_does_not_command_the_terminal(run: Run) -> None:
    ended = run("call", "hostile.wipe", "--server", f"hostile=stdio:{HOSTILE}")
    assert ended.code == 0
    assert ended.out.startswith("wiped\\x1b]0;owned\\x07\\x1b[31m\\u202e\\x9b2J[bold]\n")
    assert "done" in ended.out
