"""Entries in a Postgres database, for any number of machines."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from typing import Final, cast

from toolgraft.config.token_store import Kept, TokenKey, TokenKind, new_version
from toolgraft.postgres import Postgres, Session

_TABLE: Final = "toolgraft_tokens"
_MAKE: Final = f"""
create table if not exists {_TABLE} (
    key bytea primary key,
    kind text not null, server text not null, issuer text not null, identity text not null,
    value text not null, version text not null, changed timestamptz not null default now()
)
"""


class PostgresStore:
    """Keeps entries in the table `toolgraft_tokens`, which is made where it is missing.

    Who can read the table can use the tokens: it wants a role of its own.

    Raises:
        ConfigError: The URL is none.
        MissingExtraError: `psycopg` is not installed.
    """

    def __init__(self, url: str) -> None:
        self._database = Postgres(url, _TABLE, _MAKE)

    async def read(self, key: TokenKey) -> Kept | None:
        """Give an entry, or None."""

        def look(session: Session) -> Kept | None:
            row = session.execute(f"select value, version from {_TABLE} where key = %s", (_digest(key),)).fetchone()
            return Kept(*row) if row else None

        return await self._database.run(look)

    async def swap(self, key: TokenKey, version: str | None, value: str | None) -> bool:
        """Replace an entry if it still has this version."""
        at = _digest(key)

        def replace(session: Session) -> bool:
            if version is None and value is None:
                return session.execute(f"select 1 from {_TABLE} where key = %s", (at,)).fetchone() is None
            if version is None:
                row = (at, *(_text(each) for each in _parts(key)), value, new_version())
                into = f"insert into {_TABLE} (key, kind, server, issuer, identity, value, version)"
                done = session.execute(f"{into} values (%s, %s, %s, %s, %s, %s, %s) on conflict do nothing", row)
            elif value is None:
                done = session.execute(f"delete from {_TABLE} where key = %s and version = %s", (at, version))
            else:
                change = f"update {_TABLE} set value = %s, version = %s, changed = now()"
                done = session.execute(f"{change} where key = %s and version = %s", (value, new_version(), at, version))
            return done.rowcount == 1

        return await self._database.run(replace)

    async def keys(self, server: str | None = None, identity: str | None = None) -> Sequence[TokenKey]:
        """Give the keys that are there."""

        def look(session: Session) -> Sequence[TokenKey]:
            wanted = {"server": server, "identity": identity}
            told = {column: _text(each) for column, each in wanted.items() if each is not None}
            where = " and ".join(f"{column} = %({column})s" for column in told) or "true"
            rows = session.execute(f"select kind, server, issuer, identity from {_TABLE} where {where}".encode(), told)
            return sorted(_key(row) for row in rows)

        return await self._database.run(look)


def _parts(key: TokenKey) -> tuple[str, str, str, str]:
    return key.kind, key.server, key.issuer, key.identity


def _digest(key: TokenKey) -> bytes:
    """What an entry is found by: an index has no room for a long URL."""
    return hashlib.sha256(json.dumps(_parts(key)).encode()).digest()


def _text(part: str) -> str:
    """Write a part as JSON, since a database takes no NUL and no half of a surrogate pair."""
    return json.dumps(part)


def _key(row: Sequence[str]) -> TokenKey:
    kind, server, issuer, identity = (cast("str", json.loads(each)) for each in row)
    return TokenKey(cast("TokenKind", kind), server, issuer, identity)
