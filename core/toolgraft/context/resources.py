"""Resources of servers (MCP: Resources): what there are, templates of their URIs, and what stands in one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final, cast

from toolgraft.config.list_limits import ListLimits
from toolgraft.content.blocks import from_resource, string_keyed
from toolgraft.context.members import Member, read_all
from toolgraft.result import AnyPart

_LONGEST_URI: Final = 8 * 1024
"""Characters of a URI that is taken from a list."""

_MOST_CONTENTS: Final = 10_000


@dataclass(frozen=True, slots=True)
class Resource:
    """A resource that a server offers.

    Attributes:
        server: Name of the server.
        uri: Its URI, by which it is read.
        name: Its name.
        title: For people; the name where the server gives none.
        description: What it is.
        mime_type: Its media type, where the server says.
        size: Bytes, where the server says.
        meta: Its `_meta`, as sent.
    """

    server: str
    uri: str
    name: str
    title: str = ""
    description: str = ""
    mime_type: str | None = None
    size: int | None = None
    meta: Mapping[str, Any] = field(default_factory=dict[str, Any])


@dataclass(frozen=True, slots=True)
class ResourceTemplate:
    """A template of resources' URIs (RFC 6570).

    Attributes:
        server: Name of the server.
        uri_template: The template.
        name: Its name.
        title: For people; the name where the server gives none.
        description: What stands there.
        mime_type: The media type of all of them, where the server says.
        meta: Its `_meta`, as sent.
    """

    server: str
    uri_template: str
    name: str
    title: str = ""
    description: str = ""
    mime_type: str | None = None
    meta: Mapping[str, Any] = field(default_factory=dict[str, Any])


@dataclass(frozen=True, slots=True)
class ResourceContents:
    """What stands in a resource.

    Attributes:
        server: Name of the server.
        uri: The URI that was asked for.
        parts: Text, pictures, sound and files, in the order sent; each has the URI that the server gives for it.
        meta: The answer's `_meta`, as sent.
        warnings: What was odd, a sentence each.
    """

    server: str
    uri: str
    parts: tuple[AnyPart, ...] = ()
    meta: Mapping[str, Any] = field(default_factory=dict[str, Any])
    warnings: tuple[str, ...] = ()


def read_resources(server: str, listed: object, limits: ListLimits) -> tuple[list[Resource], list[str]]:
    """Read a list of resources from the wire (MCP schema: `Resource`), and say what of it is left out."""
    return read_all(server, "resource", _members(listed), lambda raw: _resource(server, raw, limits))


def read_templates(server: str, listed: object, limits: ListLimits) -> tuple[list[ResourceTemplate], list[str]]:
    """Do so with a list of templates (MCP schema: `ResourceTemplate`)."""
    return read_all(server, "resource template", _members(listed), lambda raw: _template(server, raw, limits))


def contents(server: str, uri: str, raw: Mapping[str, Any]) -> ResourceContents:
    """Read the answer to a request for a resource (MCP schema: `ReadResourceResult`); it never raises."""
    listed = _members(raw.get("contents"))
    warnings = [] if listed else ["there is nothing in it"]
    parts: list[AnyPart] = []
    for at, each in enumerate(listed[:_MOST_CONTENTS]):
        converted, problem = from_resource(each, {"origin": "resource"})
        parts += converted
        if problem:
            warnings.append(f"contents[{at}]: {problem}")
    if len(listed) > _MOST_CONTENTS:
        warnings.append(f"{len(listed):,} items, of which {_MOST_CONTENTS:,} are taken")
    return ResourceContents(server, uri, tuple(parts), string_keyed(raw.get("_meta")), tuple(warnings))


def _members(listed: object) -> list[object]:
    return list(cast("list[object]", listed)) if isinstance(listed, list | tuple) else []


def _resource(server: str, raw: object, limits: ListLimits) -> Resource:
    member = Member(raw, limits)
    uri = member.name("uri", _LONGEST_URI)
    name = member.text("name") or uri
    title, description = member.text("title") or name, member.text("description")
    size, meta = member.count("size"), string_keyed(member.object("_meta"))
    return Resource(server, uri, name, title, description, member.said("mimeType"), size, meta)


def _template(server: str, raw: object, limits: ListLimits) -> ResourceTemplate:
    member = Member(raw, limits)
    template = member.name("uriTemplate", _LONGEST_URI)
    name = member.text("name") or template
    title, description = member.text("title") or name, member.text("description")
    meta = string_keyed(member.object("_meta"))
    return ResourceTemplate(server, template, name, title, description, member.said("mimeType"), meta)
