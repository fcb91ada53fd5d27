"""Arrays with a meaning for each place: an object with a member for each."""

from __future__ import annotations

from typing import Any, cast

from toolgraft.schema.decode.steps import Items, Member, Record
from toolgraft.schema.full.steps import Tuple
from toolgraft.schema.full.text import refuse_unless_full
from toolgraft.schema.language.keywords import CONSTRAINTS
from toolgraft.schema.language.pointers import Node, Path
from toolgraft.schema.strict.builder import Builder
from toolgraft.schema.strict.parts import Built
from toolgraft.schema.strict.records import build_record
from toolgraft.schema.strict.scalars import tell


def build_tuple(builder: Builder, node: Node, path: Path) -> Built:
    """Build an array with a meaning for each place as an object with a member for each."""
    refuse_unless_full(builder, path, "is an array with a meaning for each place")
    places: list[Node] = node["prefixItems"]
    most, least = node.get("maxItems"), node.get("minItems", 0)
    names = tuple(f"item_{i}" for i in range(1, len(places) + 1))
    shape: Node = {"type": "object", "properties": dict(zip(names, places, strict=True)), "required": names[:least]}
    if most is not None and most < len(places):
        return builder.text(node, path, "")
    rest: Any = node.get("items", {})
    tail = rest is not False and (most is None or most > len(places))
    out, record = build_record(builder, shape, (path, "prefixItems"), defaults=False)
    if tail:
        inner, step = builder.node(cast(Node, rest), (path, "items"))
        out["properties"]["rest"] = {"type": "array", "description": "What follows, if anything.", "items": inner}
        out["required"].append("rest")
        record = Record({**record.members, **({} if step is None else {"rest": Member(Items(step))})})
    told = {key: value for key, value in node.items() if key not in CONSTRAINTS["object"] and key != "minItems"}
    if least > len(places):
        told["minItems"] = least
    tell(out, told, frozenset(), "array")
    return out, Tuple(record, names, "rest" if tail else None)
