"""How a database is named: by the URL of a Postgres one. It holds a password, so that nothing shows it."""

from __future__ import annotations

from contextlib import suppress
from typing import Final

from toolgraft.errors import ConfigError, MissingExtraError

_SCHEMES: Final = ("postgresql://", "postgres://")


def is_postgres_url(value: object) -> bool:
    """Whether it is meant as the URL of a Postgres database."""
    return isinstance(value, str) and value.startswith(_SCHEMES)


def postgres_url(url: str) -> str:
    """Return the URL of a Postgres database.

    Raises:
        ConfigError: It is none.
        MissingExtraError: `psycopg` is not installed.
    """
    try:
        from psycopg import ProgrammingError
        from psycopg.conninfo import conninfo_to_dict
    except ModuleNotFoundError:
        raise MissingExtraError("postgres") from None
    if is_postgres_url(url):
        with suppress(ProgrammingError, UnicodeError):
            conninfo_to_dict(url)
            return url
    raise ConfigError("the URL of a Postgres database is postgresql://USER@HOST/DATABASE; this one is not well formed")
