"""Public names: legal for every provider, one name for one tool, the same on every start."""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from toolgraft.config import Server
from toolgraft.spec import ToolRef, ToolSpec

LEGAL: Final = re.compile(r"[a-zA-Z0-9_-]{1,64}\Z")
LONGEST: Final = 64


def named(specs: Sequence[ToolSpec], servers: Mapping[str, Server]) -> list[ToolSpec]:
    """Give every tool its public name.

    A tool keeps its own (or prefixed) name where that is legal and nobody else wishes for it. Otherwise it is
    made legal, or qualified by its server, and gets a hash of its identity when that is still not its own. The
    names depend on the set of tools alone, not on their order.

    Args:
        specs: The tools of all servers.
        servers: The declarations, by name.
    """
    wishes = {spec.ref: _wish(spec.ref, servers[spec.ref.server]) for spec in specs}
    wanted = Counter(wish for wish in wishes.values() if LEGAL.match(wish))
    names = {ref: wish for ref, wish in wishes.items() if wanted.get(wish) == 1}
    taken = set(names.values())

    second = {ref: _second(ref, wish) for ref, wish in wishes.items() if ref not in names}
    seconds = Counter(second.values())
    settled = {ref: name for ref, name in second.items() if _own(name, seconds) and name not in taken}
    taken.update(settled.values())
    names.update(settled)

    for ref in sorted(second.keys() - settled.keys(), key=str):
        names[ref] = _hashed(second[ref], ref, taken)
        taken.add(names[ref])
    return [spec if spec.name == names[spec.ref] else replace(spec, name=names[spec.ref]) for spec in specs]


def _wish(ref: ToolRef, server: Server) -> str:
    if server.prefix is True:
        return f"mcp__{ref.server}__{ref.tool}"
    return f"{server.prefix}_{ref.tool}" if server.prefix else ref.tool


def _second(ref: ToolRef, wish: str) -> str:
    """The name that is tried when the wish is illegal or somebody else's too."""
    return _made_legal(f"{ref.server}_{ref.tool}" if LEGAL.match(wish) else wish)


def _made_legal(text: str) -> str:
    legal = re.sub(r"[^a-zA-Z0-9_-]+", "_", text)
    return legal if re.search(r"[a-zA-Z0-9]", legal) else "tool"


def _own(name: str, wanted: Counter[str]) -> bool:
    return wanted[name] == 1 and len(name) <= LONGEST and name != "tool"


def _hashed(name: str, ref: ToolRef, taken: set[str]) -> str:
    """Cut the name and append as much of its identity's hash as makes it one of a kind."""
    digest = hashlib.sha256(f"{ref.server}\0{ref.tool}".encode("utf-8", "surrogatepass")).hexdigest()
    for length in (8, 16, 32, 63):
        candidate = f"{name[: LONGEST - 1 - length]}_{digest[:length]}"
        if candidate not in taken:
            break
    return candidate
