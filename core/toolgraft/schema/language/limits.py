"""Limits: how much of a schema is looked at, and how many nodes its conversion may visit."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from math import isfinite
from typing import Any, cast

from toolgraft.errors import SchemaError
from toolgraft.schema.language.pointers import Path, pointer

MAX_DEPTH = 100
"""Most containers inside each other; real schemas stay below 40, and every later walk recurses this deep."""

MAX_VALUES = 20_000
"""Most values in a schema as it came; real ones stay below 3,000."""

MAX_VISITS = 50_000
"""Most nodes that a conversion may visit."""

MAX_TEXT = 2_000_000
"""Most characters of all strings in a schema."""


def measure(schema: Mapping[str, Any]) -> None:
    """Check that a schema is JSON and within bounds, without recursion.

    Raises:
        SchemaError: It is too deep, too large, or not JSON.
    """
    level: list[Any] = [schema]
    size = text = 0
    for _ in range(MAX_DEPTH):
        below: list[Any] = []
        for container in level:
            size += len(container)
            text += _look_into(container, below, schema)
        if size > MAX_VALUES or text > MAX_TEXT:
            raise SchemaError(f"schema is too large (over {MAX_VALUES} values or {MAX_TEXT} characters)")
        if not below:
            return
        level = below
    raise SchemaError(f"schema is nested deeper than {MAX_DEPTH} levels", pointer=_locate(schema, level[0])[:200])


def _look_into(container: Any, below: list[Any], schema: Mapping[str, Any]) -> int:
    """Collect a container's containers; give the characters in its strings."""
    text = 0
    inner: Iterable[Any] = container
    if not isinstance(container, list):
        inner = container.values()
        try:
            text = sum(map(len, container))
        except TypeError:
            reason = "a member name that is not a string"
            raise SchemaError(reason, pointer=_locate(schema, container)) from None
    for value in inner:
        kind = cast(type[object], type(value))
        if kind is str:
            text += len(value)
        elif kind is dict or kind is list:
            below.append(value)
        elif kind is bool or kind is int or value is None:
            continue
        elif kind is not float:
            raise SchemaError(f"not a JSON value ({kind.__name__})", pointer=_locate(schema, value))
        elif not isfinite(value):
            raise SchemaError("a number that JSON does not have", pointer=_locate(schema, value))
    return text


def _locate(schema: Mapping[str, Any], sought: object) -> str:
    """Pointer to a value by its identity."""
    level: list[tuple[Any, Path]] = [(schema, "")]
    for _ in range(MAX_DEPTH + 1):
        below: list[tuple[Any, Path]] = []
        for value, path in level:
            if value is sought:
                return pointer(path)
            if isinstance(value, Mapping):
                below += [(inner, (path, str(key))) for key, inner in cast(Mapping[object, Any], value).items()]
            elif isinstance(value, list):
                below += [(inner, (path, i)) for i, inner in enumerate(cast(list[Any], value))]
        level = below[:MAX_VISITS]
    return ""


class Budget:
    """Counts the nodes that a conversion visits, so that no reference fan-out can make it long."""

    __slots__ = ("_left",)

    def __init__(self, nodes: int = MAX_VISITS) -> None:
        self._left = nodes

    @property
    def left(self) -> int:
        """Nodes that may still be visited."""
        return self._left

    def spend(self, path: Path, nodes: int = 1) -> None:
        """Take from the budget.

        Raises:
            SchemaError: Nothing is left.
        """
        self._left -= nodes
        if self._left < 0:
            raise SchemaError("schema expands to too many nodes", pointer=pointer(path))
