"""Where tokens are kept: three operations that a database has too, and the simplest store, in memory."""

from __future__ import annotations

import secrets
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal, Protocol, TypeAlias, runtime_checkable

TokenKind: TypeAlias = Literal["tokens", "client", "turn"]
"""What an entry holds: what somebody was granted, how we are registered, or whose turn it is to get tokens."""


@dataclass(frozen=True, slots=True, order=True)
class TokenKey:
    """What an entry is kept by.

    Attributes:
        kind: What it holds.
        server: URL of the MCP server.
        issuer: The authorization server; empty for a turn, which comes before it is known.
        identity: Whose it is; empty where callers are not told apart, and for a client, which all share.
    """

    kind: TokenKind
    server: str
    issuer: str = ""
    identity: str = ""


@dataclass(frozen=True, slots=True, repr=False)
class Kept:
    """An entry as it was read.

    Attributes:
        value: JSON text. It holds secrets.
        version: Another one after each change, and never one that was there before.
    """

    value: str
    version: str


@runtime_checkable
class TokenStore(Protocol):
    """Keeps entries, for one process or for many machines.

    An entry is only ever replaced as it was read: who comes second must be told, since of two that spend the same
    refresh token an authorization server locks both out. In SQL, `swap` is an insert that does nothing on conflict, or
    an update or delete `where version = ?`, and whether a row was changed.
    """

    async def read(self, key: TokenKey) -> Kept | None:
        """Give an entry, or None."""
        ...

    async def swap(self, key: TokenKey, version: str | None, value: str | None) -> bool:
        """Replace an entry if it still has this version.

        Args:
            key: Which.
            version: The version that was read; None where there was none.
            value: What it holds from now on; None deletes it.

        Returns:
            Whether it was replaced.
        """
        ...

    async def keys(self, server: str | None = None, identity: str | None = None) -> Sequence[TokenKey]:
        """Give the keys that are there, of a server and of an identity where one is named."""
        ...


TOKEN_KINDS: Final[tuple[TokenKind, ...]] = ("tokens", "client", "turn")


def new_version() -> str:
    """Give a version that no entry had before."""
    return secrets.token_hex(8)


class MemoryStore:
    """Keeps entries as long as the process lives. It pickles as an empty one: tokens travel nowhere."""

    def __init__(self) -> None:
        self._entries: dict[TokenKey, Kept] = {}
        self._lock = threading.Lock()

    async def read(self, key: TokenKey) -> Kept | None:
        """Give an entry, or None."""
        return self._entries.get(key)

    async def swap(self, key: TokenKey, version: str | None, value: str | None) -> bool:
        """Replace an entry if it still has this version."""
        with self._lock:
            found = self._entries.get(key)
            if (found.version if found else None) != version:
                return False
            if value is None:
                self._entries.pop(key, None)
            else:
                self._entries[key] = Kept(value, new_version())
            return True

    async def keys(self, server: str | None = None, identity: str | None = None) -> Sequence[TokenKey]:
        """Give the keys that are there."""
        with self._lock:
            found = list(self._entries)
        return [key for key in found if server in (None, key.server) and identity in (None, key.identity)]

    def __reduce__(self) -> tuple[type[MemoryStore], tuple[()]]:
        return MemoryStore, ()
