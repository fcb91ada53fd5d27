"""Tools whose names look alike at a glance, on one server or on several: each but the first is flagged."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import replace

from toolgraft.content.look_alikes import glance_of
from toolgraft.content.text import printable
from toolgraft.spec import Flag, ToolSpec


def flag_look_alikes(specs: Iterable[ToolSpec], taken: Collection[str] = ()) -> list[ToolSpec]:
    """Flag tools whose wire name looks like that of another tool, and is another one.

    Of those that look alike, one in ASCII is the one that the others look like, else the first.

    Args:
        specs: The tools of all servers, in order.
        taken: Names that the agent's own tools have.
    """
    tools = list(specs)
    first: dict[str, tuple[str, str]] = {}
    for name in taken:
        first.setdefault(glance_of(name), (name, f"your own tool '{printable(name)}'"))
    for spec in sorted(tools, key=lambda each: not each.ref.tool.isascii()):
        first.setdefault(glance_of(spec.ref.tool), (spec.ref.tool, f"the tool '{printable(str(spec.ref))}'"))
    return [_flagged(spec, *first[glance_of(spec.ref.tool)]) for spec in tools]


def _flagged(spec: ToolSpec, name: str, known: str) -> ToolSpec:
    if name == spec.ref.tool:
        return spec
    return replace(spec, flags=(*spec.flags, Flag("/name", f"a name that looks like that of {known}, and is another")))
