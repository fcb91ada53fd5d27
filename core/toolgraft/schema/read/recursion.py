"""References that lead back to themselves, or on and on, without ever asking for a member of the value."""

from __future__ import annotations

from toolgraft.errors import SchemaError
from toolgraft.schema.language.pointers import Node

PREFIX = "#/$defs/"
"""What every reference in a normal schema begins with."""

MAX_HOPS = 50
"""Most references from one to the next."""

_MAX_IN_PLACE = 20_000
"""Most schemas that may apply to one and the same value."""


def refuse_endless(root: Node, defs: dict[str, Node]) -> None:
    """Refuse a node that applies to the very value it is applied to again, without end or nearly so.

    Raises:
        SchemaError: There is one.
    """
    cost: dict[str, int] = {}
    for node in (root, *defs.values()):
        if _weigh(node, defs, cost, set(), 0) > _MAX_IN_PLACE:
            raise SchemaError("alternatives of alternatives: too many to be checked")


def _weigh(node: Node, defs: dict[str, Node], cost: dict[str, int], under_way: set[str], hops: int) -> int:
    """How many schemas apply to one value, by way of references and alternatives."""
    if _IN_PLACE.isdisjoint(node):
        return 1
    if hops > MAX_HOPS:
        raise SchemaError("references lead on and on")
    total = 1
    for keyword in ("anyOf", "oneOf", "allOf"):
        for inner in node.get(keyword, ()):
            total += _weigh(inner, defs, cost, under_way, hops + 1)
    for keyword in ("not", "if", "then", "else"):
        if keyword in node:
            total += _weigh(node[keyword], defs, cost, under_way, hops + 1)
    for inner in node.get("dependentSchemas", {}).values():
        total += _weigh(inner, defs, cost, under_way, hops + 1)
    if "$ref" in node:
        name = node["$ref"][len(PREFIX) :]
        if name in under_way:
            raise SchemaError(f"the reference '{node['$ref']}' leads back to itself", pointer=PREFIX[1:] + name)
        if name not in cost:
            under_way.add(name)
            cost[name] = _weigh(defs[name], defs, cost, under_way, hops + 1)
            under_way.discard(name)
        total += cost[name]
    return min(total, _MAX_IN_PLACE + 1)


_IN_PLACE = frozenset({"anyOf", "oneOf", "allOf", "not", "if", "then", "else", "dependentSchemas", "$ref"})
