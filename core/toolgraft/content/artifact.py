"""A whole result as plain JSON, for what the model does not see: LangChain's artifact, the Agents SDK's custom data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import Any, Final, NotRequired, TypedDict, cast

from toolgraft.content.plain_json import plain_json
from toolgraft.result import ABSENT, AnyPart, Audio, File, Image, Link, Text, ToolResult


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
            there are none. At most a thousand are named; a warning counts the rest.
    """

    structured_content: NotRequired[Any]
    parts: list[dict[str, Any]]
    is_error: bool
    meta: Mapping[str, Any]
    warnings: list[str]
    as_text: NotRequired[list[str]]


def to_artifact(result: ToolResult) -> Artifact:
    """Give a result as plain JSON. What can be saved as it is is shared with it, not copied."""
    artifact: Artifact = {
        "parts": [_part(part) for part in result.parts],
        "is_error": result.is_error,
        "meta": dict(result.meta),
        "warnings": list(result.warnings),
    }
    if result.structured is not ABSENT:
        artifact["structured_content"] = result.structured
    plain, as_text, unnamed = plain_json(artifact)
    if as_text:
        plain["as_text"] = as_text
    if unnamed:
        plain["warnings"].append(f"{unnamed:,} more values than as_text names stand in the artifact as text")
    return cast("Artifact", plain)


def _part(part: AnyPart) -> dict[str, Any]:
    told: dict[str, Any] = {"type": type(part).__name__.lower()}
    for name in _NAMES[type(part)]:
        value = getattr(part, name)
        if value is not None and value != () and value != {}:
            told[name] = list(cast("tuple[object, ...]", value)) if isinstance(value, tuple) else value
    return told


_NAMES: Final = {kind: tuple(each.name for each in fields(kind)) for kind in (Text, Image, Audio, File, Link)}
