"""Which of a server's tools are served, by the rules of its declaration."""

from __future__ import annotations

import logging
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Final, Protocol, cast

from toolgraft.config import Server
from toolgraft.config.approval import Approval
from toolgraft.errors import ConfigError
from toolgraft.filters import Filter, filters_of, is_pattern, matches
from toolgraft.policies.policy import Policy
from toolgraft.policies.resource_tools import is_resource_tool
from toolgraft.schema import arguments_of
from toolgraft.spec import Refusal, ToolSpec

_log: Final = logging.getLogger("toolgraft")

_HOLD_BACK: Final = ("without", "approve")
"""Rules of which a server could free a tool by another name for it: where such a name is gone, its list stays."""


def keep_chosen(server: Server) -> Policy:
    """Make the policy that keeps the tools that `only` and `without` leave; `without` wins.

    A tool of which a filter cannot say, because its function raises, is left out.
    """

    def filters(specs: Sequence[ToolSpec]) -> Sequence[ToolSpec | Refusal]:
        return [_refusal(spec, server) or spec for spec in specs]

    return filters


def _refusal(spec: ToolSpec, server: Server) -> Refusal | None:
    try:
        if _keeps(filters_of(server.without), spec):
            return Refusal(spec.ref, "", "left out by `without`", kind="rule")
        only = filters_of(server.only)
        if only and not is_resource_tool(spec, server) and not _keeps(only, spec):
            return Refusal(spec.ref, "", f"not among `only`{_unbelieved(spec, only)}", kind="rule")
    except Exception as error:
        _log.exception("a filter of server '%s' failed, and %s is left out", server.name, spec.ref)
        return Refusal(spec.ref, "", f"left out: a filter raised {type(error).__name__}", kind="rule")
    return None


def _keeps(filters: Sequence[Filter], spec: ToolSpec) -> bool:
    return any(each.keeps(spec) for each in filters)


def _unbelieved(spec: ToolSpec, only: Sequence[Filter]) -> str:
    """What to do where nothing is read-only because nobody who is believed says so."""
    if spec.safety_reason.by != "untrusted" or "read_only()" not in repr(only):
        return ""
    return f": {spec.safety_reason}; trust=True would, or safety={{...}}"


def unknown_tools(
    server: Server, listed: Sequence[ToolSpec], refused: Sequence[Refusal], known: Collection[str] = ()
) -> tuple[str, ...]:
    """Check that the rules of a declaration fit what the server lists: a misspelt name never leaves the real one open.

    Args:
        server: The declaration.
        listed: The tools that its server lists.
        refused: What it lists as well and cannot be served; a rule may name that too.
        known: Names that it has listed before: a tool that goes away later makes no rule wrong but one that
            holds back.

    Returns:
        What was odd, a sentence each: a pattern that stands for no tool, and under `unknown_tools="warn"` a name that
        is not there.

    Raises:
        ConfigError: A name matches no tool of the server, or a bound argument is one of no tool.
    """
    names = {*(spec.ref.tool for spec in listed), *(refusal.ref.tool for refusal in refused)}
    odd: list[str] = []
    for field, name in _named(server):
        may_go = name in known and field not in _HOLD_BACK
        if may_go or any(matches(each, name) for each in names):
            continue
        told = _unknown(server, field, name, names)
        if server.unknown_tools == "error" and not is_pattern(name):
            raise ConfigError(told)
        odd.append(told)
    if all(refusal.kind == "hidden" for refusal in refused):  # else one of those may be the one that takes it
        require_taken(listed, server)
    return tuple(odd)


def names_in(rule: object) -> tuple[str, ...]:
    """The names and patterns in a rule: a list of them, or what stands before the rules of a dict."""
    if isinstance(rule, Approval):
        return names_in(rule.rule)
    if not isinstance(rule, Collection) or isinstance(rule, str):
        return ()
    held = cast("Mapping[str, object]", rule).values() if isinstance(rule, Mapping) else ()
    return (*cast("Collection[str]", rule), *(name for each in held for name in names_in(each)))


def require_named(rule: object, listings: Iterable[Listed]) -> None:
    """Check that the names in a rule for all servers stand for tools that one of them lists.

    Raises:
        ConfigError: One does not.
    """
    names: set[str] = set()
    for listed in listings:
        names.update(spec.ref.tool for spec in listed.tools)
        names.update(refusal.ref.tool for refusal in listed.refused)
    for name in names_in(rule):
        if not is_pattern(name) and name not in names:
            known = ", ".join(sorted(names)[:20]) or "none"
            raise ConfigError(f"no server lists a tool {name!r} named in approve; they list {known}")


class Listed(Protocol):
    """What a server lists."""

    @property
    def tools(self) -> Sequence[ToolSpec]:
        """What can be served."""
        ...

    @property
    def refused(self) -> Sequence[Refusal]:
        """What cannot."""
        ...


def named_by_rules(server: Server, listed: Sequence[ToolSpec], refused: Sequence[Refusal]) -> frozenset[str]:
    """The names and patterns in a server's rules that stand for something that it lists."""
    names = {*(spec.ref.tool for spec in listed), *(refusal.ref.tool for refusal in refused)}
    return frozenset(name for _, name in _named(server) if any(matches(each, name) for each in names))


def _named(server: Server) -> Iterator[tuple[str, str]]:
    """Each name and pattern in the rules of a declaration, with the field that it stands in."""
    for field, chosen in (("only", server.only), ("without", server.without)):
        yield from ((field, name) for each in filters_of(chosen) for name in each.names)
    fields = ("safety", server.safety), ("tool_timeouts", server.tool_timeouts), ("tool_limits", server.tool_limits)
    for field, rules in (*fields, ("approve", names_in(server.approve)), ("repeatable", server.repeatable)):
        yield from ((field, name) for name in rules)


def _unknown(server: Server, field: str, name: str, names: Collection[str]) -> str:
    known = ", ".join(sorted(names)[:20]) or "none"
    if is_pattern(name):
        return f"server '{server.name}' lists no tool that {name!r} in {field} stands for; it lists {known}"
    return f"server '{server.name}' lists no tool {name!r} named in {field}; it lists {known}"


def require_taken(specs: Sequence[ToolSpec], server: Server) -> None:
    """Raise `ConfigError` for a bound argument that no tool of the server takes."""
    if not server.bind:
        return
    taken = {name for spec in specs for name in arguments_of(spec.input_schema)}
    unknown = [name for name in server.bind if name not in taken]
    if unknown:
        known = ", ".join(sorted(taken)[:20]) or "none"
        raise ConfigError(
            f"no tool of server '{server.name}' takes an argument {unknown[0]!r}, named in bind; they take {known}"
        )
