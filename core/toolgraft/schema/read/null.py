"""Whether a server takes null at a place."""

from __future__ import annotations

from toolgraft.schema.language.keywords import types_in
from toolgraft.schema.language.pointers import Node
from toolgraft.schema.read.normal import Normal
from toolgraft.schema.read.recursion import PREFIX


class NullTaken:
    """Tells whether the server takes null at a node of a normal schema."""

    def __init__(self, normal: Normal) -> None:
        self._normal = normal
        self._named: dict[str, bool] = {}

    def __call__(self, node: Node) -> bool:
        """Whether null fits; only the keywords that say something of null are looked at."""
        if "$ref" in node:
            name = node["$ref"][len(PREFIX) :]
            if name not in self._named:
                self._named[name] = self(self._normal.defs[name])
            return self._named[name]
        kinds = types_in(node)
        if kinds and "null" not in kinds:
            return False
        if ("enum" in node and None not in node["enum"]) or node.get("const") is not None:
            return False
        return _DECIDING.isdisjoint(node) or self._combined(node)

    def _combined(self, node: Node) -> bool:
        if "anyOf" in node and not any(map(self, node["anyOf"])):
            return False
        if "oneOf" in node and sum(map(self, node["oneOf"])) != 1:
            return False
        if "not" in node and self(node["not"]):
            return False
        branch = "else" if "if" in node and not self(node["if"]) else "then"
        if "if" in node and branch in node and not self(node[branch]):
            return False
        return all(map(self, node.get("allOf", ())))


_DECIDING = frozenset({"anyOf", "oneOf", "allOf", "not", "if"})
