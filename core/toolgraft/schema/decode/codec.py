"""Arguments back: from the form that the model was given to the form that the server takes."""

from __future__ import annotations

from functools import cached_property
from typing import Any, Protocol, cast

from toolgraft.schema.decode import nulls
from toolgraft.schema.decode.steps import Plan, Run, problem
from toolgraft.schema.language.keywords import type_of
from toolgraft.schema.language.pointers import Node
from toolgraft.schema.read.normal import Normal
from toolgraft.schema.validation.cost import Cost
from toolgraft.schema.validation.validator import Validators


class Codec(Protocol):
    """Takes arguments from the form the model was given to the form the server takes, and back."""

    def decode(self, args: dict[str, Any]) -> dict[str, Any]:
        """Give the server's arguments for the model's; the given ones are not changed.

        Raises:
            ArgumentsError: They cannot be read, e.g. a key of a map is given twice.
        """
        ...

    def encode(self, args: dict[str, Any]) -> dict[str, Any]:
        """Give the model's arguments for the server's; the given ones are not changed."""
        ...


class PlainCodec:
    """For the plain form: nulls that the server does not take are dropped, nothing else happens."""

    def __init__(self, normal: Normal) -> None:
        self._normal = normal
        self._limit = _WorkLimit(normal)

    @cached_property
    def _plan(self) -> tuple[Plan, Run]:
        plan = nulls.plan(self._normal)
        validators = Validators(self._normal.defs)
        return plan, Run(plan.named, validators, validators)

    def decode(self, args: dict[str, Any]) -> dict[str, Any]:
        """Drop nulls that the server does not take."""
        if not nulls.has_null(args):
            return args
        plan, run = self._plan
        self._limit.check(args)
        return _decoded(plan, run, args)

    def encode(self, args: dict[str, Any]) -> dict[str, Any]:
        """Give the arguments as they are."""
        return args


class StrictCodec:
    """For the strict form. Arguments written without strict mode come through as well."""

    def __init__(self, normal: Normal, strict: Node, plan: Plan, *, full: bool) -> None:
        self._plan = plan
        self._run = Run(plan.named, Validators(normal.defs), Validators(strict.get("$defs", {})))
        self._limit = _WorkLimit(normal)
        self._nulls = PlainCodec(normal) if full else None

    def decode(self, args: dict[str, Any]) -> dict[str, Any]:
        """Undo what was changed."""
        if self._plan.step is not None:
            self._limit.check(args)
        decoded = _decoded(self._plan, self._run, args)
        return decoded if self._nulls is None else self._nulls.decode(decoded)

    def encode(self, args: dict[str, Any]) -> dict[str, Any]:
        """Put into the strict shape."""
        return args if self._plan.step is None else cast(Node, self._plan.step.encode(args, self._run))


class _WorkLimit:
    """Refuses arguments whose alternatives would take too long to tell apart: each level may multiply the work."""

    def __init__(self, normal: Normal) -> None:
        self._normal = normal

    @cached_property
    def _cost(self) -> Cost:
        return Cost({**self._normal.root, "$defs": self._normal.defs})

    def check(self, args: dict[str, Any]) -> None:
        if self._cost.exceeds(args):
            raise problem("", "too large, or nested too deep, for the alternatives that this tool takes")


def _decoded(plan: Plan, run: Run, args: dict[str, Any]) -> dict[str, Any]:
    if plan.step is None:
        return args
    try:
        decoded = plan.step.decode(args, Run(run.named, run.server, run.strict), "")
    except RecursionError as error:
        raise problem("", "nested too deep") from error
    if not isinstance(decoded, dict):
        raise problem("", f"wanted an object, got {type_of(decoded)}")
    return cast(dict[str, Any], decoded)
