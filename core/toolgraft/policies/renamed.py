"""Which tools models know by another name than their servers do, and why."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence

from toolgraft.config import Server
from toolgraft.policies.naming import LEGAL, LONGEST, legal_form, wish
from toolgraft.policies.policy import name_of
from toolgraft.spec import Renamed, ToolRef, ToolSpec


def renamed(
    wished: Sequence[ToolSpec],
    named: Sequence[ToolSpec],
    servers: Mapping[str, Server],
    taken: Collection[str] = (),
    legal: re.Pattern[str] = LEGAL,
) -> tuple[Renamed, ...]:
    """Tell of each tool whose public name is not the one on the wire. The arguments are those of `naming.named`.

    Args:
        wished: The tools as they were given to it.
        named: The tools that it gave.
        servers: The declarations, by name.
        taken: Names that other tools of the agent have.
        legal: What a name may be.
    """
    wishes = {spec.ref: wish(spec, servers[spec.ref.server]) for spec in wished}
    alike: dict[str, list[ToolRef]] = defaultdict(list)
    for ref, parts in wishes.items():
        alike[legal_form(parts, legal)].append(ref)

    def reasons(spec: ToolSpec) -> Iterator[str]:
        parts = wishes[spec.ref]
        name, form = "".join(parts), legal_form(parts, legal)
        yield from _by_prefix(servers[spec.ref.server])
        if not legal.fullmatch(name):
            yield f"a name has at most {LONGEST} characters" if len(name) > LONGEST else _NO_NAME
        if spec.name == form:
            return
        others = sorted(str(ref) for ref in alike[form] if ref != spec.ref)
        if others:
            more = f" and {len(others) - 3} more" if len(others) > 3 else ""
            yield f"{', '.join(others[:3])}{more} would have that name too"
        elif form in taken:
            yield "the agent has a tool of that name"
        elif len(form) <= LONGEST:
            yield "a hash tells it from others whose letters are lost in the same way"

    return tuple(
        Renamed(spec.ref, spec.name, "; ".join(reasons(spec)) or _TAKEN) for spec in named if spec.name != spec.ref.tool
    )


_NO_NAME = "models take names of letters, digits, `_` and `-`"
_TAKEN = "the name is taken"


def _by_prefix(server: Server) -> Iterator[str]:
    if callable(server.prefix):
        yield f"the function {name_of(server.prefix)} in prefix= names it"
    elif server.prefix:
        yield f"prefix={server.prefix!r}"
