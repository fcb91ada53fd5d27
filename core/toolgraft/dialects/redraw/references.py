"""References put in place, a few levels of a recursive one, for providers that know no references.

Their packages do so too, but drop what is recursive in silence, or grow to gigabytes where references fan out.
"""

from __future__ import annotations

from typing import Final

from toolgraft.dialects.redraw.walk import inside
from toolgraft.schema import Node
from toolgraft.schema.language import prose

_LEVELS: Final = 2
"""How often a definition stands within itself."""

_MOST_NODES: Final = 4_000
"""Parts of a schema up to which definitions are put in place; beyond, what they are is told."""

_REF: Final = "#/$defs/"


def in_place(root: Node) -> Node:
    """Give a form without references: what is referred to stands in place, and where it would go on is told."""
    if "$defs" not in root:
        return root
    return _Unrolled(root["$defs"]).node({key: value for key, value in root.items() if key != "$defs"}, ())


class _Unrolled:
    def __init__(self, defs: Node) -> None:
        self._defs = defs
        self._left = _MOST_NODES

    def node(self, node: Node, within: tuple[str, ...]) -> Node:
        """One schema; `within` are the definitions around it."""
        self._left -= 1
        out = inside(node, lambda inner: self.node(inner, within))
        if "$ref" not in node:
            return out
        name = str(out.pop("$ref")).removeprefix(_REF)
        target: Node = self._defs.get(name, {})
        if within.count(name) >= _LEVELS or self._left < 0:
            return {**_end(name, target), **out}
        return {**self.node(target, (*within, name)), **out}


def _end(name: str, target: Node) -> Node:
    """What stands where a definition would stand in itself once more."""
    members = ", ".join(target.get("properties", ()))
    told = f"As '{name}' further out, which goes on here{f', with {members}' if members else ''}."
    kind = target.get("type", "object")
    shape: Node = {"type": kind if isinstance(kind, str) else "object"}
    if shape["type"] == "object":
        shape["additionalProperties"] = True
    if shape["type"] == "array":
        shape["items"] = {}
    about = prose.cut(str(target.get("description", "")), 200)
    return {**shape, "description": prose.said(about, [prose.cut(told, 400)])}
