"""Unions on their way: how one is undone is known when every definition is built."""

from __future__ import annotations

from dataclasses import dataclass

from toolgraft.schema.decode.steps import Step
from toolgraft.schema.language.pointers import Node, Path


@dataclass(frozen=True, slots=True)
class Pending:
    """A union that was built.

    Attributes:
        name: Name of its step.
        path: Where it is.
        branches: Step, strict schema and server's schema of each alternative.
    """

    name: str
    path: Path
    branches: tuple[tuple[Step | None, Node, Node], ...]
