"""Whether a value fits a schema, by `jsonschema-rs`: compiled once, never fetching, never stuck in a pattern."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NoReturn

from toolgraft.schema.language import patterns
from toolgraft.schema.language.pointers import Node
from toolgraft.schema.validation.relaxed import relaxed

if TYPE_CHECKING:
    from jsonschema_rs import Draft202012Validator, ValidationError, Validator

_UNDECIDED = frozenset({"BacktrackLimitExceeded", "RegexEngineFailure"})
_BACKTRACKS = 10_000
"""Most steps back in one pattern match, a quarter of a millisecond; a pattern that needs more decides nothing."""

_PATTERN_BYTES = 10_000_000
"""Most bytes of one compiled pattern."""


def settings(pattern_bytes: int = _PATTERN_BYTES) -> Any:
    """How every validator is compiled: nothing is fetched, no pattern holds the process, formats are annotations.

    Args:
        pattern_bytes: Most bytes of one compiled pattern.
    """
    from jsonschema_rs import FancyRegexOptions

    patterns_within = FancyRegexOptions(backtrack_limit=_BACKTRACKS, size_limit=pattern_bytes)
    return {"retriever": _refuse, "validate_formats": False, "pattern_options": patterns_within}


def compile_validator(schema: Node) -> Draft202012Validator:
    """Compile a normal schema.

    Formats are annotations: servers take more than their letter (a time without a zone, an IRI as `uri`). Patterns
    that the engine cannot compile are left out, as are all where they are too long: the server checks them.
    """
    from jsonschema_rs import Draft202012Validator

    options = settings()
    if patterns.too_long(schema):
        return Draft202012Validator(relaxed(schema, _any_pattern), **options)
    checked = relaxed(schema, _a_format)
    try:
        return Draft202012Validator(checked, **options)
    except ValueError:
        return Draft202012Validator(relaxed(schema, _Unreadable(options)), **options)


def _a_format(key: str, value: Any) -> bool:
    return key == "format"


def _any_pattern(key: str, value: Any) -> bool:
    return key in ("format", "pattern")


class _Unreadable:
    """Tells patterns that the engine cannot compile, and formats."""

    def __init__(self, options: Any) -> None:
        self._options = options
        self._known: dict[str, bool] = {}

    def __call__(self, key: str, value: Any) -> bool:
        if key != "pattern":
            return key == "format"
        if value not in self._known:
            self._known[value] = not self._compiles(value)
        return self._known[value]

    def _compiles(self, pattern: str) -> bool:
        from jsonschema_rs import Draft202012Validator

        try:
            Draft202012Validator({"pattern": pattern}, **self._options)
        except ValueError:
            return False
        return True


def _refuse(uri: str) -> NoReturn:
    raise ValueError(f"references are never fetched: {uri}")


def is_undecided(error: ValidationError) -> bool:
    """Whether only a pattern gave up: then nothing is known to be wrong."""
    return type(error.kind).__name__ in _UNDECIDED


def first_error(validator: Validator, value: Any) -> ValidationError | None:
    """What is wrong with a value first: finding all of it copies the value for each."""
    from jsonschema_rs import ValidationError

    try:
        validator.validate(value)
    except ValidationError as error:
        return error
    return None


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
