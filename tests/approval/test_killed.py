"""A process that dies between question and answer: another one goes on, and the call runs once."""

from __future__ import annotations

import json
import os
import select
import signal
import subprocess
import sys
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parent.parent.parent

pytestmark = [pytest.mark.timeout(300), pytest.mark.faults("P4", "P5")]


@contextmanager
def started(folder: Path, *command: str) -> Generator[tuple[subprocess.Popen[str], Any]]:
    """A program, and the line that it says first."""
    program = [sys.executable, "-m", *command, str(folder)]
    errors = folder / "errors"
    with errors.open("a") as stderr:
        process = subprocess.Popen(program, cwd=ROOT, stdout=subprocess.PIPE, stderr=stderr, text=True)
    assert process.stdout is not None
    with process:
        try:
            ready, _, _ = select.select([process.stdout], [], [], 120)
            line = process.stdout.readline() if ready else ""
            assert line, errors.read_text()
            yield process, json.loads(line)
        finally:
            process.kill()


def killed_once_it_asks(folder: Path, *command: str) -> Any:
    with started(folder, *command) as (process, asked):
        os.kill(process.pid, signal.SIGKILL)
        assert process.wait(30) == -signal.SIGKILL
    return asked


def ended(folder: Path, *command: str) -> Any:
    with started(folder, *command) as (process, told):
        assert process.wait(60) == 0
    return told


def runs(folder: Path) -> int:
    ledger = folder / "ledger"
    return sum(line.startswith("echo") for line in ledger.read_text().splitlines())


@pytest.mark.parametrize("kind", ["tool", "by_hand", "batched", "per_call"])
def test_a_graph_goes_on_in_another_process_and_its_call_runs_once(kind: str, tmp_path: Path) -> None:
    pytest.importorskip("langchain")
    program = ("tests.approval.paused_graph", kind)
    assert len(killed_once_it_asks(tmp_path, *program, "ask")) == 1
    assert runs(tmp_path) == 0
    told = ended(tmp_path, *program, "answer")
    assert told["asked"] == 0
    assert len(told["told"]) == 1
    assert "on" in told["told"][0]
    assert runs(tmp_path) == 1
    ended(tmp_path, *program, "answer")  # the checkpoint is beyond it
    assert runs(tmp_path) == 1


def test_a_saved_run_goes_on_in_another_process_and_its_call_runs_once(tmp_path: Path) -> None:
    pytest.importorskip("agents")
    assert killed_once_it_asks(tmp_path, "tests.approval.paused_run", "ask") == ["c0"]
    assert runs(tmp_path) == 0
    first, again = ended(tmp_path, "tests.approval.paused_run", "answer")["told"]
    assert "on" in first
    assert "it was used before" in again
    assert runs(tmp_path) == 1
