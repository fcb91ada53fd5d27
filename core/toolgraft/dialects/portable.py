"""Any provider: what a tool has that is not told which model reads it. Every provider's package takes it whole."""

from __future__ import annotations

from typing import Final

from toolgraft.dialects.dialect import Dialect
from toolgraft.dialects.redraw.carried import carried
from toolgraft.dialects.redraw.choices import any_of, nothing_beside
from toolgraft.dialects.redraw.enums import strings_only
from toolgraft.dialects.redraw.told import items_told
from toolgraft.dialects.redraw.types import one_type_each
from toolgraft.dialects.redraw.walk import each_schema
from toolgraft.schema import Node


def portable(form: Node) -> Node:
    """Redraw a form so that no package raises at it and none loses an argument that it could carry."""
    if "$defs" not in form:  # what a reference stands for must be redrawn before it is looked at
        in_sight = carried(form)
        return each_schema(form, lambda node: in_sight(_redrawn(node)))
    drawn = each_schema(form, _redrawn)
    return each_schema(drawn, carried(drawn))


def _redrawn(node: Node) -> Node:
    node = items_told(node)
    return (
        node
        if node.keys() <= _BARE and isinstance(node.get("type"), str)
        else one_type_each(strings_only(nothing_beside(any_of(node))))
    )


_BARE: Final = frozenset({"type", "description", "properties", "required", "additionalProperties", "items"})

PORTABLE = Dialect("any", strict=True, redraw=portable)
