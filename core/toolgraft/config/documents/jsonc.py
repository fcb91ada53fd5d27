"""Reads a config file: JSON, or JSON with comments and trailing commas, as editors keep their settings."""

from __future__ import annotations

import json
import re
import stat
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from toolgraft.config.documents.fields import printable
from toolgraft.errors import ConfigError

_MOST_BYTES = 32 * 1024 * 1024  # a host's own settings file may hold its history too
_MOST_JSON5 = 256 * 1024  # the reader for comments is some hundred times slower than `json`
_JSON5_PLACE = re.compile(r"^.*?:(\d+) (.*) at column (\d+)$", re.DOTALL)


def read_text(path: Path) -> str:
    """Return the text of a regular file.

    Raises:
        ConfigError: It is missing, unreadable, no regular file, larger than 32 MiB, or not text.
    """
    try:
        if not stat.S_ISREG(path.stat().st_mode):  # a pipe or device could block for ever
            raise ConfigError("is not a regular file", where=str(path))
        with path.open("rb") as file:
            data = file.read(_MOST_BYTES + 1)
    except (OSError, ValueError) as error:
        if isinstance(error, ConfigError):
            raise
        reason = getattr(error, "strerror", None) or str(error)
        raise ConfigError(f"cannot be read: {reason}", where=str(path)) from error
    if len(data) > _MOST_BYTES:
        raise ConfigError(f"is larger than {_MOST_BYTES // 1024 // 1024} MiB, no config file is", where=str(path))
    try:
        return data.decode(json.detect_encoding(data))  # UTF-8, or UTF-16 as some Windows tools write it
    except UnicodeDecodeError as error:
        raise ConfigError(f"is not text: {error.reason} at byte {error.start}", where=str(path)) from error


def read_json(path: Path) -> Any:
    """Return the value of a JSON file; comments and trailing commas are taken too.

    Raises:
        ConfigError: As in `read_text`; or the file is empty or not JSON (with line and column), or an object in it
            has a key twice, of which one would be lost.
    """
    text = read_text(path)
    if not text.strip():
        raise ConfigError('is empty; the smallest config is {"mcpServers": {}}', where=str(path))
    try:
        return json.loads(text, object_pairs_hook=_unique)
    except json.JSONDecodeError as error:
        return _with_comments(path, text, error)
    except RecursionError as error:
        raise ConfigError("is nested too deeply", where=str(path)) from error
    except ValueError as error:  # a key that is there twice, or a number of thousands of digits
        raise ConfigError(str(error), where=str(path)) from error


def _with_comments(path: Path, text: str, strict: json.JSONDecodeError) -> Any:
    if len(text) > _MOST_JSON5:
        limit = f"comments are read in files up to {_MOST_JSON5 // 1024} KiB"
        raise _not_json(path, strict.lineno, strict.colno, f"{strict.msg} ({limit})") from strict
    import json5  # here, because most files have no comments

    try:
        return json5.loads(text, object_pairs_hook=_unique)
    except RecursionError as error:
        raise ConfigError("is nested too deeply", where=str(path)) from error
    except ConfigError as error:
        raise ConfigError(str(error), where=str(path)) from error
    except ValueError as error:
        place = _JSON5_PLACE.match(str(error))
        if place is None:
            raise ConfigError(f"is not JSON: {error}", where=str(path)) from error
        line, column = int(place[1]), int(place[3])
        same = (line, column) == (strict.lineno, strict.colno)  # then the plain reader says it better
        raise _not_json(path, line, column, strict.msg if same else place[2]) from error


def _not_json(path: Path, line: int, column: int, reason: str) -> ConfigError:
    return ConfigError(f"is not JSON: {reason}", where=f"{path}, line {line}, column {column}")


def _unique(items: Iterable[tuple[str, Any]]) -> dict[str, Any]:
    pairs = list(items)
    unique = dict(pairs)
    if len(unique) != len(pairs):
        twice = Counter(key for key, _ in pairs).most_common(1)[0][0]
        raise ConfigError(f"has the key '{printable(twice)}' twice in one object; rename one")
    return unique
