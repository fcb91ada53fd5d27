"""The forms in which a tool's arguments stand in requests, and which of them a call is in.

Arguments of one form are understood in any other, but for a tool of `strict="full"` that is shown plainly. Its call may
be carried out by a tool of another form, much later and in another process, so its arguments say so, by one of ours.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, Self

from toolgraft.dialects import PORTABLE, Dialect, Form
from toolgraft.errors import ArgumentsError
from toolgraft.schema import parse
from toolgraft.tools.answers import form_of
from toolgraft.tools.bound import BoundTool

MARK: Final = "toolgraft_form"
"""The argument of ours."""

_PLAIN: Final = "plain"


class Forms:
    """The forms of one tool's arguments, each made when it is first asked for. A copy is the same one."""

    def __init__(self, bound: BoundTool) -> None:
        self._bound = bound
        self._made: dict[Dialect, Form] = {}

    def of(self, dialect: Dialect = PORTABLE) -> Form:
        """Give the form that models of a provider are shown."""
        if dialect not in self._made:
            self._made[dialect] = shown(self._bound, dialect)
        return self._made[dialect]

    def described(self, description: str, dialect: Dialect) -> str:
        """Give the description that models of a provider are shown."""
        return dialect.described(self._bound.schema, description)

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        return self

    def __reduce__(self) -> tuple[type[Forms], tuple[BoundTool]]:
        return Forms, (self._bound,)


def shown(bound: BoundTool, dialect: Dialect) -> Form:
    """Make the form of a tool's arguments that models of a provider are shown."""
    if dialect.strict or bound.schema.strictness != "full":
        return form_of(bound, dialect)
    plain = form_of(bound.redrawn(False), dialect).schema
    properties = {MARK: {"type": "string", "enum": [_PLAIN]}, **plain["properties"]}
    return Form({**plain, "properties": properties, "required": [MARK, *plain.get("required", ())]}, strict=False)


def meant(bound: BoundTool, arguments: str) -> tuple[BoundTool, Mapping[str, Any] | str]:
    """Give a call's arguments without ours, and the tool that takes them in the form that they are in."""
    if bound.schema.strictness != "full" or MARK not in arguments:
        return bound, arguments
    try:
        given = parse(arguments)
    except ArgumentsError:
        return bound, arguments  # which is told where the call is made
    if MARK not in given:
        return bound, arguments
    return bound.redrawn(False), {name: value for name, value in given.items() if name != MARK}
