"""The demo server as a server declaration, started and stopped for you."""

from __future__ import annotations

import json
import queue
import subprocess
import sys
import threading
from types import TracebackType
from typing import IO, Unpack

from toolgraft.config import Http, Stdio
from toolgraft.config.servers import ServerOptions, StdioOptions
from toolgraft.errors import ConnectError

DEMO_COMMAND: tuple[str, ...] = (sys.executable, "-P", "-m", "toolgraft.testing")
"""The command that runs the demo server over stdio."""

_START_SECONDS = 60.0
_STOP_SECONDS = 5.0


def demo_stdio(**options: Unpack[StdioOptions]) -> Stdio:
    """Return the demo server as a child process over stdio.

    Args:
        **options: Any field of `Stdio` but the command; the name is `demo-stdio` when left out.
    """
    program, *arguments = DEMO_COMMAND
    options.setdefault("name", "demo-stdio")
    options["args"] = (*arguments, *options.get("args", ()))
    return Stdio(program, **options)


def demo_http(**options: Unpack[ServerOptions]) -> DemoHttp:
    """Run the demo server over Streamable HTTP on loopback for the length of a `with` or `async with` block.

    The block is given the `Http` to graft. The server is a process of its own; it is stopped when the block
    ends, and also when this process dies.

    Args:
        **options: Any common field of `Http`; the name is `demo-http` when left out.
    """
    return DemoHttp(options)


class DemoHttp:
    """The context manager behind `demo_http`. It may be entered once."""

    def __init__(self, options: ServerOptions) -> None:
        self._options: ServerOptions = {"name": "demo-http", **options}
        self._process: subprocess.Popen[str] | None = None

    def __enter__(self) -> Http:
        command = (*DEMO_COMMAND, "--http", "0", "--until-end-of-input")
        process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8")
        self._process = process
        try:
            return Http(_first_url(process), **self._options)
        except BaseException:
            _stop(process)
            raise

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        if self._process:
            _stop(self._process)

    async def __aenter__(self) -> Http:
        from anyio import to_thread

        return await to_thread.run_sync(self.__enter__)

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None
    ) -> None:
        from anyio import CancelScope, to_thread

        with CancelScope(shield=True):  # a cancelled block still stops its server
            await to_thread.run_sync(self.__exit__, kind, error, at)


def _first_url(process: subprocess.Popen[str]) -> str:
    """Return the url of the server's first line, waiting for it no longer than `_START_SECONDS`."""
    lines: queue.SimpleQueue[str] = queue.SimpleQueue()
    threading.Thread(target=lambda: lines.put(_pipe(process.stdout).readline()), daemon=True).start()
    try:
        return str(json.loads(lines.get(timeout=_START_SECONDS))["url"])
    except (queue.Empty, ValueError) as wrong:
        code = process.poll()
        reason = f"it ended with exit code {code}" if code is not None else "it did not say where it listens"
        raise ConnectError("demo-http", " ".join((*DEMO_COMMAND, "--http")), reason) from wrong


def _stop(process: subprocess.Popen[str]) -> None:
    """End the server: ask by end of input, then terminate, then kill. Returns when it is gone."""
    _pipe(process.stdin).close()
    for harder in (process.terminate, process.kill):
        try:
            process.wait(_STOP_SECONDS)
            break
        except subprocess.TimeoutExpired:
            harder()
    process.wait()
    _pipe(process.stdout).close()


def _pipe(stream: IO[str] | None) -> IO[str]:
    if stream is None:
        raise RuntimeError("the process was started without a pipe")
    return stream
