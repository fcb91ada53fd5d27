from __future__ import annotations

import os
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
import toolgraft

from tests.cli.conftest import PROGRAM, Run

HANGING = """
import os, subprocess, sys, time
child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
print(os.getpid(), child.pid, file=open(sys.argv[1], "w"), flush=True)
time.sleep(600)
"""


def _runs(pid: str) -> bool:
    """Whether a process runs; one that has ended and waits to be reaped does not."""
    shown = subprocess.run(["ps", "-o", "stat=", "-p", pid], capture_output=True, text=True, check=False)
    return shown.stdout.strip()[:1] not in ("", "Z")


def _wait_for(path: Path, seconds: float = 50) -> list[str]:
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        if path.exists() and path.read_text().endswith("\n"):
            return path.read_text().split()
        time.sleep(0.02)
    raise AssertionError(f"{path} did not come")


@pytest.mark.faults("L16")
@pytest.mark.usefixtures("interruptible")
@pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")
def test_an_interrupt_while_a_server_starts_leaves_no_process(tmp_path: Path) -> None:
    (tmp_path / "hanging.py").write_text(HANGING)
    pids = tmp_path / "pids"
    server = shlex.join([sys.executable, str(tmp_path / "hanging.py"), str(pids)])
    with subprocess.Popen(
        [*PROGRAM, "tools", "--stdio", server], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        try:
            started = _wait_for(pids)
            process.send_signal(signal.SIGINT)
            out, err = process.communicate(timeout=30)
        finally:
            process.kill()
    assert process.returncode == 130
    assert (out, err) == ("", "")
    assert not [pid for pid in started if _runs(pid)]


def test_without_its_extra_the_command_says_what_to_install(program: Run) -> None:
    ended = program("tools", before="sys.modules['typer'] = None")
    assert ended.code == 2
    assert ended.out == ""
    assert ended.err.endswith("pip install 'toolgraft[cli]'\n")
    assert "Traceback" not in ended.err


def test_the_version_is_told(program: Run) -> None:
    ended = program("--version")
    assert (ended.code, ended.out) == (0, f"toolgraft {toolgraft.__version__}\n")


def test_help_tells_the_commands_and_the_exit_codes(run: Run) -> None:
    ended = run("--help")
    assert ended.code == 0
    for word in ("demo", "tools", "call", "Exit codes", "130"):
        assert word in ended.out


@pytest.mark.parametrize("words", [("tols",), ("tools", "--no-such-option"), ("call",)])
def test_a_wrong_command_line_is_exit_code_2(words: tuple[str, ...], run: Run) -> None:
    ended = run(*words)
    assert ended.code == 2
    assert ended.out == ""
    assert ended.err
