"""JSON text, read as RFC 8259 has it."""

from __future__ import annotations

import json
from typing import Any

from toolgraft.schema.language.pointers import Node


def load_json(text: str) -> Any:
    """Read JSON as RFC 8259 has it: no NaN, no member twice.

    Raises:
        ValueError: The text is no such JSON.
    """
    try:
        return json.loads(text, parse_constant=_no_constant, object_pairs_hook=_once)
    except RecursionError as error:
        raise ValueError("it is nested too deep") from error


def _no_constant(name: str) -> Any:
    raise ValueError(f"{name} is not JSON")


def _once(pairs: list[tuple[str, Any]]) -> Node:
    out = dict(pairs)
    if len(out) != len(pairs):
        raise ValueError("a member is given twice")
    return out
