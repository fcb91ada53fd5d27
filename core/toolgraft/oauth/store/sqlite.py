"""Entries in an SQLite file that only its owner can read; any number of threads and processes may share it."""

from __future__ import annotations

import asyncio
import os
import sqlite3
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path
from typing import Final, TypeVar

from toolgraft.config.token_store import Kept, TokenKey, TokenKind, new_version

T = TypeVar("T")

_PATIENCE: Final = 20.0
"""Seconds that one process waits for another that writes."""

_MAKE: Final = """
create table if not exists entries (
    kind text not null, server text not null, issuer text not null, identity text not null,
    value text not null, version text not null,
    primary key (kind, server, issuer, identity)
) without rowid
"""
_OF: Final = "kind = ? and server = ? and issuer = ? and identity = ?"


class SqliteStore:
    """Keeps entries in a file, mode 0600, in a folder of mode 0700 where that is made."""

    def __init__(self, path: Path) -> None:
        self.path = path

    async def read(self, key: TokenKey) -> Kept | None:
        """Give an entry, or None."""

        def look(file: sqlite3.Connection) -> Kept | None:
            row = file.execute(f"select value, version from entries where {_OF}", _parts(key)).fetchone()
            return Kept(*row) if row else None

        return await self._run(look)

    async def swap(self, key: TokenKey, version: str | None, value: str | None) -> bool:
        """Replace an entry if it still has this version."""

        def replace(file: sqlite3.Connection) -> bool:
            if version is None and value is None:
                return file.execute(f"select 1 from entries where {_OF}", _parts(key)).fetchone() is None
            if version is None:
                row = (*_parts(key), value, new_version())
                done = file.execute("insert into entries values (?, ?, ?, ?, ?, ?) on conflict do nothing", row)
            elif value is None:
                done = file.execute(f"delete from entries where {_OF} and version = ?", (*_parts(key), version))
            else:
                change = f"update entries set value = ?, version = ? where {_OF} and version = ?"
                done = file.execute(change, (value, new_version(), *_parts(key), version))
            return done.rowcount == 1

        return await self._run(replace)

    async def keys(self, server: str | None = None, identity: str | None = None) -> Sequence[TokenKey]:
        """Give the keys that are there."""

        def look(file: sqlite3.Connection) -> Sequence[TokenKey]:
            wanted = [
                (column, each) for column, each in (("server", server), ("identity", identity)) if each is not None
            ]
            where = " and ".join(f"{column} = ?" for column, _ in wanted) or "true"
            rows: list[tuple[TokenKind, str, str, str]] = file.execute(
                f"select kind, server, issuer, identity from entries where {where} order by 1, 2, 3, 4",
                [each for _, each in wanted],
            ).fetchall()
            return [TokenKey(*row) for row in rows]

        return await self._run(look)

    async def _run(self, work: Callable[[sqlite3.Connection], T]) -> T:
        """Do something with the file, in a thread, to its end: a caller that is cancelled leaves nothing half done."""

        def opened() -> T:
            _made_private(self.path)
            with closing(sqlite3.connect(self.path, timeout=_PATIENCE, isolation_level=None)) as file:
                file.execute("pragma synchronous = full")
                file.execute(_MAKE)
                return work(file)

        return await asyncio.to_thread(opened)


def _parts(key: TokenKey) -> tuple[str, str, str, str]:
    return key.kind, key.server, key.issuer, key.identity


def _made_private(path: Path) -> None:
    """See to it that the file is there and nobody else's to read, before anything is in it; its journal is as it is."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    descriptor = os.open(path, os.O_CREAT | os.O_RDWR | getattr(os, "O_NOFOLLOW", 0), 0o600)
    try:
        if os.name == "posix" and os.fstat(descriptor).st_mode & 0o077:
            os.fchmod(descriptor, 0o600)
    finally:
        os.close(descriptor)
