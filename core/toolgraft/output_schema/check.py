"""The check of structured results, compiled at the first result and then kept."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from toolgraft.config.options import OutputCheck
from toolgraft.errors import ResultError
from toolgraft.result import ABSENT, ToolResult
from toolgraft.schema.language.pointers import pointer_of
from toolgraft.schema.validation.cost import Cost
from toolgraft.schema.validation.validator import first_error, is_undecided, settings
from toolgraft.spec import ToolRef, ToolSpec

if TYPE_CHECKING:
    from jsonschema_rs import Validator

Check: TypeAlias = Callable[[ToolResult], ToolResult]
"""Gives a result back, with one more warning where it misses its schema."""

_SHOWN: Final = 3
"""Problems that are named in a warning."""

_LONGEST: Final = 300
_PATTERN_BYTES: Final = 1_000_000
_UNDECIDED: Final = "a pattern of the tool's output schema takes too long: not checked"


def check_for(spec: ToolSpec, policy: OutputCheck) -> Check:
    """Make the check of one tool's results; see `check`."""
    return check(spec.output_schema, policy, spec.ref)


def check(schema: Mapping[str, Any] | None, policy: OutputCheck, ref: ToolRef | None = None) -> Check:
    """Make a check against an output schema (MCP: tools, output schema).

    Args:
        schema: The schema as sent, of any JSON Schema draft, or None where there is none. References are resolved
            within it only; nothing is ever fetched.
        policy: `"warn"` adds one warning to a result that misses it, `"error"` raises, `"off"` does not look.
        ref: The tool, for errors.

    Returns:
        A function from result to result. Error results pass as they are, and so does everything where the schema
        itself is broken or the check would take too long; a warning says so.

    Raises:
        ResultError: By the function, under `"error"`: the tool ran, but its result misses the schema.
    """
    if schema is None or policy == "off":
        return _unchanged
    judge = _Judge(schema)

    def checked(result: ToolResult) -> ToolResult:
        if result.is_error:
            return result
        unable, problem = judge.problem(result.structured)
        if not problem:
            return replace(result, warnings=(*result.warnings, unable)) if unable else result
        said = f"the result misses the tool's output schema: {problem}"
        if policy == "error":
            raise ResultError(ref, f'the tool ran, but {said} (output_check="error"; "warn" delivers it)')
        return replace(result, warnings=(*result.warnings, said))

    return checked


def _unchanged(result: ToolResult) -> ToolResult:
    return result


class _Judge:
    """One output schema, compiled when it is first asked."""

    def __init__(self, schema: Mapping[str, Any]) -> None:
        self._schema = schema
        self._validator: Validator | None = None
        self._cost: Cost | None = None
        self._broken = ""

    def problem(self, value: object) -> tuple[str, str]:
        """Say why a value cannot be judged, and what is wrong with it; empty where there is nothing to say."""
        if value is ABSENT:
            return "", "there is no structured content"
        if self._validator is None and not self._broken:
            self._compile()
        if self._validator is None or self._cost is None:
            return f"the tool's output schema cannot be used, the result is not checked: {self._broken}", ""
        try:
            if self._cost.exceeds(value):
                return "checking the result against the tool's output schema would take too long: not checked", ""
            if self._validator.is_valid(value):
                return "", ""
            return _told(self._validator, value, every=not self._cost.exceeds_to_tell(value))
        except (ValueError, RecursionError) as error:
            return f"the result cannot be checked against the tool's output schema: {_first_line(error)}", ""

    def _compile(self) -> None:
        from jsonschema_rs import validator_for

        try:
            self._cost = Cost(self._schema)
            self._validator = validator_for(dict(self._schema), mask="the value", **settings(_PATTERN_BYTES))
        except (ValueError, RecursionError) as error:
            self._broken = _first_line(error)


def _told(validator: Validator, value: Any, *, every: bool) -> tuple[str, str]:
    """Why it cannot be said what is wrong, or what is."""
    errors = validator.iter_errors(value) if every else [error for error in [first_error(validator, value)] if error]
    said: list[str] = []
    for error in errors:
        if is_undecided(error):
            continue
        if len(said) == _SHOWN:
            said.append("and more")
            break
        pointer = pointer_of(list(error.instance_path))
        said.append(f"at '{pointer or '/'}' {error.message}"[:_LONGEST])
    return ("" if said else _UNDECIDED), "; ".join(said)


def _first_line(error: Exception) -> str:
    return str(error).partition("\n")[0][:_LONGEST] or type(error).__name__
