"""What the model wrote, before it goes to a server: parsed, coerced where nothing is lost, checked."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, cast

from toolgraft.errors import ArgumentsError


def parse(text: str) -> dict[str, Any]:
    """Read the JSON text of a call's arguments; blank is no arguments.

    Raises:
        ArgumentsError: The text is not a JSON object.
    """
    if not text.strip():
        return {}
    try:
        value: object = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ArgumentsError(None, [f"/: wanted a JSON object, got text that is not JSON ({error})"]) from error
    if not isinstance(value, dict):
        raise ArgumentsError(None, [f"/: wanted a JSON object, got {type(value).__name__}"])
    return cast(dict[str, Any], value)


class Checker:
    """Coerces and checks arguments against a tool's own schema; compiled at the first use."""

    def __init__(self, input_schema: Mapping[str, Any]) -> None:
        self._schema = input_schema

    def coerce(self, args: dict[str, Any]) -> dict[str, Any]:
        """Give the arguments with values of the wrong kind put right where nothing is lost."""
        return args

    def problems(self, args: dict[str, Any]) -> Sequence[str]:
        """Say what is wrong with the arguments, a sentence each, beginning with a JSON pointer."""
        return ()


def compile_checks(input_schema: Mapping[str, Any]) -> Checker:
    """Prepare the checks of a tool's arguments."""
    return Checker(input_schema)
