"""A server's resources as two tools of its, for a model that is to look for them itself (`resources=True`)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from toolgraft.config import Server
from toolgraft.spec import Hints, ToolRef, ToolSpec

LIST: Final = "list_resources"
READ: Final = "read_resource"
"""What they are called, also by rules; a server's own tool of such a name stays what it is."""

_OF: Final = "the MCP server '{}'"
_HINTS: Final = Hints(read_only=True, destructive=False, idempotent=True, open_world=False)
_SEARCH: Final[dict[str, Any]] = {
    "type": "object",
    "properties": {
        "search": {"type": "string", "description": "Only those with this text in URI, name, title or description."}
    },
    "additionalProperties": False,
}
_URI: Final[dict[str, Any]] = {
    "type": "object",
    "properties": {
        "uri": {"type": "string", "description": "URI of a resource, from the list or made by one of its templates."}
    },
    "required": ["uri"],
    "additionalProperties": False,
}


def resource_tools(server: Server, listed: Sequence[ToolSpec]) -> tuple[ToolSpec, ...]:
    """Give the tools for a server's resources, but for names that its own tools have."""
    if not server.resources:
        return ()
    where = _OF.format(server.name)
    made = (
        _spec(server, LIST, f"List the resources of {where}: URIs, names, and URI templates.", _SEARCH),
        _spec(server, READ, f"Read a resource of {where}.", _URI),
    )
    taken = {spec.ref.tool for spec in listed}
    return tuple(spec for spec in made if spec.ref.tool not in taken)


def is_resource_tool(spec: ToolSpec, server: Server) -> bool:
    """Whether a tool is one of these."""
    return server.resources and spec.ref.tool in (LIST, READ) and spec.input_schema in (_SEARCH, _URI)


def _spec(server: Server, name: str, description: str, schema: dict[str, Any]) -> ToolSpec:
    return ToolSpec(ToolRef(server.name, name), name, name, description, schema, hints=_HINTS)
