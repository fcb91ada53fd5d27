"""Reads an `envFile`: lines of `NAME=value`, as editors and servers keep them."""

from __future__ import annotations

import io
from pathlib import Path

from toolgraft.config.documents.jsonc import read_text
from toolgraft.errors import ConfigError


def read_env_file(path: Path, where: str, warnings: list[str]) -> dict[str, str]:
    """Return the variables of a `.env` file. Values are taken as they are: `${…}` in them is not expanded.

    Args:
        path: The file.
        where: File, server and field that name it, for errors.
        warnings: Gets a sentence for each name without a value; it is left out.

    Raises:
        ConfigError: The file cannot be read, or a line of it is no `NAME=value`.
    """
    from dotenv.parser import parse_stream  # here, because few configs have one; unlike dotenv_values, it tells lines

    try:
        text = read_text(path)
    except ConfigError as error:
        raise ConfigError(str(error), where=where) from error
    found: dict[str, str] = {}
    for line in parse_stream(io.StringIO(text)):
        if line.error:
            raise ConfigError(f"{path}, line {line.original.line}: is no NAME=value", where=where)
        if line.key is not None and line.value is None:
            warnings.append(f"{where}: '{line.key}' in {path} has no value and is left out")
        elif line.key is not None and line.value is not None:
            found[line.key] = line.value
    return found
