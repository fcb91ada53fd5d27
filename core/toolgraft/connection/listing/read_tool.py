"""One tool as it stands on the wire → a `ToolSpec`, or the reason why it is not served."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, TypeAlias, cast

from toolgraft.config.list_limits import ListLimits
from toolgraft.connection.listing.bounds import Breach, breach_of_name, breach_of_size, breach_of_text, cut_texts
from toolgraft.connection.listing.flags import flags_of, flags_of_name
from toolgraft.spec import Flag, Hints, Refusal, ToolRef, ToolSpec

RawTool: TypeAlias = Mapping[str, Any]

USUAL: Final = ListLimits()


class ServerRefused(Exception):
    """A tool is not within the limits, and these say that its server is then not served at all."""


def read_tool(
    server: str, index: int, raw: object, *, http: bool = False, limits: ListLimits = USUAL
) -> ToolSpec | Refusal:
    """Read one member of a tool list.

    It is measured first; nothing else looks at what is not within the limits. What is plainly meant is mended: a
    schema without a root type is an object's, a missing schema takes no arguments, a wrong description, title, hint
    or output schema is left out. A title stands in for a missing description. What cannot be called is refused.

    Raises:
        ServerRefused: The limits say that a server with such a tool is not served.
    """
    if not isinstance(raw, dict):
        return Refusal(ToolRef(server, f"#{index}"), "", "it is not an object")
    tool = cast("RawTool", raw)
    name = tool.get("name")
    if not isinstance(name, str) or not name:
        return Refusal(ToolRef(server, f"#{index}"), "/name", "it has no name")
    if (breach := breach_of_name(name, limits)) is not None:
        known_by = name if len(name) <= limits.name else f"#{index}"
        return _refused(ToolRef(server, known_by), breach)
    ref = ToolRef(server, name)
    tool, flags = cut_texts(tool, limits)
    if (breach := breach_of_text(tool, limits) or breach_of_size(tool, limits)) is not None:
        return _refused(ref, breach)
    if (breach := _no_object(tool, limits)) is not None:
        return _refused(ref, breach)
    refused = _refusal(ref, tool) or (_header_refusal(ref, tool) if http else None)
    if refused is not None:
        return refused
    hidden = flags_of(tool)
    if limits.hidden in ("refuse_tool", "refuse_server") and hidden:
        return _refused(ref, Breach(hidden[0].pointer, f"it has {hidden[0].reason}", limits.hidden))
    return _spec(ref, tool, (*flags, *flags_of_name(name), *hidden))


def _refused(ref: ToolRef, breach: Breach) -> Refusal:
    refusal = Refusal(ref, breach.pointer, breach.reason)
    if breach.then == "refuse_server":
        raise ServerRefused(f"{refusal}; the server is not served (set by list_limits)")
    return refusal


def _spec(ref: ToolRef, tool: RawTool, flags: tuple[Flag, ...]) -> ToolSpec:
    name, annotations = ref.tool, _mapping(tool.get("annotations"))
    return ToolSpec(
        ref=ref,
        name=name,
        title=_first_text(tool.get("title"), annotations.get("title"), name),
        description=_first_text(tool.get("description"), tool.get("title"), annotations.get("title"), ""),
        input_schema=_input_schema(tool.get("inputSchema")),
        output_schema=_output_schema(tool.get("outputSchema")),
        hints=_hints(annotations),
        meta=_mapping(tool.get("_meta")),
        flags=flags,
    )


def _no_object(tool: RawTool, limits: ListLimits) -> Breach | None:
    schema: Any = tool.get("inputSchema")
    if schema is not None and not isinstance(schema, dict):
        return Breach("/inputSchema", f"its input schema is {_kind(schema)}, not an object", limits.on_schema)
    root: Any = _mapping(tool.get("inputSchema")).get("type", "object")
    if root != "object" and not (isinstance(root, list) and "object" in cast("list[object]", root)):
        said = repr(cast("object", root))[:_HEAD]
        return Breach("/inputSchema/type", f"its arguments must be an object, and it declares {said}", limits.on_schema)
    return None


_HEAD: Final = 100
"""Characters of what a server wrote that stand in a reason."""


def _refusal(ref: ToolRef, tool: RawTool) -> Refusal | None:
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
