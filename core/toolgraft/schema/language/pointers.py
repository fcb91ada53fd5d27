"""Where in a schema or a value one stands: JSON pointers (RFC 6901), written and read in one place."""

from __future__ import annotations

from typing import Any, TypeAlias

Node: TypeAlias = dict[str, Any]
"""One schema object."""

Path: TypeAlias = "tuple[Any, str | int] | str"
"""Where a node is: a JSON pointer, or a path and a step from it."""


def escaped(step: object) -> str:
    """One step as it stands in a JSON pointer."""
    return str(step).replace("~", "~0").replace("/", "~1")


def unescaped(step: str) -> str:
    """One step of a JSON pointer as the name that it stands for."""
    return step.replace("~1", "/").replace("~0", "~")


def pointer(path: Path) -> str:
    """Give a path as a JSON pointer (RFC 6901)."""
    steps: list[str] = []
    while not isinstance(path, str):
        path, step = path
        steps.append(f"/{escaped(step)}")
    return path + "".join(reversed(steps))


def pointer_of(steps: list[Any]) -> str:
    """Give a list of steps as a JSON pointer."""
    return "".join(f"/{escaped(step)}" for step in steps)
