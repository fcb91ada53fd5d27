"""Servers whose lists and answers a test writes."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import anyio
import anyio.lowlevel
import pytest
from toolgraft import Stdio

from tests.connection.conftest import ledger, start_raw  # noqa: F401  # pyright: ignore[reportUnusedImport]

ROOT = Path(__file__).parent.parent.parent


class Scripted:
    """A server that says what it is told to, see `tests.servers.scripted`."""

    def __init__(self, file: Path) -> None:
        self.file = file

    def says(self, tools: list[Any], **more: Any) -> None:
        listed = [
            {"name": each, "inputSchema": {"type": "object"}} if isinstance(each, str) else each for each in tools
        ]
        draft = self.file.with_suffix(".new")
        draft.write_text(json.dumps({"tools": listed, **more}))
        draft.replace(self.file)

    def declared(self, **options: Any) -> Stdio:
        options = {"name": self.file.stem, "era": "legacy", "cwd": ROOT, **options}
        return Stdio(sys.executable, "-m", "tests.servers.scripted", str(self.file), **options)

    @property
    def pids(self) -> list[int]:
        """The processes that were started so far."""
        written = Path(f"{self.file}.pids")
        return [int(line) for line in written.read_text().split()] if written.exists() else []

    @property
    def running(self) -> list[int]:
        return [pid for pid in self.pids if _runs(pid)]


def _runs(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


@pytest.fixture
def scripted(tmp_path: Path) -> Callable[..., Scripted]:
    """Make a server of a name, with tools (by name alone, or as on the wire) and more of its script."""

    def made(name: str, *tools: Any, **more: Any) -> Scripted:
        server = Scripted(tmp_path / f"{name}.json")
        server.says(list(tools), **more)
        return server

    return made


async def until(condition: Callable[[], bool]) -> None:
    """Wait for a condition, no longer than half a minute."""
    with anyio.fail_after(30):
        while not condition():
            await anyio.lowlevel.checkpoint()
