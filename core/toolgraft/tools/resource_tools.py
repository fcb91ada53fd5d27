"""What answers calls of the tools for a server's resources: its lists, and what stands in one of them."""

from __future__ import annotations

import asyncio

from toolgraft.calls import Call
from toolgraft.config import Limits
from toolgraft.connection.connection import Connection
from toolgraft.content import check_size
from toolgraft.content.text import compact
from toolgraft.context.resources import Resource, ResourceTemplate, contents, read_resources, read_templates
from toolgraft.policies.resource_tools import LIST
from toolgraft.result import Text, ToolResult


async def sent_for_resources(connection: Connection, limits: Limits, call: Call) -> ToolResult:
    """Send what a call of one of these tools stands for.

    Raises:
        CallError: The server refused, or could not be asked; the subclass says how.
    """
    if call.ref.tool == LIST:
        return await _listed(connection, call)
    uri = str(call.arguments["uri"])
    raw = await connection.read_resource(uri, context=call.context, deadline=call.deadline)
    check_size(raw, limits, call.ref)
    read = contents(connection.config.name, uri, raw)
    return ToolResult(read.parts or (Text("[There is nothing in it.]"),), meta=read.meta, warnings=read.warnings)


async def _listed(connection: Connection, call: Call) -> ToolResult:
    config, who, deadline = connection.config, call.context, call.deadline
    listed, templated = await asyncio.gather(
        connection.list_resources(context=who, deadline=deadline),
        connection.list_resource_templates(context=who, deadline=deadline),
    )
    resources, refused = read_resources(config.name, listed, config.list_limits)
    templates, refused_too = read_templates(config.name, templated, config.list_limits)
    search = str(call.arguments.get("search") or "").casefold()
    offered: list[Resource | ResourceTemplate] = [*resources, *templates]
    found = [line for each in offered if search in (line := _line(each)).casefold()]
    return ToolResult((Text("\n".join(found) or "[There are none.]"),), warnings=(*refused, *refused_too))


def _line(offered: Resource | ResourceTemplate) -> str:
    """One resource on one line, without what says nothing."""
    by = {"uri": offered.uri} if isinstance(offered, Resource) else {"uri_template": offered.uri_template}
    title = offered.title if offered.title != offered.name else ""
    size = offered.size if isinstance(offered, Resource) else None
    told = {"name": offered.name, "title": title, "description": offered.description, "mime_type": offered.mime_type}
    return compact({**by, **{key: value for key, value in {**told, "size": size}.items() if value}})
