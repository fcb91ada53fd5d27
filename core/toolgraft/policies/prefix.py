"""Names by a function of the user's, `prefix=`: asked for each tool, and checked."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from toolgraft.config import Server
from toolgraft.errors import ConfigError
from toolgraft.policies.policy import Policy, name_of
from toolgraft.spec import ToolRef, ToolSpec


def name_by_prefix(server: Server) -> Policy:
    """Make the policy that names tools as the function in `prefix` says; `naming.named` makes that legal and unique."""

    def prefix(specs: Sequence[ToolSpec]) -> Sequence[ToolSpec]:
        make = server.prefix
        return [replace(spec, name=_asked(make, spec.ref)) for spec in specs] if callable(make) else specs

    return prefix


def _asked(make: Callable[[str, str], str], ref: ToolRef) -> str:
    said = f"server '{ref.server}': the function {name_of(make)} in prefix="
    try:
        name = make(ref.server, ref.tool)
    except Exception as error:
        raise ConfigError(f"{said} raised {type(error).__name__} for the tool {ref.tool!r}: {error}") from error
    if not isinstance(name, str) or not name.strip():  # pyright: ignore[reportUnnecessaryIsInstance]
        getattr(name, "close", bool)()  # a coroutine that nobody will await
        what = "an empty name" if isinstance(name, str) else type(name).__name__  # pyright: ignore[reportUnnecessaryIsInstance]
        raise ConfigError(f"{said} gave {what} for the tool {ref.tool!r}; it gives the name, a string")
    return name
