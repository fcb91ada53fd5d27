"""Names of members that stand nowhere in a form that was redrawn: they are told with the argument that they are of."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from toolgraft.dialects.redraw.said import also_said
from toolgraft.schema import Node
from toolgraft.schema.language import prose
from toolgraft.schema.language.keywords import is_object
from toolgraft.schema.language.members import member_names

_REF: Final = "#/$defs/"


def rest_told(source: Node, drawn: Node) -> Node:
    """Tell what is not carried of each argument.

    Args:
        source: The form before it was redrawn.
        drawn: The form that is given to a model, of which members, items and alternatives arrive.
    """
    members = {
        name: _told(source["properties"].get(name), member, source.get("$defs", {}), drawn.get("$defs", {}))
        for name, member in drawn["properties"].items()
    }
    return {**drawn, "properties": members}


def _told(source: object, member: Node, defs: Node, drawn_defs: Node) -> Node:
    names = member_names(source, defs) if is_object(source) else []
    if not names:
        return member
    arriving = _Arriving(drawn_defs)
    arriving.look(member)
    wanting = prose.left_out((name for name in names if name not in arriving.names), "\n".join(arriving.texts))
    if not wanting:
        return member
    return also_said(member, prose.further_members(wanting), drawn_defs)


@dataclass
class _Arriving:
    """What arrives of a schema by every converter: a choice, or members of an object, or items of an array."""

    defs: Node
    names: set[str] = field(default_factory=set[str])
    texts: list[str] = field(default_factory=list[str])
    followed: set[str] = field(default_factory=set[str])

    def look(self, node: Node) -> None:
        waiting = [node]
        while waiting:
            schema = waiting.pop()
            self.texts.append(str(schema.get("description", "")))
            waiting += [each for each in self._inside(schema) if is_object(each)]

    def _inside(self, schema: Node) -> Iterator[object]:
        name = str(schema.get("$ref", "")).removeprefix(_REF)
        if name in self.defs and name not in self.followed:
            self.followed.add(name)
            target: Node = self.defs[name]
            yield {**target, "description": ""} if schema.get("description") else target
        if "anyOf" in schema:
            yield from schema["anyOf"]
        elif schema.get("type") == "object":
            members = schema.get("properties", {})
            self.names.update(members)
            yield from members.values()
        elif schema.get("type") == "array":
            yield schema.get("items")
