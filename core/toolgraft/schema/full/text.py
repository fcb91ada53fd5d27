"""Values without a strict shape: a string that holds JSON text."""

from __future__ import annotations

import re

from toolgraft.schema.decode.steps import Step
from toolgraft.schema.full.steps import Text
from toolgraft.schema.language import prose
from toolgraft.schema.language.keywords import types_in
from toolgraft.schema.language.pointers import Node, Path
from toolgraft.schema.strict.builder import Builder
from toolgraft.schema.strict.parts import Built, NotStrictError

_HINT = 2_000
"""Most characters of a schema that is told in a description."""

_REFERRED = re.compile(r'"#/\$defs/([^"]+)"')


def refuse_unless_full(builder: Builder, path: Path, sentence: str) -> None:
    """In the natural options, give up here."""
    if not builder.options.full:
        raise NotStrictError(path, sentence)


def build_text(builder: Builder, node: Node, path: Path, sentence: str) -> Built:
    """Build whatever it is as a string that holds JSON text."""
    refuse_unless_full(builder, path, sentence or "cannot be written as one strict schema")
    return json_text(builder, node)


def json_text(builder: Builder, node: Node) -> tuple[Node, Step]:
    """A string that holds JSON text, and what reads it."""
    kinds = types_in(builder.normal.target(node))
    shown = {key: value for key, value in node.items() if key not in ("description", "title", "default")}
    wanted = " or ".join(kinds) if kinds else "any value"
    bare = shown.keys() <= {"type"} or shown in ({"type": "object", "additionalProperties": {}}, {})
    hint = "" if bare else f" that fits {_hint(builder, shown)}"
    note = f"Written as JSON text: {wanted}{hint}."
    told = prose.notes(node, ("default",))
    own = str(node.get("description", node.get("title", "")))
    return {"type": "string", "description": prose.said(own, [*told, note])}, Text(kinds)


def _hint(builder: Builder, node: Node) -> str:
    """A schema as text, with the definitions that it refers to."""
    whole = prose.whole_text_of(node)
    needed: dict[str, str] = {}
    waiting = [whole] if builder.normal.defs else []
    while waiting and len(needed) < 20:
        for name in _REFERRED.findall(waiting.pop(0)[:_HINT]):
            if name not in needed and name in builder.normal.defs:
                needed[name] = builder.told(name, 2 * _HINT)
                waiting.append(needed[name])
    if not needed:
        return prose.cut(whole, _HINT)
    defs = ", ".join(f'"{name}": {text}' for name, text in needed.items())
    return prose.cut(f'{whole[:-1]}, "$defs": {{{defs}}}}}', 2 * _HINT)
