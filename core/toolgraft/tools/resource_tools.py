"""What answers calls of the tools for a server's resources: its lists, and what stands in one of them."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

from toolgraft.calls import Call, Handler
from toolgraft.connection.connection import Connection
from toolgraft.content import check_size
from toolgraft.content.text import compact
from toolgraft.context.resources import Resource, ResourceTemplate, contents, read_resources, read_templates
from toolgraft.policies.resource_tools import LIST, is_resource_tool
from toolgraft.result import Text, ToolResult


@dataclass(frozen=True, slots=True)
class ResourceTools:
    """The innermost layer of a server with `resources=True`: a call of these tools goes out as what it stands for.

    Attributes:
        connection: The server's.
    """

    connection: Connection

    async def __call__(self, call: Call, proceed: Handler, /) -> ToolResult:
        """Answer a call of one of these tools; every other goes on.

        Raises:
            CallError: The server refused, or could not be asked; the subclass says how.
        """
        server = self.connection.config
        if not is_resource_tool(call.spec, server):
            return await proceed(call)
        if call.ref.tool == LIST:
            return await self._list(call)
        raw = await self.connection.read_resource(
            str(call.arguments["uri"]), context=call.context, deadline=call.deadline
        )
        check_size(raw, server.limits, call.ref)
        read = contents(server.name, str(call.arguments["uri"]), raw)
        return ToolResult(read.parts or (Text("[There is nothing in it.]"),), meta=read.meta, warnings=read.warnings)

    async def _list(self, call: Call) -> ToolResult:
        config, who = self.connection.config, call.context
        listed, templated = await asyncio.gather(
            self.connection.list_resources(context=who), self.connection.list_resource_templates(context=who)
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
