"""Runs the command line: in this process, where nothing but its output matters, or as a program."""

from __future__ import annotations

import json
import logging
import os
import shlex
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any, TypeAlias

import pytest
from toolgraft.cli import main

HOSTILE = shlex.join([sys.executable, str(Path(__file__).with_name("hostile_server.py"))])
PROGRAM = (sys.executable, "-m", "toolgraft")


@dataclass(frozen=True)
class Ended:
    """How a command ended."""

    code: int
    out: str
    err: str


Run: TypeAlias = Callable[..., Ended]


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> Run:
    """Run the command line with these words, in a folder of its own."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "160")
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))

    def run(*words: str) -> Ended:
        monkeypatch.setattr(sys, "argv", ["toolgraft", *words])
        capsys.readouterr()
        with _logging_restored(), pytest.raises(SystemExit) as ended:
            main()
        captured = capsys.readouterr()
        return Ended(int(ended.value.code or 0), captured.out, captured.err)

    return run


@pytest.fixture
def program(tmp_path: Path) -> Run:
    """Run the command line as a program; `before` is Python code that goes first."""

    def run(*words: str, before: str = "") -> Ended:
        script = f"import sys\n{before}\nfrom toolgraft.cli import main\nmain()"
        command = [sys.executable, "-c", script, *words] if before else [*PROGRAM, *words]
        done = subprocess.run(
            command,
            capture_output=True,
            cwd=tmp_path,
            env={
                **os.environ,
                "COLUMNS": "160",
                "XDG_STATE_HOME": str(tmp_path / "state"),
            },  # no terminal, no width: what is wrapped where would be chance
            stdin=subprocess.DEVNULL,
            timeout=170,
            encoding="utf-8",
        )
        return Ended(done.returncode, done.stdout, done.stderr)

    return run


@pytest.fixture
def config(tmp_path: Path) -> Callable[..., Path]:
    """Write an mcp.json of these servers."""

    def write(name: str = "mcp.json", **servers: dict[str, Any]) -> Path:
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(json.dumps({"mcpServers": servers}))
        return path

    return write


@pytest.fixture
def refused_url() -> str:
    """A URL where nobody listens."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return f"http://127.0.0.1:{listener.getsockname()[1]}/mcp"


class _Website(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self._answer()

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers.get("content-length", 0)))
        self._answer()

    def _answer(self) -> None:
        body = b"<html>Welcome</html>"
        self.send_response(200)
        self.send_header("content-type", "text/html")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        pass


@pytest.fixture
def website() -> Iterator[str]:
    """The URL of a website, which is no MCP server."""
    server = HTTPServer(("127.0.0.1", 0), _Website)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/mcp"
    server.shutdown()
    thread.join()
    server.server_close()


@contextmanager
def _logging_restored() -> Generator[None]:
    root, ours = logging.getLogger(), logging.getLogger("toolgraft")
    handlers, levels = list(root.handlers), (root.level, ours.level)
    try:
        yield
    finally:
        root.handlers[:] = handlers
        root.setLevel(levels[0])
        ours.setLevel(levels[1])
