"""A marker in each place where a secret can be, each failure provoked, and all that is said searched for it."""

from __future__ import annotations

import copy
import json
import sys
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from toolgraft import CallContext
from toolgraft.config import Http, Sse, Stdio, load
from toolgraft.errors import ConfigError

from tests.cli.conftest import Run

MARKER = "m4rker"
SILENT = "import sys; sys.exit(3)"


def marked(place: str) -> str:
    return f"{MARKER}-{place}-0123456789"


def entries(url: str) -> dict[str, Any]:
    """Servers with a marker in each place; the URL's is filled into user info and query."""
    host = url.removeprefix("http://")
    flags = ["--api-key", marked("flag"), f"--token={marked('assigned')}"]
    flags += ["-H", f"Authorization: Bearer {marked('bearer')}", "${TOKEN}"]
    return {
        "child": {
            "command": sys.executable,
            "args": ["-c", SILENT, *flags],
            "env": {"KEY": marked("env"), "PEM": f"line one\n{marked('pem')}\nline three", "ASKED": "${input:key}"},
            "envFile": ".env",
            "inherit_env": ["TOKEN"],
        },
        "far": {
            "type": "http",
            "url": f"http://user:{marked('userinfo')}@{host}?key={marked('query')}",
            "headers": {"Authorization": f"Bearer {marked('header')}", "X-Key": "${TOKEN}"},
        },
        "stream": {"type": "sse", "url": f"http://user:{marked('sse')}@{host}?key={marked('ssequery')}"},
    }


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / ".env").write_text(f"FROM_FILE={marked('envfile')}\n")
    monkeypatch.setenv("TOKEN", marked("inherited"))
    monkeypatch.setenv("TOOLGRAFT_INPUT_KEY", marked("input"))
    return tmp_path


@pytest.mark.faults("T10")
@pytest.mark.parametrize("command", ["tools", "tools found", "check", "check found", "call", "call found", "demo"])
def test_no_command_shows_a_secret_of_servers_that_fail(command: str, run: Run, folder: Path, refused_url: str) -> None:
    words, found = (command.split()[0],), command.endswith("found")
    path = folder / ".mcp.json"
    path.write_text(json.dumps({"servers": entries(refused_url), "inputs": [{"id": "key"}]}))
    named = () if found else ("--config", str(path)) if words == ("call",) else (str(path),)
    ended = run(*words, "--verbose", *named, *(("child.x",) if words == ("call",) else ()))
    assert ended.code in (1, 2, 3)
    assert ended.err
    assert MARKER not in ended.out + ended.err


WRONG: list[Callable[[dict[str, Any]], None]] = [
    lambda entry: entry["env"].update({"A=B": marked("env")}),
    lambda entry: entry["env"].update({"N": {"deep": marked("env")}}),
    lambda entry: entry.update(command=f"serve --token {marked('line')}"),
    lambda entry: entry["args"].append({"key": marked("args")}),
    lambda entry: entry.update(url=f"ftp://user:{marked('url')}@h", command=None),
    lambda entry: entry.update(url=f"https://h/{marked('url')} x", command=None),
    lambda entry: entry.update(url="https://h", command=None, headers={"A": f"{marked('header')}\n"}),
    lambda entry: entry.update(auth={"secret": marked("auth")}),
    lambda entry: entry.update(era=1),
    lambda entry: entry.update(cwd=[marked("cwd")]),
]


@pytest.mark.faults("T10")
@pytest.mark.parametrize("spoil", WRONG)
def test_an_error_of_a_config_shows_no_secret_even_with_its_variables(
    spoil: Callable[[dict[str, Any]], None], folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("DEBUG")
    entry = copy.deepcopy(entries("http://h")["child"])
    spoil(entry)
    (folder / "mcp.json").write_text(json.dumps({"it": {key: each for key, each in entry.items() if each is not None}}))
    del entry
    with pytest.raises(ConfigError) as caught:
        load(folder / "mcp.json", inputs={"key": marked("input")})
    shown = "".join(traceback.TracebackException.from_exception(_reraised(folder), capture_locals=True).format())
    assert "load(" in shown
    assert MARKER not in shown + str(caught.value) + repr(caught.value) + caplog.text


def _reraised(folder: Path) -> ConfigError:
    try:
        load(folder / "mcp.json")
    except ConfigError as error:
        return error
    raise AssertionError("nothing was wrong")


@pytest.mark.faults("T10")
def test_no_repr_or_str_shows_a_secret(folder: Path, refused_url: str) -> None:
    (folder / "mcp.json").write_text(json.dumps({"servers": entries(refused_url), "inputs": [{"id": "key"}]}))
    loaded = load(folder / "mcp.json")
    bound = {"key": marked("bound")}
    by_hand = [
        Stdio("x", f"--secret={marked('args')}", env={"A": marked("env")}, bind=bound),
        Http("https://h", bind=bound, headers={"A": marked("header")}, proxy=f"http://u:{marked('proxy')}@h"),
        Sse(f"https://{marked('user')}@h", bind=bound),
    ]
    shown = f"{loaded!r} {loaded} {[*loaded, *by_hand]!r} {[each.target for each in [*loaded, *by_hand]]}"
    assert MARKER not in shown
    assert MARKER not in repr(CallContext("s", "t", {"token": marked("user")}))
