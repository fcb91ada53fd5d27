"""Which names of members stand in a form that a model is given: as members, or in descriptions."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any, cast

Node = dict[str, Any]

BY_NAME = ("properties", "patternProperties", "dependentSchemas")
ALL = (
    *("items", "additionalProperties", "anyOf", "oneOf", "allOf", "prefixItems", "then", "else", "if", "contains"),
    *("unevaluatedProperties", "unevaluatedItems", "properties", "patternProperties", "dependentSchemas"),
)
EVERYWHERE = ("items", "anyOf", "properties")
"""Keywords whose members arrive with every converter."""

_OF_OBJECTS = (*BY_NAME, "additionalProperties", "unevaluatedProperties")
_OF_ARRAYS = ("items", "prefixItems", "contains", "unevaluatedItems")


def nodes(root: Node, keywords: tuple[str, ...] = ALL) -> Iterator[Node]:
    """Every schema that a value may have to fit, references followed, each once."""
    waiting: list[Any] = [root]
    passed: set[int] = set()
    while waiting:
        node = waiting.pop()
        if isinstance(node, list):
            waiting += cast("list[Any]", node)
        if not isinstance(node, dict) or id(cast(Node, node)) in passed:
            continue
        schema = cast(Node, node)
        passed.add(id(schema))
        yield schema
        for key in keywords:
            if key not in schema or not _applies(key, schema):
                continue
            waiting += list(schema[key].values()) if key in BY_NAME else [schema[key]]
        if "$ref" in schema:
            waiting.append(root.get("$defs", {}).get(str(schema["$ref"]).rpartition("/")[2]))


def _applies(keyword: str, schema: Node) -> bool:
    given: Any = schema.get("type", ("object", "array"))
    kinds: tuple[str, ...] = (given,) if isinstance(given, str) else tuple(given)
    return ("object" in kinds or keyword not in _OF_OBJECTS) and ("array" in kinds or keyword not in _OF_ARRAYS)


def names(root: Node, keywords: tuple[str, ...] = ALL) -> set[str]:
    """Names of members, but for those that may never be given."""
    found: set[str] = set()
    for node in nodes(root, keywords):
        if _applies("properties", node):
            found.update(name for name, each in node.get("properties", {}).items() if each != {"not": {}})
    return found


def missing(plain: Node, form: Node, description: str = "", keywords: tuple[str, ...] = ALL) -> set[str]:
    """Names in a tool's plain schema that stand nowhere in a form or in the tool's description."""
    texts = [description, *(str(node.get("description", "")) for node in nodes(form, keywords))]
    text = "\n".join(texts)
    return {name for name in names(plain) - names(form, keywords) if not stands(name, text)}


def stands(name: str, text: str) -> bool:
    quoted = json.dumps(name, ensure_ascii=False)
    return quoted in text or re.search(rf"(?<![\w$@]){re.escape(name)}(?!\w)", text) is not None
