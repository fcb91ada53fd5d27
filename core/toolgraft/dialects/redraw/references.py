"""References put in place, a few levels of a recursive one, for providers that know no references.

Their packages do so too, but drop what is recursive in silence, or grow to gigabytes where references fan out.
"""

from __future__ import annotations

from typing import Final

from toolgraft.dialects.redraw.walk import inside
from toolgraft.schema import Node
from toolgraft.schema.language import prose
from toolgraft.schema.language.members import member_names

_LEVELS: Final = 2
"""How often a definition stands within itself."""

_DEEPEST: Final = 40
"""Levels of a schema within which definitions are put in place."""

_MOST_NODES: Final = 4_000
"""Parts of a schema up to which definitions are put in place anew; beyond, one that stands elsewhere is told."""

_REF: Final = "#/$defs/"


def in_place(root: Node) -> Node:
    """Give a form without references: what is referred to stands in place, and where it would go on is told."""
    if "$defs" not in root:
        return root
    return _Unrolled(root["$defs"]).node({key: value for key, value in root.items() if key != "$defs"}, (), 0)


class _Unrolled:
    def __init__(self, defs: Node) -> None:
        self._defs = defs
        self._left = _MOST_NODES
        self._placed: set[str] = set()

    def node(self, node: Node, within: tuple[str, ...], deep: int) -> Node:
        """One schema; `within` are the definitions around it, and `deep` is the level."""
        self._left -= 1
        out = inside(node, lambda inner: self.node(inner, within, deep + 1))
        if "$ref" not in node:
            return out
        name = str(out.pop("$ref")).removeprefix(_REF)
        target: Node = self._defs.get(name, {})
        if deep >= _DEEPEST or not self._has_place(name, within):
            return {**self._end(name, target), **out}
        self._placed.add(name)
        return {**self.node(target, (*within, name), deep + 1), **out}

    def _has_place(self, name: str, within: tuple[str, ...]) -> bool:
        if within.count(name) >= _LEVELS:
            return False
        return self._left >= 0 or name not in self._placed

    def _end(self, name: str, target: Node) -> Node:
        """What stands where a definition would stand once more, or where it has no place at all."""
        members = ", ".join(target.get("properties", ()))
        where = "further out, which goes on here" if name in self._placed else "elsewhere, which has no place here"
        told = prose.cut(f"As '{name}' {where}{f', with {members}' if members else ''}.", 400)
        if name not in self._placed:
            self._placed.add(name)
            told = f"{told} {prose.further_members(prose.left_out(member_names(target, self._defs), told))}".rstrip()
        kind = target.get("type", "object")
        shape: Node = {"type": kind if isinstance(kind, str) else "object"}
        if shape["type"] == "object":
            shape["additionalProperties"] = True
        if shape["type"] == "array":
            shape["items"] = {}
        about = prose.cut(str(target.get("description", "")), 200)
        return {**shape, "description": prose.said(about, [told])}
