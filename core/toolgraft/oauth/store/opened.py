"""From what a declaration says of its store to the store."""

from __future__ import annotations

from os import PathLike
from pathlib import Path

import platformdirs

from toolgraft.config.database import is_postgres_url
from toolgraft.config.token_store import TokenStore
from toolgraft.oauth.store.sqlite import SqliteStore


def opened(store: TokenStore | str | PathLike[str]) -> TokenStore:
    """The store that is meant; nothing is read or written yet.

    Raises:
        MissingExtraError: It needs a package that is not installed.
    """
    if isinstance(store, TokenStore):
        return store
    if store == "keyring":
        from toolgraft.oauth.store.sealed import SealedStore

        return SealedStore(SqliteStore(usual_file()))
    if is_postgres_url(store):
        from toolgraft.oauth.store.postgres import PostgresStore

        return PostgresStore(str(store))
    return SqliteStore(usual_file() if store == "file" else Path(store))


def usual_file() -> Path:
    """Where tokens are kept when nothing else is said: in the user's data folder."""
    return platformdirs.user_data_path("toolgraft", appauthor=False) / "tokens.db"
