"""What one provider takes of a tool, and of its results."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final, Literal, TypeAlias

from toolgraft.schema import Converted, Node, describe

Redraw: TypeAlias = Callable[[Node], Node]
"""Gives the form that a provider reads for one of ours; the form given is not changed."""

Place: TypeAlias = Literal["tool", "user", "nowhere"]
"""Who may bring a picture or a file: the message with a tool's result, only a message of the user, or nobody."""

DOCUMENTS: Final = frozenset({"application/pdf"})


@dataclass(frozen=True, slots=True)
class Form:
    """The form of a tool's arguments that a model is given.

    Attributes:
        schema: JSON Schema.
        strict: Whether it is sound under OpenAI's strict mode.
    """

    schema: dict[str, Any]
    strict: bool


def _as_it_is(form: Node) -> Node:
    return form


@dataclass(frozen=True, slots=True)
class Dialect:
    """What one provider takes.

    Attributes:
        name: The provider's name, as in `model="gemini"`.
        strict: It is given the strict form of a tool that has one; else the plain form.
        redraw: Puts what it cannot take of a plain form in another way.
        redraw_strict: Does so with a strict form, which is of members, items, choices and bounds alone.
        names: What a tool may be called.
        longest_description: Characters of a tool's description; None for any number.
        pictures: Who may bring a picture that a tool returned.
        files: Media types of files that the message with a tool's result may bring.
        user_files: Media types of files that a message of the user may bring.
        text_errors: A message that says that a tool failed brings text only.
        plain_file_names: Files go by names of letters, digits, spaces and hyphens, each once in a request.
        between: What the model says between a tool's message and one of the user, where they may not stand together.
        also: Other names: of models, of packages, of routers.
    """

    name: str
    strict: bool = False
    redraw: Redraw = _as_it_is
    redraw_strict: Redraw = _as_it_is
    names: re.Pattern[str] = re.compile(r"[a-zA-Z0-9_-]{1,64}")
    longest_description: int | None = None
    pictures: Place = "tool"
    files: frozenset[str] = frozenset()
    user_files: frozenset[str] = frozenset()
    text_errors: bool = False
    plain_file_names: bool = False
    between: str = ""
    also: tuple[str, ...] = ()

    def form(self, schema: Converted) -> Form:
        """Give the form of a tool's arguments that this provider's models are given.

        Arguments come back through `schema.codec`, whichever form they were written for.
        """
        strict = schema.strict if self.strict else None
        return Form(self.redraw(schema.plain), False) if strict is None else Form(self.redraw_strict(strict), True)

    def described(self, schema: Converted, description: str) -> str:
        """Give a tool's description with what is said at the root of this form, within the longest that is taken.

        Args:
            schema: The tool's schema.
            description: The tool's own, with what is said at the root of the form that is given with nothing told.
        """
        notes = schema.notes_of(strict=self.strict).strip()
        told = description if not notes or notes in description else f"{description}\n\n{notes}"
        return describe(told, self.longest_description)
