"""Roots: an object with declared members; in full, whatever else as the one member of an object."""

from __future__ import annotations

from toolgraft.schema.full.steps import Wrapped
from toolgraft.schema.language import prose
from toolgraft.schema.language.pointers import Node
from toolgraft.schema.plain.form import object_root
from toolgraft.schema.strict import unions
from toolgraft.schema.strict.builder import Builder
from toolgraft.schema.strict.parts import Built, NotStrictError, closed, unused


def build_root(builder: Builder, node: Node) -> Built:
    """Build the root: an object with declared members, else wrapped as the one member of an object."""
    told: list[str] = []
    if "" in builder.options.as_text:
        return _wrapped(builder)
    try:
        for keyword in ("anyOf", "oneOf"):
            if keyword in node:
                if not unions.only_constrains(node, node[keyword], builder.normal):
                    raise NotStrictError((("", keyword)), "the root is a union of different objects")
                told.append(prose.alternatives(node[keyword], keyword == "oneOf"))
        node = {key: value for key, value in node.items() if key not in ("anyOf", "oneOf")}
        if told:
            node["description"] = prose.said(node.get("description", ""), told)
        if "enum" in node or "const" in node:
            raise NotStrictError("", "the root has a fixed value")
        if (obstacle := builder.obstacle(node, "")) is not None:
            raise obstacle
        builder.level += 1
        return builder.object_(node, "", root=True)
    except NotStrictError:
        if not builder.options.full:
            raise
    return _wrapped(builder)


def _wrapped(builder: Builder) -> Built:
    whole = builder.normal.root
    builder.level = 1
    taken = {*object_root(builder.normal).get("properties", {}), *whole.get("properties", {})}
    member = unused("arguments", taken)
    inner, step = builder.node(whole, "")
    return closed({member: inner}), Wrapped(member, step)
