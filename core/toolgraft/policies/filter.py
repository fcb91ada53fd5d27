"""Which of a server's tools are served, by the rules of its declaration."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from fnmatch import fnmatchcase
from typing import Final, cast

from toolgraft.config import Server
from toolgraft.config.approval import Approval
from toolgraft.errors import ConfigError
from toolgraft.policies.policy import Policy
from toolgraft.schema import arguments_of
from toolgraft.spec import Refusal, ToolSpec

RULES: Final = ("only", "without", "tool_timeouts", "tool_limits", "approve", "repeatable")
"""The fields of a declaration that name tools."""


def matches(wire_name: str, patterns: Sequence[str]) -> bool:
    """Whether a wire name is one of the names or `*` patterns."""
    return wire_name in patterns or any(fnmatchcase(wire_name, pattern) for pattern in patterns)


def keep_chosen(server: Server) -> Policy:
    """Make the policy that keeps the tools that `only` and `without` leave; `without` wins."""

    def filters(specs: Sequence[ToolSpec]) -> Sequence[ToolSpec | Refusal]:
        return [_refusal(spec, server) or spec for spec in specs]

    return filters


def _refusal(spec: ToolSpec, server: Server) -> Refusal | None:
    if matches(spec.ref.tool, server.without):
        return Refusal(spec.ref, "", "left out by `without`", kind="rule")
    if server.only and not matches(spec.ref.tool, server.only):
        return Refusal(spec.ref, "", "not among `only`", kind="rule")
    return None


def require_rules(server: Server, listed: Sequence[ToolSpec], refused: Sequence[Refusal]) -> None:
    """Check that the rules of a declaration fit what the server lists: a misspelt name never leaves the real one open.

    Args:
        server: The declaration.
        listed: The tools that its server lists.
        refused: What it lists as well and cannot be served; a rule may name that too.

    Raises:
        ConfigError: A name without `*` matches no tool of the server, or a bound argument is one of no tool.
    """
    for field in RULES:
        require_known(field, names_in(getattr(server, field)), [*listed, *refused], server)
    if all(refusal.kind == "hidden" for refusal in refused):  # else one of those may be the one that takes it
        require_taken(listed, server)


def names_in(rule: object) -> tuple[str, ...]:
    """The names and patterns in a rule: a list of them, or what stands before the rules of a dict."""
    if isinstance(rule, Approval):
        return names_in(rule.rule)
    if not isinstance(rule, Collection) or isinstance(rule, str):
        return ()
    held = cast("Mapping[str, object]", rule).values() if isinstance(rule, Mapping) else ()
    return (*cast("Collection[str]", rule), *(name for each in held for name in names_in(each)))


def require_known(field: str, patterns: Sequence[str], listed: Sequence[ToolSpec | Refusal], server: Server) -> None:
    """Raise `ConfigError` for a name in a rule that the server does not list."""
    names = {each.ref.tool for each in listed}
    unknown = [name for name in patterns if not any(mark in name for mark in "*?[") and name not in names]
    if unknown:
        known = ", ".join(sorted(names)[:20]) or "none"
        raise ConfigError(f"server '{server.name}' lists no tool {unknown[0]!r} named in {field}; it lists {known}")


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
