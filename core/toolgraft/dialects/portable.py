"""Any provider: what a tool has that is not told which model reads it. Every provider's package takes it whole."""

from __future__ import annotations

from toolgraft.dialects.dialect import Dialect
from toolgraft.dialects.redraw.carried import carried
from toolgraft.dialects.redraw.choices import any_of
from toolgraft.dialects.redraw.enums import strings_only
from toolgraft.dialects.redraw.types import one_type_each
from toolgraft.dialects.redraw.walk import each_schema
from toolgraft.schema import Node


def portable(form: Node) -> Node:
    """Redraw a form so that no package raises at it and none loses an argument that it could carry."""
    drawn = each_schema(form, lambda node: one_type_each(strings_only(any_of(node))))
    return each_schema(drawn, carried(drawn))


PORTABLE = Dialect("any", strict=True, redraw=portable)
