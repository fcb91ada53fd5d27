"""The forms in which a tool's arguments stand in LangChain's requests, and which of them a call is in.

| request | form |
| --- | --- |
| any | the tool's own, as its model's provider takes it |
| every tool is strict, and this one's own form is not | the fully re-drawn one, as under `strict="full"` |
| LangChain's converter would make the form unsound or endless | all arguments as one JSON text |

LangChain's converter puts what is referred to in the place of each reference: a recursive schema loses a part, and one
whose references fan out grows to gigabytes. One tool may be shown in two forms, and a call be made much later and in
another process. So arguments in a form that is not the tool's own say so, by an argument of ours.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final, cast

from langchain_core.utils.json_schema import dereference_refs
from toolgraft.content.text import compact
from toolgraft.dialects import PORTABLE, Dialect, Form, dialect_named
from toolgraft.schema import lint
from toolgraft.tools.answers import form_of
from toolgraft.tools.bound import BoundTool

MARK: Final = "toolgraft_form"
"""The argument of ours."""

OPENAI: Final = dialect_named("openai")

_REDRAWN: Final = "redrawn"
_TEXT: Final = "text"
_PLAIN: Final = "plain"

_MOST_NODES: Final = 60_000
"""Parts of a schema that may come of putting what is referred to in the place of references."""

_LONGEST: Final = 20_000
"""Characters of a schema that are told in words."""


def ordinary_form(bound: BoundTool, dialect: Dialect = PORTABLE) -> Form:
    """Choose what a tool shows in requests of any kind, to models of one provider."""
    form = _own_form(bound, dialect)
    return form if _ends(form.schema) else _as_text(bound)


def _own_form(bound: BoundTool, dialect: Dialect) -> Form:
    if dialect.strict or bound.schema.strictness != "full":
        return form_of(bound, dialect)
    plain = form_of(bound.redrawn(False), dialect).schema
    return Form(_marked(plain, _PLAIN, plain.get("required", ())), strict=False)


def strict_form(bound: BoundTool) -> dict[str, Any]:
    """Choose what a tool shows in a request in which every tool is strict."""
    own, redrawn = form_of(bound, OPENAI), bound.redrawn("full")
    if own.strict and _arrives_strict(own.schema):
        return own.schema
    full = form_of(redrawn, OPENAI)
    return _marked(full.schema, _REDRAWN) if full.strict and _arrives_strict(full.schema) else _as_text(bound).schema


def meant(bound: BoundTool, given: Mapping[str, Any]) -> tuple[BoundTool, Mapping[str, Any] | str]:
    """Give a call's arguments without ours, and the tool that takes them in the form that they are in."""
    if MARK not in given:
        return bound, given
    inner = {name: value for name, value in given.items() if name != MARK}
    if given[MARK] == _REDRAWN:
        return bound.redrawn("full"), inner
    if given[MARK] == _PLAIN:
        return bound.redrawn(False), inner
    return (bound.redrawn(False), str(inner.get("arguments", ""))) if given[MARK] == _TEXT else (bound, given)


def _as_text(bound: BoundTool) -> Form:
    told = compact(bound.schema.plain)
    said = told if len(told) <= _LONGEST else f"{told[:_LONGEST]}…"
    text = {"type": "string", "description": f"The JSON text of one object with all arguments, of this schema: {said}"}
    schema = {"type": "object", "properties": {"arguments": text}, "required": ["arguments"]}
    return Form(_marked({**schema, "additionalProperties": False}, _TEXT), strict=True)


def _marked(schema: dict[str, Any], mark: str, required: Iterable[str] | None = None) -> dict[str, Any]:
    """The schema with an argument that says which form it is; all members are required, or that one and `required`."""
    properties = {MARK: {"type": "string", "enum": [mark]}, **schema["properties"]}
    return {**schema, "properties": properties, "required": [*properties] if required is None else [MARK, *required]}


def _arrives_strict(schema: dict[str, Any]) -> bool:
    """Whether a strict schema is still one as LangChain sends it."""
    if "$defs" not in schema:
        return True
    if not _ends(schema):
        return False
    sent = dereference_refs(schema)
    del sent["$defs"]
    return not lint(sent)


def _ends(schema: dict[str, Any]) -> bool:
    """Whether LangChain's converter is soon done with a schema; it follows a reference anew at each place."""
    if "$defs" not in schema:
        return True
    left = _MOST_NODES
    within: list[tuple[object, frozenset[str]]] = [
        (value, frozenset()) for key, value in schema.items() if key != "$defs"
    ]
    while within:
        if (left := left - 1) < 0:
            return False
        node, passed = within.pop()
        if isinstance(node, dict):
            members = cast("dict[str, object]", node)
            name = str(members.get("$ref", "")).removeprefix("#/$defs/")
            if name in schema["$defs"] and name not in passed:
                within.append((schema["$defs"][name], passed | {name}))
            within += [(value, passed) for value in members.values()]
        elif isinstance(node, list):
            within += [(value, passed) for value in cast("list[object]", node)]
    return True
