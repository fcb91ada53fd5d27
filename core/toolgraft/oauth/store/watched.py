"""A store whose failures are errors of signing in, with the server's name."""

from __future__ import annotations

import sqlite3
from collections.abc import Awaitable, Sequence
from typing import TypeVar

from toolgraft.config.token_store import Kept, TokenKey, TokenStore
from toolgraft.errors import OAuthError, StoreError, ToolgraftError

T = TypeVar("T")


class WatchedStore:
    """Passes everything on to another store. What that one raises is an `OAuthError`, `store_failed`."""

    def __init__(self, inner: TokenStore, server: str) -> None:
        self._inner = inner
        self._server = server

    async def read(self, key: TokenKey) -> Kept | None:
        """Give an entry, or None."""
        return await self._watched(self._inner.read(key), "read")

    async def swap(self, key: TokenKey, version: str | None, value: str | None) -> bool:
        """Replace an entry if it still has this version."""
        return await self._watched(self._inner.swap(key, version, value), "written")

    async def keys(self, server: str | None = None, identity: str | None = None) -> Sequence[TokenKey]:
        """Give the keys that are there."""
        return await self._watched(self._inner.keys(server, identity), "read")

    async def _watched(self, work: Awaitable[T], done: str) -> T:
        try:
            return await work
        except ToolgraftError as error:
            if not isinstance(error, StoreError):
                raise
            reason = str(error)
        except (OSError, sqlite3.Error) as error:
            reason = f"{type(error).__name__}: {error}"
        except Exception as error:  # of somebody's own store: its words may hold what it was to keep
            reason = type(error).__name__
        raise OAuthError(self._server, "store_failed", f"its tokens cannot be {done}: {reason}")
