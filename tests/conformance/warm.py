"""A process that has imported everything and forks a client for each scenario: importing takes longer than a scenario.

`python -m tests.conformance.warm SOCKET` says `ready` and serves `knock.py` until its standard input ends.
"""

from __future__ import annotations

import json
import os
import select
import signal
import socket
import subprocess
import sys
import threading
import traceback
from collections.abc import Generator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from tests.conformance import client

IMPORTED: Final = (
    "toolgraft.toolbox.connections",
    "toolgraft_langchain",
    "toolgraft_openai_agents",
    "agents.tool_context",
)


@contextmanager
def warm(root: Path) -> Generator[Path]:
    """Have such a process, at the socket that is given."""
    with TemporaryDirectory() as folder:
        door = Path(folder) / "door"
        command = [sys.executable, "-m", "tests.conformance.warm", str(door)]
        with subprocess.Popen(command, cwd=root, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
            assert process.stdout is not None
            if process.stdout.readline() != b"ready\n":
                raise RuntimeError("the process that forks clients did not start")
            yield door
            # leaving closes its standard input, which ends it


def serve(path: str) -> None:
    """Fork a client for each knock, until standard input ends."""
    for name in IMPORTED:
        import_module(name)
    if threading.active_count() > 1:
        raise RuntimeError("an import has started a thread, so that forking is not safe")
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody waits for the clients: their ends are told by themselves
    with socket.socket(socket.AF_UNIX) as door:
        door.bind(path)
        door.listen()
        print("ready", flush=True)
        while sys.stdin not in select.select([door, sys.stdin], [], [])[0]:
            knocked, _ = door.accept()
            with knocked:
                if os.fork() == 0:
                    os._exit(_client(knocked))


def _client(knocked: socket.socket) -> int:
    """Be the client: with the output, arguments and environment of the one who knocked."""
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    _, (output, errors), *_ = socket.recv_fds(knocked, 1, 2)
    os.dup2(output, 1)
    os.dup2(errors, 2)
    code = 1
    try:
        asked = json.loads(knocked.makefile().read())
        os.environ.update(asked["environment"])
        client.main(*asked["arguments"])
        code = 0
    except BaseException:
        traceback.print_exc()
    sys.stdout.flush()
    sys.stderr.flush()
    knocked.sendall(bytes([code]))
    return code


if __name__ == "__main__":
    serve(sys.argv[1])
