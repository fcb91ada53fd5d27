"""Whether a value fits a schema, by `jsonschema-rs`: compiled once, never fetching, never stuck in a pattern."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NoReturn

from toolgraft.schema.language import patterns
from toolgraft.schema.language.pointers import Node

if TYPE_CHECKING:
    from jsonschema_rs import Draft202012Validator

_BACKTRACKS = 100_000
"""Most steps back in one pattern match, some milliseconds; a pattern that needs more decides nothing."""

_PATTERN_BYTES = 10_000_000
"""Most bytes of one compiled pattern."""


def compile_validator(schema: Node) -> Draft202012Validator:
    """Compile a normal schema.

    Where the engine cannot compile a pattern, or patterns are too long, they are left out: the server checks them.
    """
    from jsonschema_rs import Draft202012Validator, FancyRegexOptions

    options: Any = {
        "retriever": _refuse,
        "validate_formats": True,
        "pattern_options": FancyRegexOptions(backtrack_limit=_BACKTRACKS, size_limit=_PATTERN_BYTES),
    }
    try:
        if patterns.too_long(schema):
            raise ValueError
        return Draft202012Validator(schema, **options)
    except ValueError:
        return Draft202012Validator(patterns.without_patterns(schema), **options)


def _refuse(uri: str) -> NoReturn:
    raise ValueError(f"references are never fetched: {uri}")


class Validators:
    """Validates values against parts of one normal schema."""

    def __init__(self, defs: Mapping[str, Node]) -> None:
        self._defs = dict(defs)
        self._compiled: dict[int, tuple[Node, Draft202012Validator]] = {}

    def accepts(self, schema: Node, value: object) -> bool:
        """Whether a value fits a schema whose references are to these definitions."""
        known = self._compiled.get(id(schema))
        if known is None:
            whole = {**schema, "$defs": self._defs} if self._defs else schema
            known = self._compiled[id(schema)] = (schema, compile_validator(whole))
        try:
            return known[1].is_valid(value)
        except ValueError:  # a value that is no JSON, or an integer beyond what the engine holds
            return False
