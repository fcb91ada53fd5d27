"""Anthropic's strict mode: a subset of its own, for a few tools in each request, and only where it is asked for.

Objects are closed, but their members need not all be required. Nothing is recursive, and bounds of numbers, of lengths
and of lists are no part of it: these are told. A request has at most 20 strict tools, whose optional members are at
most 24 and whose members of several types at most 16, all together.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, cast

from toolgraft.dialects.redraw.choices import one_choice
from toolgraft.dialects.redraw.told import telling
from toolgraft.dialects.redraw.walk import each_schema, schemas_in
from toolgraft.schema import Converted, Node

_MOST_TOOLS: Final = 20
_MOST_OPTIONAL: Final = 24
_MOST_UNIONS: Final = 16

_REF: Final = "#/$defs/"

_tell: Final = telling(
    *("minLength", "maxLength", "pattern", "format", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"),
    *("multipleOf", "minItems", "maxItems", "uniqueItems", "contains", "minContains", "maxContains"),
    *("minProperties", "maxProperties", "propertyNames", "dependentRequired", "dependentSchemas"),
    *("not", "if", "then", "else", "allOf", "examples", "example", "deprecated", "default"),
)


@dataclass(frozen=True, slots=True)
class StrictForm:
    """A tool's arguments in Anthropic's strict subset.

    Attributes:
        schema: JSON Schema.
        optional: Members that may be left out, at every depth.
        unions: Members of several types.
    """

    schema: Node
    optional: int
    unions: int


def strict_form(schema: Converted) -> StrictForm | None:
    """Give a tool's arguments in the subset, or None for a tool that has no such form."""
    if schema.strict is None or schema.strictness == "full":  # what can be closed is what natural could close
        return None
    if _is_recursive(schema.plain) or any(_is_open(node) for node in schemas_in(schema.plain)):
        return None
    drawn = each_schema(schema.plain, lambda node: _closed(_tell(one_choice(node))))
    nodes = list(schemas_in(drawn))
    optional = sum(len(node["properties"].keys() - set(node.get("required", ()))) for node in nodes if _is_object(node))
    unions = sum("anyOf" in node or isinstance(node.get("type"), list) for node in nodes)
    return StrictForm(drawn, optional, unions)


def strict_within(schemas: Sequence[Converted]) -> list[Node | None]:
    """Choose which tools of one request are strict: in their order, as many as its limits have room for.

    Args:
        schemas: The tools' schemas.

    Returns:
        For each its strict form, or None where it is given the plain one.
    """
    tools, optional, unions = _MOST_TOOLS, _MOST_OPTIONAL, _MOST_UNIONS
    chosen: list[Node | None] = []
    for schema in schemas:
        form = strict_form(schema) if tools else None
        if form is None or form.optional > optional or form.unions > unions:
            chosen.append(None)
            continue
        tools, optional, unions = tools - 1, optional - form.optional, unions - form.unions
        chosen.append(form.schema)
    return chosen


def _is_object(node: Node) -> bool:
    return "properties" in node


def _is_open(node: Node) -> bool:
    return bool(node.get("additionalProperties")) or "patternProperties" in node or "prefixItems" in node


def _closed(node: Node) -> Node:
    return {**node, "additionalProperties": False} if _is_object(node) or node.get("type") == "object" else node


def _is_recursive(root: Node) -> bool:
    """Whether a definition comes back to itself."""
    defs = cast("dict[str, Any]", root.get("$defs", {}))
    ahead = {
        name: {str(each["$ref"]).removeprefix(_REF) for each in schemas_in(node) if "$ref" in each}
        for name, node in defs.items()
    }
    while free := [name for name, wanted in ahead.items() if not wanted & ahead.keys()]:
        for name in free:
            del ahead[name]
    return bool(ahead)
