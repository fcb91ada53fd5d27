"""Google Gemini: a subset of OpenAPI's schemas. It has no references, and enums of strings only.

Its package carries types, descriptions, members, items, enums and alternatives; all else is told. The same form serves
Vertex AI, whose package carries a little more, but no pictures in the message with a tool's result.
"""

from __future__ import annotations

import re
from typing import Final

from toolgraft.dialects.dialect import DOCUMENTS, Dialect
from toolgraft.dialects.portable import drawn
from toolgraft.dialects.redraw.beside import Beside
from toolgraft.dialects.redraw.choices import one_choice
from toolgraft.dialects.redraw.references import in_place
from toolgraft.dialects.redraw.rest import rest_told
from toolgraft.dialects.redraw.told import maps_told, telling
from toolgraft.dialects.redraw.types import any_value
from toolgraft.dialects.redraw.walk import each_schema, from_outside
from toolgraft.schema import Node

_NAMES: Final = re.compile(r"[a-zA-Z_][a-zA-Z0-9_-]{0,63}")

_tell: Final = telling(
    *("default", "examples", "example", "deprecated", "format", "pattern", "contentEncoding", "contentMediaType"),
    *("minLength", "maxLength", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"),
    *(
        "minItems",
        "maxItems",
        "uniqueItems",
        "contains",
        "minContains",
        "maxContains",
        "prefixItems",
        "unevaluatedItems",
    ),
    *("minProperties", "maxProperties", "propertyNames", "patternProperties", "unevaluatedProperties"),
    *("dependentRequired", "dependentSchemas", "not", "if", "then", "else", "allOf"),
)


def subset(form: Node) -> Node:
    """Redraw a form in what Gemini's schemas can say."""
    put_inside = Beside({})
    told = from_outside(in_place(form), lambda node: put_inside(_tell(maps_told(one_choice(node)))))
    return rest_told(form, drawn(each_schema(told, any_value)))


GEMINI = Dialect(
    "gemini",
    redraw=subset,
    names=_NAMES,
    files=DOCUMENTS,
    also=("google_genai", "google", "google-gla", "langchain_google_genai"),
)
VERTEXAI = Dialect(
    "vertexai",
    redraw=subset,
    names=_NAMES,
    pictures="user",
    user_files=DOCUMENTS,
    also=("google_vertexai", "vertex_ai", "vertex", "google-vertex", "langchain_google_vertexai"),
)
