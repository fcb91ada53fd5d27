"""Drives the workers: interleaved rounds in random order, so that a busy moment hits every contender alike."""

from __future__ import annotations

import json
import os
import random
import select
import signal
import socket
import subprocess
import time
from collections.abc import Generator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any, Final

from benchmarks.contenders.contract import Target
from benchmarks.environments import CACHE, ROOT, python
from benchmarks.roster import CONTENDERS

SERVERS: Final = Path(__file__).parent / "servers"
PYTHONS: Final = {"thin": "own", "sdk": "own", "hostile": "own", "old": "mcp-adapters"}
QUIET: Final = {
    "OPENAI_AGENTS_DISABLE_TRACING": "1",
    "OPENAI_API_KEY": "none",
    "LANGSMITH_TRACING": "false",
    "PYTHONPATH": os.pathsep.join([str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])]),
}


class Failed(Exception):
    """A contender could not do what it was asked to."""


@dataclass
class Samples:
    """What was measured, a value a round; contenders that failed, and why."""

    wall: dict[str, list[float]] = field(default_factory=dict[str, list[float]])
    cpu: dict[str, list[float]] = field(default_factory=dict[str, list[float]])
    failed: dict[str, str] = field(default_factory=dict[str, str])

    def add(self, name: str, answer: Mapping[str, Any]) -> None:
        self.wall.setdefault(name, []).append(answer["wall"])
        self.cpu.setdefault(name, []).append(answer["cpu"])

    def fail(self, name: str, error: Failed) -> None:
        self.failed.setdefault(name, str(error))
        self.wall.pop(name, None)
        self.cpu.pop(name, None)


class Worker:
    """One contender's process."""

    def __init__(self, name: str) -> None:
        self.name = name
        CACHE.mkdir(parents=True, exist_ok=True)
        self._errors = (CACHE / f"{name.replace(' ', '-')}.log").open("a")
        self._process = subprocess.Popen(
            [python(CONTENDERS[name].environment), "-m", "benchmarks.worker", name],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._errors,
            text=True,
            cwd=ROOT,
            env={**os.environ, **QUIET},
        )

    def ask(self, do: str, *, seconds: float = 90, **command: Any) -> dict[str, Any]:
        """Have the worker do something.

        Raises:
            Failed: It raised, it died, or it took too long.
        """
        sent, heard = self._pipes()
        try:
            sent.write(json.dumps({"do": do, **command}) + "\n")
            sent.flush()
            line = heard.readline() if select.select([heard], [], [], seconds)[0] else None
        except OSError:
            line = ""
        if not line:
            self.stop()
            raise Failed(f"no answer within {seconds:g} s" if line is None else "the process ended")
        answer: dict[str, Any] = json.loads(line)
        if "error" in answer:
            raise Failed(answer["error"])
        return answer

    def stop(self) -> None:
        self._process.kill()
        self._process.wait()
        for pipe in (*self._pipes(), self._errors):
            with suppress(OSError):
                pipe.close()

    def _pipes(self) -> tuple[IO[str], IO[str]]:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        return self._process.stdin, self._process.stdout


@contextmanager
def workers(names: Sequence[str]) -> Generator[dict[str, Worker]]:
    """A process for each contender, ended at the end."""
    with ExitStack() as stack:
        made: dict[str, Worker] = {}
        for name in names:
            made[name] = Worker(name)
            stack.callback(made[name].stop)
        yield made


def stdio(script: str, *arguments: object) -> Target:
    """A server of ours, to be started by the contender."""
    return Target((python(PYTHONS[script]), str(SERVERS / f"{script}.py"), *map(str, arguments)))


class HttpServer:
    """A server of ours, on a free port of the loopback interface."""

    def __init__(self, script: str, *arguments: object) -> None:
        with socket.create_server(("127.0.0.1", 0)) as free:
            self.port = free.getsockname()[1]
        command = stdio(script, "--http", self.port, *arguments).command
        self._command = list(command)
        self.start()

    def start(self) -> None:
        self._process = subprocess.Popen(
            self._command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        until = time.monotonic() + 30
        while True:
            try:
                socket.create_connection(("127.0.0.1", self.port), 1).close()
                return
            except OSError:
                if time.monotonic() > until:
                    raise
                time.sleep(0.02)

    @property
    def target(self) -> Target:
        return Target(url=f"http://127.0.0.1:{self.port}/mcp")

    def stop(self) -> None:
        self._process.send_signal(signal.SIGKILL)
        self._process.wait()

    def restart(self) -> None:
        self.stop()
        self.start()


@contextmanager
def http(script: str, *arguments: object) -> Generator[HttpServer]:
    server = HttpServer(script, *arguments)
    try:
        yield server
    finally:
        server.stop()


def shuffled(names: Sequence[str]) -> list[str]:
    return random.sample(list(names), len(names))


def interleave(team: Mapping[str, Worker], rounds: int, do: str, **command: Any) -> Samples:
    """Ask every worker the same, once to warm up and then in rounds."""
    samples = Samples()
    for number in range(rounds + 1):
        for name in shuffled([name for name in team if name not in samples.failed]):
            try:
                answer = team[name].ask(do, **command)
            except Failed as error:
                samples.fail(name, error)
            else:
                if number:
                    samples.add(name, answer)
    return samples


def open_all(team: Mapping[str, Worker], *targets: Target) -> dict[str, str]:
    """Connect every worker; give the failures."""
    failed: dict[str, str] = {}
    for name, worker in team.items():
        try:
            worker.ask("open", targets=[target.as_json() for target in targets])
        except Failed as error:
            failed[name] = str(error)
    return failed


def close_all(team: Mapping[str, Worker]) -> None:
    for worker in team.values():
        try:
            worker.ask("close")
        except Failed:
            worker.stop()
