"""One tool schema, as the forms that a model may be given."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Literal

from toolgraft.errors import SchemaError
from toolgraft.schema.aliases import AliasedCodec, Aliases, aliases_in, with_aliases
from toolgraft.schema.arguments.check import AliasedChecker, Checker
from toolgraft.schema.build import build
from toolgraft.schema.decode.codec import Codec, PlainCodec, StrictCodec
from toolgraft.schema.decode.steps import Plan
from toolgraft.schema.labels import LabelledCodec, Labels, labelled, labels_in
from toolgraft.schema.language import prose
from toolgraft.schema.language.limits import Budget
from toolgraft.schema.language.pointers import Node, pointer
from toolgraft.schema.plain.form import plain_form
from toolgraft.schema.read.normal import Normal, normalise
from toolgraft.schema.strict.lint import Fault, lint
from toolgraft.schema.strict.parts import BuildOptions, NotStrictError

Strictness = Literal["natural", "full", False]
"""How far a schema may be changed to be strict; False for not at all."""


_SILENT = frozenset({"type", "properties", "required", "additionalProperties", "title"})
"""Keywords that leave nothing to be said at the root."""

_SHOWN = 1_000
"""Most characters of a schema in a `repr`."""


@dataclass(frozen=True, slots=True)
class Reason:
    """Why a schema is not served as strict.

    Attributes:
        pointer: JSON pointer (RFC 6901) into the schema; empty for the root.
        sentence: One sentence.
    """

    pointer: str
    sentence: str

    def __str__(self) -> str:
        return f"{self.sentence} (at '{self.pointer or '/'}')"


@dataclass(frozen=True, repr=False)
class Converted:
    """A tool's schema in the forms a model may be given; each is made when it is first asked for.

    The schema that was given is read, never changed, and must not be changed while this is in use.
    """

    _normal: Normal
    strictness: Strictness
    _without_hidden: bool = False

    def __repr__(self) -> str:
        """What the model is shown, cut where it is long."""
        kind = "plain" if self.strict is None else "strict"
        text = json.dumps(self.strict or self.plain, ensure_ascii=False)
        return f"Converted({self.strictness!r}, {kind}={prose.cut(text, _SHOWN)})"

    def __str__(self) -> str:
        """What the model is shown, a line for each member, and why it is not strict; cut where it is long."""
        head = "strict" if self.strict is not None else f"plain: {self.reason}"
        text = json.dumps(self.strict or self.plain, ensure_ascii=False, indent=2)
        return f"{head}\n{prose.cut(text, 10 * _SHOWN)}"

    @property
    def notes(self) -> str:
        """What is said at the root of the schema that the model is shown: alternatives, conditions, examples.

        Some frameworks and providers drop it there; `described` puts it where they do not.
        """
        return self.notes_of(strict=True)

    def notes_of(self, *, strict: bool) -> str:
        """Give what is said at the root of the plain form, or of the strict one where there is one and it is wanted.

        Args:
            strict: Whether models are given the strict form.
        """
        root = self._normal.root
        if root.keys() <= _SILENT and not root.get("additionalProperties"):
            return ""
        shown = self.strict if strict and self.strict is not None else self.plain
        return str(shown.get("description", ""))

    def described(self, description: str, *otherwise: str) -> str:
        """Give a tool's description with what is said at the root of its schema.

        Args:
            description: The tool's own.
            otherwise: What stands for it where it is empty, the first that is not: a title, the tool's name.
        """
        told = description.strip() or next((each for each in otherwise if each.strip()), "")
        notes = self.notes.strip()
        if not notes or _plainly(notes) in _plainly(told):
            return description if description.strip() else told
        return f"{told}\n\n{notes}" if description.strip() else notes

    def without_hidden(self) -> Converted:
        """The same in forms without characters that nobody sees; arguments come back as the server wants them."""
        return replace(self, _without_hidden=True)

    def __reduce__(self) -> tuple[type[Converted], tuple[Normal, Strictness, bool]]:
        # what was made on demand is made again: compiled validators do not travel
        return Converted, (self._normal, self.strictness, self._without_hidden)

    @cached_property
    def plain(self) -> dict[str, Any]:
        """A schema that every provider takes without strict mode, and that loses no meaning."""
        return self._read(self._plain)

    @cached_property
    def strict(self) -> dict[str, Any] | None:
        """A schema that OpenAI's strict mode takes, or None."""
        return None if self._built[0] is None else self._read(self._built[0])

    def _read(self, form: Node) -> Node:
        """A form as a model reads it."""
        return labelled(form, self._labels) if self._without_hidden else form

    @cached_property
    def _plain(self) -> Node:
        return plain_form(self._shown)

    @cached_property
    def _labels(self) -> Labels:
        return labels_in(self._whole)

    @property
    def _whole(self) -> Node:
        return {**self._normal.root, "$defs": self._normal.defs}

    @property
    def reason(self) -> Reason | None:
        """Why there is no strict schema; None when there is one."""
        reason = self._built[2]
        if reason is None or self._aliases is None:
            return reason
        return replace(reason, pointer=self._aliases.sent(reason.pointer))

    @cached_property
    def codec(self) -> Codec:
        """From what the model writes, against the strict schema where there is one, to what the server takes."""
        schema, steps, _ = self._built
        if schema is None or steps is None:
            codec: Codec = PlainCodec(self._shown)
        else:
            codec = StrictCodec(self._shown, schema, steps, full=self.strictness == "full")
        if self._aliases is not None:
            codec = AliasedCodec(codec, self._aliases)
        if not self._without_hidden or not self._labels:
            return codec
        forms = (self._plain,) if schema is None else (schema, self._plain)
        return LabelledCodec(codec, forms, self._whole, self._labels)

    @cached_property
    def _aliases(self) -> Aliases | None:
        if not self._normal.refused_names:
            return None
        return Aliases(self._whole, aliases_in(self._whole))

    @cached_property
    def _shown(self) -> Normal:
        """The schema under the names that a model is shown."""
        return self._normal if self._aliases is None else with_aliases(self._normal, self._aliases.names)

    @cached_property
    def checker(self) -> Checker | AliasedChecker:
        """Coerces and checks what was decoded, against the tool's own schema; compiled at its first use."""
        checker = Checker(self._normal)
        return checker if self._aliases is None else AliasedChecker(checker, Checker(self._shown), self._aliases)

    @cached_property
    def _built(self) -> tuple[Node | None, Plan | None, Reason | None]:
        if self.strictness == "natural":
            return _natural(self._shown)
        return _full(self._shown) if self.strictness else (None, None, Reason("", "strict was not asked for"))


def convert(input_schema: Mapping[str, Any], strict: Strictness = "natural") -> Converted:
    """Give the forms of a tool's schema that a model may be given.

    Works without any server. The schema is untrusted input: work is bounded, nothing is fetched.

    Args:
        input_schema: JSON Schema of the tool's arguments, of any dialect from draft-04 on; never changed.
        strict: `"natural"` keeps the author's shape, `"full"` also says in other shapes what strict mode cannot
            say, False asks for the plain form only.

    Raises:
        SchemaError: No model can be given this schema: it is not of an object, too large or too deep, or a
            reference in it leads nowhere. The error says where.
    """
    if strict not in ("natural", "full", False):
        raise ValueError(f"strict is 'natural', 'full' or False, not {strict!r}")
    return Converted(normalise(input_schema), strict)


def _plainly(text: str) -> str:
    return " ".join(text.split()).casefold()


def _natural(normal: Normal) -> tuple[Node | None, Plan | None, Reason | None]:
    try:
        schema, steps = build(normal, BuildOptions(full=False))
    except NotStrictError as error:
        return None, None, Reason(pointer(error.path), error.sentence)
    except SchemaError as error:
        return None, None, Reason(error.pointer, error.reason)
    if faults := lint(schema):
        return None, None, Reason(faults[0].pointer, faults[0].sentence)
    return schema, steps, None


_ATTEMPTS = 40

_LEAST_LEFT = 30_000
"""Of the nodes that may be visited in all attempts together, those that must be left for one more."""


def _full(normal: Normal) -> tuple[Node | None, Plan | None, Reason | None]:
    """Build, with the places that fail written as JSON text; in the end all arguments are one text."""
    options, budget = BuildOptions(full=True), Budget()
    reason = Reason("", "cannot be built")
    for attempt in range(_ATTEMPTS):
        try:
            if budget.left < _LEAST_LEFT and "" not in options.as_text:
                options = replace(options, as_text=frozenset({""}))
            schema, steps = build(normal, options, budget)
        except NotStrictError as error:
            reason = Reason(pointer(error.path), error.sentence)
            options = _as_text(options, reason.pointer, attempt)
            continue
        except SchemaError as error:
            reason = Reason(error.pointer, error.reason)
            options, budget = _as_text(options, "", attempt), Budget()
            continue
        if not (faults := lint(schema)):
            return schema, steps, None
        reason = Reason(faults[0].pointer, faults[0].sentence)
        options = _tighter(options, faults[0], attempt)
    return None, None, reason


def _as_text(options: BuildOptions, where: str, attempt: int) -> BuildOptions:
    last = attempt >= _ATTEMPTS - 2 or where in options.as_text
    return replace(options, as_text=options.as_text | {"" if last else where})


def _tighter(options: BuildOptions, fault: Fault, attempt: int) -> BuildOptions:
    if "nesting" in fault.sentence and options.levels > 2:
        return replace(options, levels=min(options.levels - 2, 9))
    if "enum" in fault.sentence and options.enum_values > 10:
        return replace(options, enum_values=min(options.enum_values // 4, 250))
    return _as_text(options, "", attempt)
