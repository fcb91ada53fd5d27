"""A Postgres server of one's own, in a folder, on a port of loopback; it ends with the block."""

from __future__ import annotations

import os
import secrets
import shutil
import socket
import subprocess
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import psycopg
import pytest

_ROOM: Final = Path("/usr/lib/postgresql")


@dataclass(frozen=True)
class RunningPostgres:
    """Where it is, and who may use it."""

    port: int
    password: str
    folder: Path
    programs: Path

    @property
    def url(self) -> str:
        return f"postgresql://owner:{self.password}@127.0.0.1:{self.port}/postgres"

    def empty(self) -> str:
        """URL of a new database in it, in which nothing is."""
        name = f"d{secrets.token_hex(8)}"
        with psycopg.connect(self.url, autocommit=True) as session:
            session.execute(f"create database {name}".encode())
        return self.url.removesuffix("postgres") + name

    def stop(self) -> None:
        _run(self.programs / "pg_ctl", "-D", self.folder / "data", "-m", "immediate", "-w", "stop")

    def start(self) -> None:
        options = f"-p {self.port} -c listen_addresses=127.0.0.1 -c unix_socket_directories='' -c fsync=off"
        log = self.folder / "log"
        _run(self.programs / "pg_ctl", "-D", self.folder / "data", "-l", log, "-o", options, "-w", "-t", "60", "start")


def programs() -> Path:
    """Folder of the server's programs; tests skip without them, and fail where everything has to run."""
    packaged = sorted(_ROOM.glob("*/bin/initdb"), reverse=True)
    found = packaged[0] if packaged else shutil.which("initdb")
    if found:
        return Path(found).resolve().parent
    reason = "Postgres is not installed: run scripts/postgres"
    if os.environ.get("TOOLGRAFT_REQUIRE_ALL"):
        pytest.fail(reason)
    pytest.skip(reason)


@contextmanager
def running_postgres(folder: Path) -> Generator[RunningPostgres]:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    running = RunningPostgres(port, secrets.token_hex(8), folder, programs())
    word = folder / "password"
    word.write_text(running.password)
    if os.geteuid() == 0:
        _hand_over(folder)
    how = ["-U", "owner", "--auth=scram-sha-256", f"--pwfile={word}", "--no-sync", "-E", "UTF8", "--no-locale"]
    _run(running.programs / "initdb", "-D", folder / "data", *how)
    running.start()
    try:
        yield running
    finally:
        running.stop()


def _run(*command: str | Path) -> None:
    """Run a program, as somebody else where we are root: the server refuses to be that."""
    user = "postgres" if os.geteuid() == 0 else None
    words = [str(each) for each in command]
    done = subprocess.run(
        words, user=user, cwd="/", timeout=120, check=False, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL
    )
    assert done.returncode == 0, words


def _hand_over(folder: Path) -> None:
    """Give the folder to the user who runs the server, and let that one through to it."""
    for each in (folder, *folder.iterdir()):
        shutil.chown(each, "postgres")
    for parent in folder.parents:
        if parent.stat().st_mode & 0o001 == 0 and parent.stat().st_uid == os.geteuid() and parent != Path("/"):
            parent.chmod(parent.stat().st_mode | 0o011)
