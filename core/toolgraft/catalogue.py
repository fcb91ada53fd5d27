"""From the lists of all servers to the tools that are served: policies, names, schemas."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from toolgraft.bound import BoundTool, Line, open_schema
from toolgraft.errors import PluginError, SchemaError
from toolgraft.policies import Policy
from toolgraft.policies.filter import filtered
from toolgraft.policies.naming import named
from toolgraft.schema import Strictness, convert, describe
from toolgraft.spec import Refusal, ToolRef, ToolSpec

if TYPE_CHECKING:
    from toolgraft.config import Server
    from toolgraft.connection import Listing

_log: Final = logging.getLogger("toolgraft")


@dataclass(frozen=True, slots=True)
class Member:
    """One connected server on its way into the catalogue.

    Attributes:
        line: How its tools are called.
        listing: What it lists.
        specs: What is served of that, see `chosen`.
        policies: What plugins do to its list.
    """

    line: Line
    listing: Listing
    specs: Sequence[ToolSpec]
    policies: Sequence[Policy] = ()


@dataclass(frozen=True, slots=True)
class Catalogue:
    """The tools that are served, and those that are not.

    Attributes:
        tools: In the order of servers, then of their lists.
        refused: Tools that cannot be served, and why.
    """

    tools: tuple[BoundTool, ...] = ()
    refused: tuple[Refusal, ...] = ()


@dataclass(frozen=True, slots=True)
class Terms:
    """What every tool's schema and description are held to.

    Attributes:
        strict: Which tools get an OpenAI strict schema.
        description_limit: Longest description in characters, or None.
    """

    strict: Strictness
    description_limit: int | None


def compile_catalogue(members: Sequence[Member], terms: Terms, before: Catalogue) -> Catalogue:
    """Choose, name and convert the tools of all servers.

    What has not changed since `before` is taken from it as it is.
    """
    lines = {member.line.server.name: member.line for member in members}
    kept = [spec for member in members for spec in member.specs]
    known = {tool.spec.ref: tool for tool in before.tools}
    tools: list[BoundTool] = []
    refused = [refusal for member in members for refusal in member.listing.refused]
    for spec in named(kept, {name: line.server for name, line in lines.items()}):
        line = lines[spec.ref.server]
        try:
            tools.append(_unchanged(known, spec, line, terms) or _bound(spec, line, terms))
        except SchemaError as error:
            refused.append(Refusal(spec.ref, f"/inputSchema{error.pointer}", error.reason))
    return Catalogue(tuple(tools), tuple(refused))


def chosen(server: Server, listing: Listing, policies: Sequence[Policy]) -> Sequence[ToolSpec]:
    """Choose what is served of a server's list: by its declaration's filters, then by the plugins' policies.

    Raises:
        ConfigError: A filter names a tool that the server does not list.
        PluginError: A policy returned something else than specs of the server.
    """
    specs: Sequence[ToolSpec] = filtered(listing.tools, server, listing.refused)
    for policy in policies:
        specs = policy(specs)
    refs = {spec.ref for spec in listing.tools}
    served = [spec.ref for spec in specs]
    if not refs.issuperset(served) or len(set(served)) != len(served):
        raise PluginError(f"a policy for server '{server.name}' returned tools that the server does not list, or twice")
    return specs


def _unchanged(known: Mapping[ToolRef, BoundTool], spec: ToolSpec, line: Line, terms: Terms) -> BoundTool | None:
    tool = known.get(spec.ref)
    if tool is None or not tool.serves(_described(spec, terms), line):
        return None
    return tool


def _bound(spec: ToolSpec, line: Line, terms: Terms) -> BoundTool:
    described = _described(spec, terms)
    if described is not spec and described.description != spec.description:
        _log.warning("the description of %s is cut from %d characters", spec.ref, len(spec.description))
    return BoundTool(described, convert(open_schema(spec, line.server), terms.strict), line)


def _described(spec: ToolSpec, terms: Terms) -> ToolSpec:
    if terms.description_limit is None:
        return spec
    return replace(spec, description=describe(spec.description, terms.description_limit))
