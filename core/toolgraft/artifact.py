"""A whole result as plain JSON, for what the model does not see: LangChain's artifact, the Agents SDK's custom data."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import fields
from typing import Any, Final, NotRequired, TypedDict, cast

from toolgraft.content.text import compact
from toolgraft.result import ABSENT, AnyPart, Audio, File, Image, Link, Text, ToolResult


class Artifact(TypedDict):
    """A `ToolResult` as JSON, nothing left out.

    Attributes:
        structured: The structured value; missing when none was sent.
        parts: The parts in order: `type` (`"text"`, `"image"`, `"audio"`, `"file"` or `"link"`) and the fields of
            that class in `toolgraft.result` that say something. Bytes are base64 in `data`.
        is_error: The tool says that it failed.
        meta: The result's `_meta`.
        warnings: What was noticed on the way, a sentence each.
    """

    structured: NotRequired[Any]
    parts: list[dict[str, Any]]
    is_error: bool
    meta: Mapping[str, Any]
    warnings: list[str]


def to_artifact(result: ToolResult) -> Artifact:
    """Give a result as plain JSON. Large strings are shared with it, not copied."""
    artifact: Artifact = {
        "parts": [_part(part) for part in result.parts],
        "is_error": result.is_error,
        "meta": dict(result.meta),
        "warnings": list(result.warnings),
    }
    if result.structured is not ABSENT:
        artifact["structured"] = result.structured
    return artifact


def json_safe(artifact: Artifact) -> Artifact:
    """Give an artifact that every JSON encoder takes: what JSON cannot say (NaN, objects of this process) as text."""
    try:
        json.dumps(artifact, allow_nan=False)
    except (TypeError, ValueError, RecursionError):
        plain: Artifact = json.loads(compact(artifact), parse_constant=str)
        return plain
    return artifact


def _part(part: AnyPart) -> dict[str, Any]:
    told: dict[str, Any] = {"type": type(part).__name__.lower()}
    for name in _NAMES[type(part)]:
        value = getattr(part, name)
        if value is not None and value != () and value != {}:
            told[name] = list(cast("tuple[object, ...]", value)) if isinstance(value, tuple) else value
    return told


_NAMES: Final = {kind: tuple(each.name for each in fields(kind)) for kind in (Text, Image, Audio, File, Link)}
