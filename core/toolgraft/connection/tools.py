"""One tool as it stands on the wire → a `ToolSpec`, or the reason why it is not served."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeAlias, cast

from toolgraft.spec import Hints, Refusal, ToolRef, ToolSpec

RawTool: TypeAlias = Mapping[str, Any]


def read_tool(server: str, index: int, raw: object) -> ToolSpec | Refusal:
    """Read one member of a tool list.

    What is plainly meant is mended: a schema without a root type is an object's, a missing schema takes no arguments,
    a wrong description, title, hint or output schema is left out. What cannot be called is refused.
    """
    if not isinstance(raw, Mapping):
        return Refusal(ToolRef(server, f"#{index}"), "", "it is not an object")
    tool = cast("RawTool", raw)
    name = tool.get("name")
    if not isinstance(name, str) or not name:
        return Refusal(ToolRef(server, f"#{index}"), "/name", "it has no name")
    ref = ToolRef(server, name)
    refused = _refusal(ref, tool)
    if refused is not None:
        return refused
    annotations = _mapping(tool.get("annotations"))
    return ToolSpec(
        ref=ref,
        name=name,
        title=_first_text(tool.get("title"), annotations.get("title"), name),
        description=_first_text(tool.get("description"), ""),
        input_schema=_input_schema(tool.get("inputSchema")),
        output_schema=_output_schema(tool.get("outputSchema")),
        hints=_hints(annotations),
        meta=_mapping(tool.get("_meta")),
    )


def _refusal(ref: ToolRef, tool: RawTool) -> Refusal | None:
    schema = tool.get("inputSchema")
    if schema is not None and not isinstance(schema, Mapping):
        return Refusal(ref, "/inputSchema", f"its input schema is {_kind(schema)}, not an object")
    root = _mapping(schema).get("type", "object")
    if root != "object" and not (isinstance(root, list) and "object" in root):
        return Refusal(ref, "/inputSchema/type", f"its arguments must be an object, and it declares {root!r}")
    visibility = _mapping(_mapping(tool.get("_meta")).get("ui")).get("visibility")
    if isinstance(visibility, list) and "model" not in visibility:
        return Refusal(ref, "/_meta/ui/visibility", "its server keeps it from the model (MCP Apps visibility)")
    return None


def _input_schema(schema: object) -> Mapping[str, Any]:
    given = _mapping(schema)
    return given if given.get("type") == "object" else {**given, "type": "object"}


def _output_schema(schema: object) -> Mapping[str, Any] | None:
    return cast("Mapping[str, Any]", schema) if isinstance(schema, Mapping) and schema else None


def _hints(annotations: Mapping[str, Any]) -> Hints:
    defaults = Hints()

    def claim(key: str, default: bool) -> bool:
        value = annotations.get(key)
        return value if isinstance(value, bool) else default

    return Hints(
        read_only=claim("readOnlyHint", defaults.read_only),
        destructive=claim("destructiveHint", defaults.destructive),
        idempotent=claim("idempotentHint", defaults.idempotent),
        open_world=claim("openWorldHint", defaults.open_world),
    )


def _mapping(value: object) -> Mapping[str, Any]:
    return cast("Mapping[str, Any]", value) if isinstance(value, Mapping) else {}


def _first_text(*candidates: object) -> str:
    return next((each for each in candidates if isinstance(each, str) and each), "")


def _kind(value: object) -> str:
    return {bool: "a boolean", str: "a string", list: "an array"}.get(type(value), "a number")
