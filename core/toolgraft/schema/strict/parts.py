"""What the rooms that build strict schemas share."""

from __future__ import annotations

from collections.abc import Container
from dataclasses import dataclass

from toolgraft.schema.decode.steps import Step
from toolgraft.schema.language import prose
from toolgraft.schema.language.keywords import types_in
from toolgraft.schema.language.pointers import Node, Path

Built = tuple[Node, Step | None]
"""A strict schema, new to the last node, and what undoes it."""


class NotStrictError(Exception):
    """A place that cannot be strict."""

    def __init__(self, path: Path, sentence: str) -> None:
        super().__init__(sentence)
        self.path = path
        self.sentence = sentence


@dataclass(frozen=True, slots=True)
class BuildOptions:
    """How to build.

    Attributes:
        full: Say in other shapes what the author's shape cannot keep.
        levels: Deepest object or array that is built as one, in each definition.
        enum_values: Most values of an enum that is built as one.
        as_text: JSON pointers of places to be written as JSON text.
    """

    full: bool
    levels: int = 1_000
    enum_values: int = 1_000_000
    as_text: frozenset[str] = frozenset()


def nullable(schema: Node) -> Node:
    """Let a built schema also take null; the schema given may be changed."""
    kind = schema.get("type")
    if kind in _SCALARS:
        schema["type"] = [kind, "null"]
        if "enum" in schema:
            schema["enum"] = [*schema["enum"], None]
        return schema
    if "null" in types_in(schema) or any("null" in types_in(branch) for branch in schema.get("anyOf", ())):
        return schema
    return widened(schema, {"type": "null"})


def widened(schema: Node, branch: Node) -> Node:
    """Let a built schema also take what a branch takes."""
    if "anyOf" in schema:
        return {**schema, "anyOf": [*schema["anyOf"], branch]}
    inner = {key: value for key, value in schema.items() if key != "description"}
    out: Node = {"description": schema["description"]} if "description" in schema else {}
    return {**out, "anyOf": [inner, branch]}


def described(schema: Node, told: str) -> Node:
    """Add a sentence to a built schema's description."""
    if "$ref" in schema:
        return {"description": told, "anyOf": [schema]}
    return {**schema, "description": prose.said(schema.get("description", ""), [told])}


def closed(members: Node) -> Node:
    """An object with exactly these members."""
    return {"type": "object", "properties": members, "required": list(members), "additionalProperties": False}


def unused(name: str, taken: Container[str]) -> str:
    """A name that is not taken."""
    while name in taken:
        name += "_"
    return name


_SCALARS = ("string", "integer", "boolean", "number")
