"""One tool as it stands on the wire → a `ToolSpec`, or the reason why it is not served."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeAlias, cast

from toolgraft.spec import Hints, Refusal, ToolRef, ToolSpec

RawTool: TypeAlias = Mapping[str, Any]


def read_tool(server: str, index: int, raw: object, *, http: bool = False) -> ToolSpec | Refusal:
    """Read one member of a tool list.

    What is plainly meant is mended: a schema without a root type is an object's, a missing schema takes no arguments,
    a wrong description, title, hint or output schema is left out. A title
    stands in for a missing description. What cannot be called is refused.
    """
    if not isinstance(raw, dict):
        return Refusal(ToolRef(server, f"#{index}"), "", "it is not an object")
    tool = cast("RawTool", raw)
    name = tool.get("name")
    if not isinstance(name, str) or not name:
        return Refusal(ToolRef(server, f"#{index}"), "/name", "it has no name")
    ref = ToolRef(server, name)
    refused = _refusal(ref, tool) or (_header_refusal(ref, tool) if http else None)
    if refused is not None:
        return refused
    annotations = _mapping(tool.get("annotations"))
    return ToolSpec(
        ref=ref,
        name=name,
        title=_first_text(tool.get("title"), annotations.get("title"), name),
        description=_first_text(tool.get("description"), tool.get("title"), annotations.get("title"), ""),
        input_schema=_input_schema(tool.get("inputSchema")),
        output_schema=_output_schema(tool.get("outputSchema")),
        hints=_hints(annotations),
        meta=_mapping(tool.get("_meta")),
    )


def _refusal(ref: ToolRef, tool: RawTool) -> Refusal | None:
    schema: object = tool.get("inputSchema")
    if schema is not None and not isinstance(schema, dict):
        return Refusal(ref, "/inputSchema", f"its input schema is {_kind(schema)}, not an object")
    root = _mapping(tool.get("inputSchema")).get("type", "object")
    if root != "object" and not (isinstance(root, list) and "object" in cast("list[object]", root)):
        return Refusal(ref, "/inputSchema/type", f"its arguments must be an object, and it declares {root!r}")
    visibility = _mapping(_mapping(tool.get("_meta")).get("ui")).get("visibility")
    if isinstance(visibility, list) and "model" not in cast("list[object]", visibility):
        return Refusal(ref, "/_meta/ui/visibility", "its server keeps it from the model (MCP Apps)", kind="hidden")
    if _mapping(tool.get("execution")).get("taskSupport") == "required":
        return Refusal(ref, "/execution/taskSupport", "it runs as a task only, which is not supported")
    return None


def _header_refusal(ref: ToolRef, tool: RawTool) -> Refusal | None:
    """Modern HTTP clients must not call tools whose `x-mcp-header` marks are invalid (SEP-2243)."""
    from mcp.shared.inbound import find_invalid_x_mcp_header

    try:
        reason = find_invalid_x_mcp_header(dict(_mapping(tool.get("inputSchema"))))
    except RecursionError:
        reason = "nested too deeply"
    return None if reason is None else Refusal(ref, "/inputSchema", f"invalid x-mcp-header: {reason}")


def _input_schema(schema: object) -> Mapping[str, Any]:
    given = _mapping(schema)
    return given if given.get("type") == "object" else {**given, "type": "object"}


def _output_schema(schema: object) -> Mapping[str, Any] | None:
    return cast("Mapping[str, Any]", schema) if isinstance(schema, dict) and schema else None


def _hints(annotations: Mapping[str, Any]) -> Hints:
    def claim(key: str) -> bool | None:
        value = annotations.get(key)
        return value if isinstance(value, bool) else None

    return Hints(
        read_only=claim("readOnlyHint"),
        destructive=claim("destructiveHint"),
        idempotent=claim("idempotentHint"),
        open_world=claim("openWorldHint"),
    )


def _mapping(value: object) -> Mapping[str, Any]:
    return cast("Mapping[str, Any]", value) if isinstance(value, dict) else {}


def _first_text(*candidates: object) -> str:
    return next((each for each in candidates if isinstance(each, str) and each.strip()), "")


def _kind(value: object) -> str:
    kinds: dict[type[object], str] = {bool: "a boolean", str: "a string", list: "an array"}
    return kinds.get(type(value), "a number")
