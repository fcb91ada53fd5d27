"""`oneOf` as `anyOf`, which converters know; that a value fits no other alternative is checked before the call."""

from __future__ import annotations

from toolgraft.schema import Node


def any_of(node: Node) -> Node:
    """Give a schema that chooses by `anyOf`."""
    if "oneOf" not in node or "anyOf" in node:
        return node
    return {("anyOf" if key == "oneOf" else key): value for key, value in node.items()}
