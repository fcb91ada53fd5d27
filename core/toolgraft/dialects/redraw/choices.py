"""Alternatives as converters know them: by `anyOf`, with nothing beside it.

That a value fits no other alternative of a `oneOf` is checked before the call.
"""

from __future__ import annotations

from toolgraft.schema import Node
from toolgraft.schema.language import prose


def any_of(node: Node) -> Node:
    """Give a schema that chooses by `anyOf`."""
    if "oneOf" not in node or "anyOf" in node:
        return node
    return {("anyOf" if key == "oneOf" else key): value for key, value in node.items()}


def one_choice(node: Node) -> Node:
    """Give a schema that chooses once; where it has `anyOf` and `oneOf`, the latter is told."""
    if "oneOf" not in node or "anyOf" not in node:
        return any_of(node)
    told = prose.alternatives(node["oneOf"], exclusive=True)
    kept = {key: value for key, value in node.items() if key != "oneOf"}
    return {**kept, "description": prose.said(kept.get("description", ""), [told])}
