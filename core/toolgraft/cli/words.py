"""The arguments of a call, as `key=value` words or as JSON."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from toolgraft.errors import ArgumentsError, ConfigError
from toolgraft.schema import parse


def read_arguments(words: Sequence[str], text: str | None) -> dict[str, Any]:
    """Read the arguments of a call.

    Values stay text: the tool's schema says what they are, and they are turned into that where they are called. A key
    that stands twice is a list.

    Args:
        words: `key=value` each.
        text: The arguments as a JSON object, in place of words.

    Raises:
        ConfigError: A word has no `=`, there are both, or the JSON is none.
    """
    if text is not None:
        if words:
            raise ConfigError("give the arguments as key=value or by --json, not both", where="call")
        return _parsed(text)
    arguments: dict[str, Any] = {}
    for word in words:
        key, equals, value = word.partition("=")
        if not key or not equals:
            raise ConfigError(f"'{word}' is not of the form key=value; --json takes a JSON object", where="call")
        if key not in arguments:
            arguments[key] = value
        elif isinstance(arguments[key], list):
            arguments[key].append(value)
        else:
            arguments[key] = [arguments[key], value]
    return arguments


def _parsed(text: str) -> dict[str, Any]:
    try:
        return parse(text)
    except ArgumentsError as error:
        raise ConfigError("; ".join(error.problems).removeprefix("/: "), where="--json") from None
