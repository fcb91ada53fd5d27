"""However a `with graft(...)` ends, the program ends too, and no server outlives it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from contextlib import ExitStack
from pathlib import Path

import pytest
from toolgraft import Http

from tests.connection.test_processes import wait_gone

ROOT = Path(__file__).parent.parent.parent

PROGRAM = """
import asyncio, os, sys, threading, time
sys.path[:0] = {path!r}
from tests.connection.conftest import raw_stdio
from toolgraft.tools.bound import BoundTool
from toolgraft.config import Http
from toolgraft.errors import ClosedError
from toolgraft.toolbox.graft import Graft
from toolgraft.options import Options

class Bare:
    name = "bare"
    def to_tool(self, bound):
        return bound

def graft(server):
    return Graft(Bare(), [server], Options())

def stay(graft):
    with graft as tools:
        print(tools[0].connection.pid, flush=True)
        entered.set()
        time.sleep(60)

def within(graft):
    with graft as tools:
        print(tools[0].connection.pid, flush=True)
        yield

entered = threading.Event()
g = graft({server})
{body}
"""

ENTERED = "tools = g.__enter__(); print(tools[0].connection.pid, flush=True)"
BODIES = {
    "left": "with g as tools:\n    print(tools[0].connection.pid, flush=True)",
    "SIGINT": "stay(g)",
    "SIGTERM": "stay(g)",
    "never left": ENTERED,
    "never left, its graft dropped": f"{ENTERED}; del g; assert not tools[0].answer_sync({{'text': 'x'}}).is_error",
    "in a thread of its own": "threading.Thread(target=stay, args=[g], daemon=True).start(); entered.wait()",
    "in a generator that was not finished": "made = within(g); next(made)",
}


def _started(server: str, body: str) -> subprocess.Popen[str]:
    program = PROGRAM.format(path=[str(ROOT), *sys.path], server=server, body=body)
    return subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


@pytest.mark.usefixtures("interruptible")
@pytest.mark.faults("L16")
def test_however_a_graft_ends_its_program_ends_and_its_server_is_gone() -> None:
    stubborn = {"SIGTERM", "never left"}
    servers = {ending: 'raw_stdio("--stubborn")' if ending in stubborn else "raw_stdio()" for ending in BODIES}
    with ExitStack() as started:
        hosts = {ending: started.enter_context(_started(servers[ending], body)) for ending, body in BODIES.items()}
        for host in hosts.values():
            started.callback(host.kill)
        for ending, host in hosts.items():
            assert host.stdout is not None
            pid = int(host.stdout.readline())
            if ending.startswith("SIG"):
                host.send_signal(signal.Signals[ending])
            _, said = host.communicate(timeout=30)
            assert wait_gone(pid), ending
            assert ("Traceback" in said) is (ending == "SIGINT"), said


@pytest.mark.faults("L14")
def test_a_graft_over_http_that_is_never_left_lets_its_program_end(demo_http: Http) -> None:
    host = _started(f"Http({demo_http.url!r}, era='legacy')", ENTERED)
    try:
        _, said = host.communicate(timeout=30)
    finally:
        host.kill()
    assert (host.returncode, said) == (0, "")


FORK = """
with g as tools:
    print(tools[0].connection.pid, flush=True)
    child = os.fork()
    if child == 0:
        try:
            tools[0].answer_sync({'text': 'x'})
        except ClosedError as error:
            print(error, flush=True)
        try:
            asyncio.run(tools[0].call({'text': 'x'}))
        except ClosedError as error:
            print(error, flush=True)
        sys.exit(7)
    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
    print(tools[0].answer_sync({'text': 'here'}).is_error, flush=True)
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this platform does not fork")
@pytest.mark.faults("L14")
def test_a_fork_is_told_that_the_tools_are_its_parents_and_ends_without_them() -> None:
    host = _started("raw_stdio()", FORK)
    try:
        said, _ = host.communicate(timeout=30)
    finally:
        host.kill()
    pid, sync, not_sync, code, failed = said.splitlines()
    assert pid.isdecimal()
    assert "forked" in sync
    assert "forked" in not_sync
    assert (code, failed) == ("7", "False")


def test_no_thread_is_left_of_a_graft_that_ended(demo_http: Http) -> None:
    from toolgraft_langchain import graft

    before = set(threading.enumerate())
    for _ in range(3):
        with graft(demo_http):
            pass
    assert set(threading.enumerate()) <= before
