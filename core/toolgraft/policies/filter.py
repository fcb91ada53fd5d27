"""Which of a server's tools are served."""

from __future__ import annotations

from collections.abc import Sequence
from fnmatch import fnmatchcase

from toolgraft.config import Server
from toolgraft.errors import ConfigError
from toolgraft.schema import arguments_of
from toolgraft.spec import Refusal, ToolSpec


def matches(wire_name: str, patterns: Sequence[str]) -> bool:
    """Whether a wire name is one of the names or `*` patterns."""
    return wire_name in patterns or any(fnmatchcase(wire_name, pattern) for pattern in patterns)


def filtered(specs: Sequence[ToolSpec], server: Server, refused: Sequence[Refusal] = ()) -> list[ToolSpec]:
    """Keep the tools that `only` and `without` leave.

    Args:
        specs: What the server lists.
        server: Its declaration.
        refused: What it lists as well and cannot be served; a rule may name that too.

    Raises:
        ConfigError: A name without `*` in either, or in another field that names tools, matches no tool of the
            server, or a bound argument is one of no tool: a misspelt name never leaves the real one open.
    """
    for field in ("only", "without", "tool_timeouts", "tool_limits", "repeatable"):
        require_known(field, tuple(getattr(server, field)), [*specs, *refused], server)
    if not any(not refusal.hidden for refusal in refused):  # else one of those may be the one that takes it
        require_taken(specs, server)
    return [
        spec
        for spec in specs
        if (not server.only or matches(spec.ref.tool, server.only)) and not matches(spec.ref.tool, server.without)
    ]


def require_known(field: str, patterns: Sequence[str], specs: Sequence[ToolSpec | Refusal], server: Server) -> None:
    """Raise `ConfigError` for a name in a rule that the server does not list."""
    listed = {spec.ref.tool for spec in specs}
    unknown = [name for name in patterns if not any(mark in name for mark in "*?[") and name not in listed]
    if unknown:
        known = ", ".join(sorted(listed)[:20]) or "none"
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
