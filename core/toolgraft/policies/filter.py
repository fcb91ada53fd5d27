"""Which of a server's tools are served."""

from __future__ import annotations

from collections.abc import Sequence
from fnmatch import fnmatchcase

from toolgraft.config import Server
from toolgraft.errors import ConfigError
from toolgraft.spec import ToolSpec


def matches(wire_name: str, patterns: Sequence[str]) -> bool:
    """Whether a wire name is one of the names or `*` patterns."""
    return any(fnmatchcase(wire_name, pattern) for pattern in patterns)


def filtered(specs: Sequence[ToolSpec], server: Server) -> list[ToolSpec]:
    """Keep the tools that `only` and `without` leave.

    Raises:
        ConfigError: A name without `*` in either matches no tool of the server, so that a misspelt filter
            never leaves the real tool open.
    """
    require_known("only", server.only, specs, server)
    require_known("without", server.without, specs, server)
    return [
        spec
        for spec in specs
        if (not server.only or matches(spec.ref.tool, server.only)) and not matches(spec.ref.tool, server.without)
    ]


def require_known(field: str, patterns: Sequence[str], specs: Sequence[ToolSpec], server: Server) -> None:
    """Raise `ConfigError` for a name in a rule that the server does not list."""
    listed = {spec.ref.tool for spec in specs}
    unknown = [name for name in patterns if not any(mark in name for mark in "*?[") and name not in listed]
    if unknown:
        known = ", ".join(sorted(listed)[:20]) or "none"
        raise ConfigError(f"server '{server.name}' lists no tool {unknown[0]!r} named in {field}; it lists {known}")
