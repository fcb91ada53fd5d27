"""Servers that others wrote, installed by `scripts/real_servers`, each in an environment of its own."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest
from toolgraft import Stdio

FOLDER = Path(os.environ.get("TOOLGRAFT_REAL_SERVERS", Path(__file__).parents[2] / ".cache" / "real-servers"))


def missing(what: str) -> None:
    """Skip, or fail where everything has to run."""
    reason = f"{what} is not installed: run scripts/real_servers"
    if os.environ.get("TOOLGRAFT_REQUIRE_ALL"):
        pytest.fail(reason)
    pytest.skip(reason)


def installed(*candidates: Path | str | None) -> str | None:
    return next((str(each) for each in candidates if each and Path(each).is_file()), None)


def _from_pypi(name: str) -> str:
    command = installed(*(FOLDER / name / folder / f"mcp-server-{name}" for folder in ("bin", "Scripts")))
    if command is None:
        missing(f"mcp-server-{name}")
    return str(command)


@pytest.fixture
def time_server() -> Stdio:
    return Stdio(_from_pypi("time"), "--local-timezone", "Europe/Zurich", name="time")


@pytest.fixture
def git_server(tmp_path: Path) -> Stdio:
    """The server, allowed to read a new repository that has one commit."""
    repository = tmp_path / "repository"
    who = ["-c", "user.name=Ada", "-c", "user.email=ada@example.com", "-c", "commit.gpgsign=false"]
    for arguments in (["init", "-q"], ["commit", "-q", "--allow-empty", "-m", "The first commit"]):
        folder = repository if arguments[0] == "commit" else tmp_path
        target = ["repository"] if arguments[0] == "init" else []
        subprocess.run(["git", *who, *arguments, *target], cwd=folder, check=True, timeout=30, capture_output=True)
    return Stdio(_from_pypi("git"), "--repository", str(repository), name="git")


@pytest.fixture
def everything_server() -> Stdio:
    node = installed(FOLDER / "node" / "bin" / "node", shutil.which("node"))
    package = FOLDER / "everything" / "node_modules" / "@modelcontextprotocol" / "server-everything"
    program = installed(package / "dist" / "index.js")
    if node is None or program is None:
        missing("@modelcontextprotocol/server-everything" if node else "node")
    return Stdio(str(node), str(program), "stdio", name="everything")
