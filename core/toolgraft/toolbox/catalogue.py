"""From the lists of all servers to the tools that are served: policies, names, schemas."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

from toolgraft.content.text import printable
from toolgraft.errors import SchemaError
from toolgraft.policies import Judged, Policy, judged
from toolgraft.policies.descriptions import limit_descriptions
from toolgraft.policies.filter import keep_chosen, named_by_rules, unknown_tools
from toolgraft.policies.hygiene import strip_hidden, tell_provenance
from toolgraft.policies.look_alikes import flag_look_alikes
from toolgraft.policies.naming import named
from toolgraft.policies.prefix import name_by_prefix
from toolgraft.policies.renamed import renamed
from toolgraft.policies.resource_tools import resource_tools
from toolgraft.policies.safety import decide_safety
from toolgraft.schema import describe
from toolgraft.spec import Refusal, Renamed, ToolRef, ToolSpec
from toolgraft.tools.bound import BoundTool, converted
from toolgraft.tools.route import Route

if TYPE_CHECKING:
    from toolgraft.config import Server
    from toolgraft.connection import Listing
    from toolgraft.options import Options


@dataclass(frozen=True, slots=True)
class Member:
    """One connected server on its way into the catalogue.

    Attributes:
        route: How its tools are called.
        policies: All that is done to its list, see `policies_for`.
        listing: What it lists.
        judged: What is served of that, and what is not.
        known: Names in its rules that it lists, or has listed.
        odd: What is odd about its rules, a sentence each.
    """

    route: Route
    policies: tuple[Policy, ...]
    listing: Listing
    judged: Judged
    known: frozenset[str]
    odd: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Catalogue:
    """The tools that are served, and those that are not.

    Attributes:
        tools: In the order of servers, then of their lists.
        refused: Every other tool that a server lists, and why it is not served.
        renamed: Which of the tools have another name than on the wire, and why.
        look_alikes: By server, which of its tools have a name that looks like that of another, a sentence each.
    """

    tools: tuple[BoundTool, ...] = ()
    refused: tuple[Refusal, ...] = ()
    renamed: tuple[Renamed, ...] = ()
    look_alikes: Mapping[str, tuple[str, ...]] = field(default_factory=dict[str, "tuple[str, ...]"])


def policies_for(server: Server, plugins: Sequence[Policy], options: Options) -> tuple[Policy, ...]:
    """All that is done to the list of one server, in order. Names come after it, over all servers at once."""
    return (
        decide_safety(server),
        keep_chosen(server),
        strip_hidden(server),
        *plugins,
        *options.policies,
        tell_provenance(server),
        limit_descriptions(options.description_limit),
        name_by_prefix(server),
    )


def take_up(
    route: Route, policies: tuple[Policy, ...], listing: Listing, known: frozenset[str] = frozenset()
) -> Member:
    """Judge what a server lists now.

    Args:
        route: How its tools are called.
        policies: All that is done to its list.
        listing: What it lists.
        known: Names in its rules that it has listed before; these may go away.

    Raises:
        ConfigError: A rule of its declaration names a tool that the server does not list.
        PluginError: A policy failed, or returned something else than what it was given.
    """
    server = route.server
    listing = replace(listing, tools=(*listing.tools, *resource_tools(server, listing.tools)))
    listed = (listing.tools, listing.refused)
    odd = unknown_tools(server, *listed, known)
    kept = judged(listing.tools, policies)
    return Member(route, policies, listing, kept, known | named_by_rules(server, *listed), odd)


def compile_catalogue(members: Sequence[Member], options: Options, before: Catalogue) -> Catalogue:
    """Name and convert the tools of all servers.

    What has not changed since `before` is taken from it as it is.
    """
    routes = {member.route.server.name: member.route for member in members}
    judged_good = [spec for member in members for spec in member.judged.served]
    kept = flag_look_alikes(judged_good, options.taken)
    known = {tool.spec.ref: tool for tool in before.tools}
    tools: list[BoundTool] = []
    refused = [each for member in members for each in (*member.listing.refused, *member.judged.refused)]
    servers = {name: route.server for name, route in routes.items()}
    naming = (servers, options.taken, options.dialect.names)
    specs = named(kept, *naming)
    for spec in specs:
        route = routes[spec.ref.server]
        try:
            tools.append(_unchanged(known, spec, route) or _bound(spec, route, options))
        except SchemaError as error:
            refused.append(Refusal(spec.ref, f"/inputSchema{error.pointer}", error.reason))
    served = {tool.spec.ref for tool in tools}
    told = renamed(kept, [spec for spec in specs if spec.ref in served], *naming)
    return Catalogue(tuple(tools), tuple(refused), told, _look_alikes(judged_good, kept))


def _look_alikes(before: Sequence[ToolSpec], flagged: Sequence[ToolSpec]) -> dict[str, tuple[str, ...]]:
    """What there is to tell of tools that were flagged, by server; of each server's the first."""
    told: dict[str, list[str]] = {}
    for spec, now in zip(before, flagged, strict=True):
        if now is not spec and len(of_server := told.setdefault(spec.ref.server, [])) < _TOLD:
            of_server.append(f"the tool '{printable(spec.ref.tool)}' has {now.flags[-1]}")
    return {server: tuple(sentences) for server, sentences in told.items()}


_TOLD: Final = 50


def _unchanged(known: Mapping[ToolRef, BoundTool], spec: ToolSpec, route: Route) -> BoundTool | None:
    tool = known.get(spec.ref)
    return tool if tool is not None and tool.serves(spec, route) else None


def _bound(spec: ToolSpec, route: Route, options: Options) -> BoundTool:
    schema = converted(spec, route.server, options.strict)
    told = options.dialect.described(schema, schema.described(spec.description, spec.title, spec.name))
    return BoundTool(spec, schema, route, describe(told, options.description_limit))
