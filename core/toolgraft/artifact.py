"""A whole result as plain JSON, for what the model does not see: LangChain's artifact, the Agents SDK's custom data."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import fields
from typing import Any, Final, NotRequired, TypedDict, cast

from toolgraft.content.text import compact, encodable
from toolgraft.result import ABSENT, AnyPart, Audio, File, Image, Link, Text, ToolResult

_LEAST: Final = -(2**63)
_MOST: Final = 2**63 - 1
"""Integers that checkpointers, databases and other languages take."""

_DEEPEST: Final = 100
"""Levels of nesting that every serializer takes, with a message and a state around them; msgpack ends at 254."""


class Artifact(TypedDict):
    """A `ToolResult` as JSON that any serializer takes, nothing left out.

    What JSON, msgpack and databases do not all take stands in it as text: integers beyond 64 bits as their digits,
    NaN and infinities by name, values nested deeper than 100 levels as their JSON. `as_text` says where.
    The `ToolResult` itself has the values as they were sent.

    Attributes:
        structured_content: The structured value; missing when none was sent.
        parts: The parts in order: `type` (`"text"`, `"image"`, `"audio"`, `"file"` or `"link"`) and the fields of
            that class in `toolgraft.result` that say something. Bytes are base64 in `data`.
        is_error: The tool says that it failed.
        meta: The result's `_meta`.
        warnings: What was noticed on the way, a sentence each.
        as_text: JSON pointers (RFC 6901) into the artifact, to the values that stand in it as text; missing when
            there are none.
    """

    structured_content: NotRequired[Any]
    parts: list[dict[str, Any]]
    is_error: bool
    meta: Mapping[str, Any]
    warnings: list[str]
    as_text: NotRequired[list[str]]


def to_artifact(result: ToolResult) -> Artifact:
    """Give a result as plain JSON. Large strings are shared with it, not copied."""
    savable = _Savable()
    artifact: Artifact = {
        "parts": [savable.part(part, f"/parts/{index}") for index, part in enumerate(result.parts)],
        "is_error": result.is_error,
        "meta": cast("dict[str, Any]", savable.value(result.meta, "/meta", 1)),
        "warnings": [encodable(each) for each in result.warnings],
    }
    if result.structured is not ABSENT:
        artifact["structured_content"] = savable.value(result.structured, "/structured_content", 1)
    if savable.as_text:
        artifact["as_text"] = savable.as_text
    return artifact


class _Savable:
    """Copies values so that any serializer takes them, and notes what became text."""

    def __init__(self) -> None:
        self.as_text: list[str] = []

    def part(self, part: AnyPart, at: str) -> dict[str, Any]:
        told: dict[str, Any] = {"type": type(part).__name__.lower()}
        for name in _NAMES[type(part)]:
            value = getattr(part, name)
            if value is not None and value != () and value != {}:
                told[name] = value if type(value) is str else self.value(value, f"{at}/{name}", 3)
        return told

    def value(self, value: Any, at: str, depth: int) -> Any:
        kind = cast("type[object]", type(value))
        if kind is str:
            return encodable(value)
        if kind is bool or value is None:
            return value
        if kind is int:
            return value if _LEAST <= value <= _MOST else self._text(compact(value), at)
        if kind is float:
            return value if math.isfinite(value) else self._text(str(value), at)
        if depth >= _DEEPEST and isinstance(value, Mapping | list | tuple):
            return self._text(compact(value), at)
        if isinstance(value, Mapping):
            members = cast("Mapping[object, Any]", value)
            return {
                (name := encodable(str(key))): self.value(one, f"{at}/{_escaped(name)}", depth + 1)
                for key, one in members.items()
            }
        if isinstance(value, list | tuple):
            listed = cast("list[Any]", value)
            return [self.value(one, f"{at}/{index}", depth + 1) for index, one in enumerate(listed)]
        return self._text(compact(value), at)

    def _text(self, text: str, at: str) -> str:
        self.as_text.append(at)
        return text


def _escaped(name: str) -> str:
    return name.replace("~", "~0").replace("/", "~1") if "~" in name or "/" in name else name


_NAMES: Final = {kind: tuple(each.name for each in fields(kind)) for kind in (Text, Image, Audio, File, Link)}
