"""A Postgres database that any number of machines share; each query in a thread, on a connection that is kept."""

from __future__ import annotations

import asyncio
import os
import re
import socket
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final, TypeAlias, TypeVar

from toolgraft.config.database import postgres_url
from toolgraft.errors import StoreError

if TYPE_CHECKING:
    from psycopg import Connection
    from psycopg.rows import TupleRow

T = TypeVar("T")
Session: TypeAlias = "Connection[TupleRow]"

_PATIENCE: Final = 20.0
"""Seconds that a query, with connecting, may take."""

_KEPT: Final = 4
"""Connections that are kept while nobody uses them."""

_FRESH: Final = 1.0
"""Seconds after which a kept connection is looked at before it is used: a server may have dropped it."""


class Postgres:
    """Runs work in a database, in which one table is made where it is missing.

    It pickles by its URL. Nothing is opened before it is used, and nothing has to be closed.

    Args of its making: a libpq URL; name of the table; the SQL that makes it.

    Raises:
        ConfigError: The URL is none.
        MissingExtraError: `psycopg` is not installed.
    """

    def __init__(self, url: str, table: str, make: str) -> None:
        self._url = postgres_url(url)
        self._table = table
        self._make = make
        self._made = False
        self._lock = threading.Lock()
        self._idle: list[tuple[int, float, Session]] = []
        self._running: set[asyncio.Task[object]] = set()

    def __repr__(self) -> str:
        return "Postgres(...)"

    def __del__(self) -> None:
        for process, _, session in vars(self).get("_idle", ()):
            if process == os.getpid():
                session.close()

    def __reduce__(self) -> tuple[type[Postgres], tuple[str, str, str]]:
        return Postgres, (self._url, self._table, self._make)

    async def run(self, work: Callable[[Session], T]) -> T:
        """Do something with the database to its end, also when the caller is cancelled: nothing is left half done.

        Args:
            work: Gets a connection in autocommit mode.

        Raises:
            StoreError: The database cannot be reached, refuses, or does not answer in time.
        """
        task = asyncio.ensure_future(self._in_time(work))
        self._running.add(task)
        task.add_done_callback(self._running.discard)
        return await asyncio.shield(task)

    async def _in_time(self, work: Callable[[Session], T]) -> T:
        using: list[Session] = []
        working = asyncio.ensure_future(asyncio.to_thread(self._done, work, using))
        done, _ = await asyncio.wait([working], timeout=_PATIENCE)
        if done:
            return working.result()
        for each in using:
            _cut(each)
        working.add_done_callback(_looked_at)
        raise StoreError(f"the database does not answer within {_PATIENCE:g} s")

    def _done(self, work: Callable[[Session], T], using: list[Session]) -> T:
        import psycopg

        try:
            session = self._kept() or self._opened()
            using.append(session)
            self._see_to_the_table(session)
            found = work(session)
        except psycopg.Error as error:
            for each in using:
                each.close()
            raise StoreError(_reason(error)) from None
        using.clear()
        self._keep(session)
        return found

    def _kept(self) -> Session | None:
        import psycopg

        while True:
            with self._lock:
                ours = [each for each in self._idle if each[0] == os.getpid()]
                if not ours:
                    return None  # after a fork there are the parent's, and closing one would end the parent's session
                self._idle.remove(ours[-1])
            _, since, session = ours[-1]
            try:
                if time.monotonic() - since > _FRESH:
                    session.execute("select 1")
            except psycopg.Error:
                session.close()
            else:
                return session

    def _keep(self, session: Session) -> None:
        with self._lock:
            if len(self._idle) < _KEPT and not session.closed:
                self._idle.append((os.getpid(), time.monotonic(), session))
                return
        session.close()

    def _opened(self) -> Session:
        import psycopg

        # Pools between us and the server, such as PgBouncer, know no prepared statements.
        return psycopg.connect(
            self._url, autocommit=True, prepare_threshold=None, connect_timeout=10, application_name="toolgraft"
        )

    def _see_to_the_table(self, session: Session) -> None:
        if self._made:
            return
        there = session.execute("select to_regclass(%s)", (self._table,)).fetchone()
        if there is None or there[0] is None:
            with session.transaction():  # `if not exists` alone fails where two make it at once
                session.execute("select pg_advisory_xact_lock(hashtext(%s))", (self._table,))
                session.execute(self._make.encode())
        self._made = True


def _reason(error: Exception) -> str:
    """What went wrong, without values: a database's messages hold some."""
    from psycopg import Error, OperationalError

    code = error.sqlstate if isinstance(error, Error) else None
    said = str(error).partition("\n")[0] if isinstance(error, OperationalError) and code is None else ""
    said = re.sub(r"\S*://\S*", "<url>", said)
    return f"the database fails: {said or type(error).__name__}" + (f" ({code})" if code else "")


def _cut(session: Session) -> None:
    """Have whoever waits for an answer on this connection wait no longer."""
    with suppress(Exception), socket.socket(fileno=os.dup(session.fileno())) as line:
        line.shutdown(socket.SHUT_RDWR)


def _looked_at(task: asyncio.Future[Any]) -> None:
    if not task.cancelled():
        task.exception()
