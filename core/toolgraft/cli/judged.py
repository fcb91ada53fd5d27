"""What comes of one tool's schema: the strictest form, or what the provider of one model is given."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, cast

from toolgraft.config import Stdio
from toolgraft.dialects import Dialect
from toolgraft.errors import SchemaError
from toolgraft.policies.naming import named
from toolgraft.schema import convert
from toolgraft.spec import Flag, ToolRef, ToolSpec

VERDICTS: Final = {
    "natural": "strict in its author's shape",
    "full": "strict when re-drawn (strict='full')",
    "plain": "plain only",
    "refused": "not served",
}
"""The strictest form a tool can be given in; "refused" is none."""

VERDICTS_OF_A_MODEL: Final = {"strict": "strict", "plain": "plain", "refused": "not served"}
"""The form that one model is given."""

CHARACTERS_A_TOKEN: Final = 4
"""About right for schemas in English; no tokeniser is needed for an estimate."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A tool to be checked.

    Attributes:
        server: Name of its server.
        tool: Its name on the wire.
        schema: Its input schema as sent; whatever it is.
        refused: Pointer and reason, where it was refused before its schema was looked at.
        flags: What a person should know of it.
    """

    server: str
    tool: str
    schema: object
    refused: tuple[str, str] | None = None
    flags: tuple[Flag, ...] = ()


@dataclass(frozen=True, slots=True)
class Checked:
    """What came of one tool.

    Attributes:
        server: Name of its server.
        tool: Its name on the wire.
        verdict: One of `VERDICTS`, or of `VERDICTS_OF_A_MODEL`.
        pointer: JSON pointer to what keeps it from a stricter form; empty for the root or for nothing.
        reason: Why it is not in a stricter form; empty for natural.
        plain: Its plain schema, or None.
        strict: Its strict schema, or None.
        model: The schema that the model in question is given, or None.
        name: What that model knows it by.
        flags: What a person should know of it, though it is served.
    """

    server: str
    tool: str
    verdict: str
    pointer: str
    reason: str
    plain: Mapping[str, Any] | None
    strict: Mapping[str, Any] | None
    model: Mapping[str, Any] | None = None
    name: str = ""
    flags: tuple[Flag, ...] = ()

    @property
    def size(self) -> int:
        """Bytes of the schema that the model is given."""
        served = self.model or self.strict or self.plain
        return len(json.dumps(served, ensure_ascii=False, separators=(",", ":")).encode()) if served else 0

    @property
    def tokens(self) -> int:
        """About how many tokens that is."""
        return -(-self.size // CHARACTERS_A_TOKEN)


def judged(candidate: Candidate) -> Checked:
    """Convert a tool's schema, as strictly as can be."""
    return replace(_judged(candidate), flags=candidate.flags)


def _judged(candidate: Candidate) -> Checked:
    server, tool = candidate.server, candidate.tool
    if candidate.refused is not None:
        return Checked(server, tool, "refused", *candidate.refused, None, None)
    try:
        natural = convert(cast(Any, candidate.schema), "natural")
    except SchemaError as error:
        return Checked(server, tool, "refused", error.pointer, error.reason, None, None)
    if natural.reason is None:
        return Checked(server, tool, "natural", "", "", natural.plain, natural.strict)
    full = convert(cast(Any, candidate.schema), "full").strict
    verdict = "plain" if full is None else "full"
    return Checked(server, tool, verdict, natural.reason.pointer, natural.reason.sentence, natural.plain, full)


def judged_for(candidates: Sequence[Candidate], dialect: Dialect) -> Iterator[Checked]:
    """Convert tools' schemas into what the provider of one model is given, under names that it takes."""
    refs = dict.fromkeys(ToolRef(each.server, each.tool) for each in candidates)
    servers = dict.fromkeys((ref.server for ref in refs), Stdio("any"))
    specs = named([ToolSpec(ref, ref.tool, ref.tool, "", {}) for ref in refs], servers, legal=dialect.names)
    names = {spec.ref: spec.name for spec in specs}
    for candidate in candidates:
        found = judged(candidate)
        if found.verdict == "refused":
            yield found
            continue
        form = dialect.form(convert(cast(Any, candidate.schema), "natural"))
        name = names[ToolRef(candidate.server, candidate.tool)]
        verdict = "strict" if form.strict else "plain"
        why = ("", "") if form.strict or not dialect.strict else (found.pointer, found.reason)
        yield replace(found, verdict=verdict, pointer=why[0], reason=why[1], model=form.schema, name=name)
