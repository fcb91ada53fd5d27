"""What there is to tell of servers and their tools, as plain data for a table or JSON."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from toolgraft.cli.opening import Arrivals
from toolgraft.config import AnyServer
from toolgraft.connection import Connected
from toolgraft.errors import ToolgraftError
from toolgraft.spec import Hints, Refusal, Renamed
from toolgraft.toolbox import Toolbox

if TYPE_CHECKING:
    from toolgraft.tools.bound import BoundTool


@dataclass(frozen=True, slots=True)
class ServerEntry:
    """One server.

    Attributes:
        server: Its declaration.
        reached: When it was reached and by which protocol, or None.
        failure: Why it was not, or None.
        tools: The tools that are served.
        refused: The tools that are not, and why.
        renamed: The tools that have another name than on the server, and why.
        warnings: What was odd about its list and its rules.
    """

    server: AnyServer
    reached: Connected | None
    failure: ToolgraftError | None
    tools: Sequence[BoundTool]
    refused: Sequence[Refusal]
    renamed: Sequence[Renamed]
    warnings: Sequence[str]


def inventory(toolbox: Toolbox, arrivals: Arrivals) -> list[ServerEntry]:
    """Tell of each server, in the order of their declaration."""
    return [
        ServerEntry(
            server,
            arrivals.reached.get(name),
            toolbox.failures.get(name),
            [tool for tool in toolbox.tools if tool.spec.ref.server == name],
            [refusal for refusal in toolbox.refused if refusal.ref.server == name],
            [each for each in toolbox.renamed if each.ref.server == name],
            toolbox.warnings.get(name, ()),
        )
        for name, server in toolbox.servers.items()
    ]


def arguments_of(tool: BoundTool) -> dict[str, bool]:
    """Return the names of a tool's arguments, and whether each is required."""
    schema = tool.schema.plain
    required: Sequence[Any] = schema.get("required") or ()
    properties: Mapping[str, Any] = schema.get("properties") or {}
    return {name: name in required for name in properties}


def words_of(hints: Hints) -> list[str]:
    """Say what a server claims of a tool, in few words; the spec's defaults where it does not tell."""
    claimed = hints.filled
    if claimed.read_only:
        words = ["read-only"]
    else:
        words = ["destructive" if claimed.destructive else "writes"]
        words += ["idempotent"] if claimed.idempotent else []
    return [*words, "open world"] if claimed.open_world else words


def served_schema(tool: BoundTool) -> Mapping[str, Any]:
    """Return the schema that a model is given: the strict form where there is one."""
    return tool.schema.plain if tool.schema.strict is None else tool.schema.strict


def size_of(tool: BoundTool) -> int:
    """Count the bytes of schema and description that a model is given with each request."""
    schema = json.dumps(served_schema(tool), ensure_ascii=False, separators=(",", ":"))
    return len(f"{schema}{tool.spec.description}".encode("utf-8", "replace"))


def as_json(entries: Sequence[ServerEntry], toolbox: Toolbox) -> dict[str, Any]:
    """Give the whole as JSON."""
    return {
        "servers": [_server(entry) for entry in entries],
        "plugin_problems": [str(problem) for problem in toolbox.plugin_problems],
    }


def json_text(value: Any) -> str:
    """Write JSON in ASCII, which no terminal takes for commands; `NaN`, which JSON has not, becomes null."""
    try:
        return json.dumps(value, indent=2, allow_nan=False)
    except ValueError:
        return json.dumps(json.loads(json.dumps(value), parse_constant=lambda _: None), indent=2)


def _server(entry: ServerEntry) -> dict[str, Any]:
    reached = entry.reached
    return {
        "name": entry.server.name,
        "target": entry.server.target,
        "transport": entry.server.transport,
        "protocol": reached.version if reached else None,
        "seconds": round(reached.seconds, 3) if reached else None,
        "error": str(entry.failure) if entry.failure else None,
        "tools": [_tool(tool) for tool in entry.tools],
        "refused": [_refused(each) for each in entry.refused],
        "renamed": [{"tool": each.ref.tool, "name": each.name, "reason": each.reason} for each in entry.renamed],
        "warnings": list(entry.warnings),
    }


def _refused(refusal: Refusal) -> dict[str, str]:
    return {
        "tool": refusal.ref.tool,
        "pointer": refusal.pointer,
        "reason": refusal.reason,
        "kind": refusal.kind,
    }


def _tool(tool: BoundTool) -> dict[str, Any]:
    spec, schema = tool.spec, tool.schema
    return {
        "name": spec.name,
        "tool": spec.ref.tool,
        "title": spec.title,
        "description": spec.description,
        "hints": asdict(spec.hints),
        "safety": spec.safety.value,
        "safety_reason": asdict(spec.safety_reason),
        "destructive": spec.destructive,
        "arguments": [{"name": name, "required": needed} for name, needed in arguments_of(tool).items()],
        "strict": schema.strict is not None,
        "not_strict_because": {"pointer": schema.reason.pointer, "reason": schema.reason.sentence}
        if schema.reason
        else None,
        "bytes": size_of(tool),
        "schema": served_schema(tool),
        "output_schema": spec.output_schema,
        "flags": [asdict(flag) for flag in spec.flags],
    }
