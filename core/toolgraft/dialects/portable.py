"""Any provider: what a tool has that is not told which model reads it. Every provider's package takes it whole."""

from __future__ import annotations

from typing import Final

from toolgraft.dialects.dialect import Dialect
from toolgraft.dialects.redraw.beside import Beside
from toolgraft.dialects.redraw.carried import carried
from toolgraft.dialects.redraw.choices import any_of
from toolgraft.dialects.redraw.enums import strings_only
from toolgraft.dialects.redraw.rest import rest_told
from toolgraft.dialects.redraw.said import parts_first, said_inside
from toolgraft.dialects.redraw.told import items_told, members_told
from toolgraft.dialects.redraw.types import in_range, null_alone, null_in_definitions, null_in_items, one_type_each
from toolgraft.dialects.redraw.walk import each_schema, from_outside
from toolgraft.schema import Node


def portable(form: Node) -> Node:
    """Redraw a plain form so that no package raises at it and none loses an argument that it could carry."""
    defs = form.get("$defs", {})
    tell, put_inside = members_told(defs), Beside(defs)
    told = from_outside(form, lambda node: put_inside(any_of(tell(node))))
    return each_schema(rest_told(form, drawn(told)), parts_first)


def drawn(form: Node) -> Node:
    """Redraw a form in which nothing is left that a package knows nothing of: a strict one, or where that is told."""
    if "$defs" not in form:  # what a reference stands for must be redrawn before it is looked at
        in_sight = carried(form)
        return each_schema(form, lambda node: _redrawn(in_sight(node)))
    redrawn = null_in_definitions(each_schema(form, _redrawn))
    return each_schema(redrawn, carried(redrawn))


def _redrawn(node: Node) -> Node:
    node = null_in_items(items_told(node))
    if node.keys() <= _BARE:
        return one_type_each(node)
    return null_alone(said_inside(one_type_each(strings_only(any_of(in_range(node))))))


_BARE: Final = frozenset({"type", "description", "properties", "required", "additionalProperties", "items"})

PORTABLE = Dialect("any", strict=True, redraw=portable, redraw_strict=drawn)
