"""What a person should know of a tool before it is given to a model: what nobody sees in it, and long descriptions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from toolgraft.cli.judged import Candidate
from toolgraft.connection.listing.flags import flags_of, flags_of_name
from toolgraft.policies.look_alikes import flag_look_alikes
from toolgraft.spec import Flag, ToolRef, ToolSpec

LONG: Final = 8 * 1024
"""Bytes of a description from which on a person should read what it says: few honest tools need as many."""


def flags_of_description(description: object) -> tuple[Flag, ...]:
    """Flag a description that is long."""
    size = len(description.encode("utf-8", "surrogatepass")) if isinstance(description, str) else 0
    return (Flag("/description", f"a description of {size:,} bytes: read what it says"),) if size >= LONG else ()


def flags_in(tool: Mapping[str, Any], name: str) -> tuple[Flag, ...]:
    """Flag a tool as it stands in a list on the wire.

    Args:
        tool: It.
        name: What it is called, or stands in the place of a name.
    """
    hidden = flags_of({**tool, "name": name})
    return (*flags_of_name(name), *hidden, *flags_of_description(tool.get("description")))


def look_alikes_flagged(candidates: Sequence[Candidate]) -> list[Candidate]:
    """Flag those of one list whose names look like that of another one."""
    specs = [ToolSpec(ToolRef(each.server, each.tool), each.tool, "", "", {}) for each in candidates]
    flagged = flag_look_alikes(specs)
    return [replace(each, flags=(*each.flags, *spec.flags)) for each, spec in zip(candidates, flagged, strict=True)]
