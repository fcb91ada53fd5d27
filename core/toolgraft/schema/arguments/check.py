"""What the model wrote, before it goes to a server: parsed, coerced where nothing is lost, checked."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final, cast

from toolgraft.errors import ArgumentsError
from toolgraft.schema.aliases import Aliases
from toolgraft.schema.arguments import problems
from toolgraft.schema.arguments.coerce import Coercer
from toolgraft.schema.language.pointers import Node
from toolgraft.schema.read.normal import Normal, normalise
from toolgraft.schema.validation.cost import Cost
from toolgraft.schema.validation.validator import compile_validator, first_error, is_undecided

if TYPE_CHECKING:
    from jsonschema_rs import Draft202012Validator


def parse(text: str) -> dict[str, Any]:
    """Read the JSON text of a call's arguments; blank is no arguments.

    Raises:
        ArgumentsError: The text is not a JSON object (RFC 8259), or holds what cannot be sent as UTF-8.
    """
    if not text.strip():
        return {}
    try:
        value: object = _DECODER.decode(text)
        if "\\u" in text:
            json.dumps(value, ensure_ascii=False).encode()
    except RecursionError:
        raise ArgumentsError(None, ["/: wanted a JSON object, got one that is nested too deep"]) from None
    except UnicodeEncodeError:
        raise ArgumentsError(None, ["/: wanted a JSON object, got half of a surrogate pair in a string"]) from None
    except ValueError as error:
        raise ArgumentsError(None, [f"/: wanted a JSON object, got text that is not JSON ({error})"[:300]]) from None
    if not isinstance(value, dict):
        raise ArgumentsError(None, [f"/: wanted a JSON object, got {problems.shown(value)}"])
    return cast(dict[str, Any], value)


def _refuse(name: str) -> object:
    raise ValueError(f"{name} is not a JSON number")


_DECODER: Final = json.JSONDecoder(parse_constant=_refuse)
"""Made once: to make one costs as much as to read a small text."""


class Checker:
    """Coerces and checks arguments against a tool's own schema; compiled at the first use."""

    def __init__(self, normal: Normal) -> None:
        self._normal = normal
        self._whole = {**normal.root, "$defs": normal.defs} if normal.defs else normal.root

    @cached_property
    def _validator(self) -> Draft202012Validator:
        return compile_validator(self._whole)

    @cached_property
    def _cost(self) -> Cost:
        return Cost(self._whole)

    @cached_property
    def _coercer(self) -> Coercer:
        return Coercer(self._normal)

    def coerce(self, args: dict[str, Any]) -> dict[str, Any]:
        """Give the arguments with values of the wrong kind put right where nothing is lost.

        Arguments that fit are given back as they are; the given ones are never changed.
        """
        return args if self._fits(args) else self._coercer.arguments(args)

    def problems(self, args: dict[str, Any]) -> Sequence[str]:
        """Say what is wrong with the arguments.

        Returns:
            A sentence each: JSON pointer, what was wanted, what came. Few and short, whatever came. Empty
            where the arguments fit the tool's schema, or where it takes too long to tell.
        """
        if self._fits(args):
            return ()
        if self._cost.exceeds_to_tell(args):
            error = first_error(self._validator, args)
            if error is None or is_undecided(error):
                return ()
            return ("/: wanted arguments that fit the tool's schema, got others, too many or too deep to say where",)
        try:
            return tuple(problems.sentences(self._validator.iter_errors(args), self._whole))
        except ValueError as error:
            return (f"/: wanted JSON values, got others ({str(error)[:100]})",)

    def _fits(self, args: dict[str, Any]) -> bool:
        validator = self._validator
        if self._cost.exceeds(args):
            return True  # left to the server
        try:
            return validator.is_valid(args)
        except ValueError:  # not JSON
            return False


@dataclass(frozen=True, slots=True)
class AliasedChecker:
    """Checks under the server's names, and tells what is wrong under those that the model was shown.

    Attributes:
        inner: Checks against the server's schema.
        shown: Checks against the same schema with aliases.
        aliases: The way from and to the server's names.
    """

    inner: Checker
    shown: Checker
    aliases: Aliases

    def coerce(self, args: Node) -> Node:
        """See `Checker.coerce`."""
        return self.inner.coerce(args)

    def problems(self, args: Node) -> Sequence[str]:
        """See `Checker.problems`."""
        found = self.inner.problems(args)
        return found and (self.shown.problems(self.aliases.encode(args)) or found)


def compile_checks(input_schema: Mapping[str, Any]) -> Checker:
    """Prepare the checks of a tool's arguments; `Converted.checker` is the same for a schema that is converted.

    Raises:
        SchemaError: `convert` refuses the schema as well.
    """
    return Checker(normalise(input_schema))
