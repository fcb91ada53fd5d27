"""Tools for programs that the model writes (`allowed_callers=["programmatic"]`, OpenAI Responses only).

A tool with an `output_json_schema` may answer in JSON objects only: the SDK fails the run on any other output, a
picture or an error text as well, and refuses the tool with any model that is not reached by the Responses API. So it
is never set by default; for a program it is set where it is true.
"""

from __future__ import annotations

import copy
from collections.abc import Mapping
from typing import Any, cast

from agents.strict_schema import ensure_strict_json_schema
from toolgraft.content.text import compact
from toolgraft.result import ToolResult
from toolgraft.shown import Shown


def output_json_schema(schema: Mapping[str, Any] | None) -> dict[str, Any] | None:
    """Give a tool's output schema in the form the SDK takes, or None where it would say what the server does not.

    The SDK makes every member required and every object closed. That is sound where the server's schema requires
    all its members already; a member that may be missing would make programs fail that trust the schema.

    Args:
        schema: The tool's, as it may be shown.
    """
    if schema is None or schema.get("type") != "object" or not schema.get("properties"):
        return None
    try:
        original = copy.deepcopy(dict(schema))
        strict = ensure_strict_json_schema(copy.deepcopy(original))
    except Exception:  # whatever a server's odd schema makes the SDK trip over, it is no schema for it
        return None
    return strict if _keeps(original, strict) else None


def to_program_output(result: ToolResult, shown: Shown) -> str:
    """Give a result as the JSON object that a tool with an `output_json_schema` has to answer in.

    Args:
        result: The whole result.
        shown: What a model would be shown of it; its text is told where there is no structured object.

    Returns:
        The structured object, or `{"error": text}` for a failed call and for one that answered without an object.
    """
    structured: object = result.structured
    if isinstance(structured, Mapping) and not result.is_error:
        return compact(structured)
    said = shown.text or "The tool failed."
    return compact({"error": said if result.is_error else f"The tool answered without a structured object: {said}"})


def _keeps(original: object, strict: object) -> bool:
    """Whether the strict form says the same as the original, closed objects aside."""
    if isinstance(original, Mapping) and isinstance(strict, Mapping):
        before, after = cast("Mapping[str, object]", original), cast("Mapping[str, object]", strict)
        added = after.keys() - before.keys()
        if before.keys() - after.keys() or added - {"additionalProperties"}:
            return False
        required = (before.get("required"), after.get("required"))
        if required[0] != required[1] and not _same_names(*required):
            return False
        return all(key == "required" or _keeps(value, after[key]) for key, value in before.items())
    if isinstance(original, list) and isinstance(strict, list):
        one, two = cast("list[object]", original), cast("list[object]", strict)
        return len(one) == len(two) and all(map(_keeps, one, two))
    return original == strict


def _same_names(one: object, two: object) -> bool:
    if not isinstance(one, list) or not isinstance(two, list):
        return False
    return set(map(str, cast("list[object]", one))) == set(map(str, cast("list[object]", two)))
