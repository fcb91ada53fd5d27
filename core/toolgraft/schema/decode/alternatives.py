"""The step that undoes a union: which alternative was written, and back from that one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from toolgraft.errors import ArgumentsError
from toolgraft.schema.decode.steps import Run, Step
from toolgraft.schema.language.keywords import admits
from toolgraft.schema.language.pointers import Node, Path


@dataclass(frozen=True, slots=True)
class Branch:
    """One alternative of a union.

    Attributes:
        step: What is undone in it, or None.
        strict: Its strict schema.
        server: Its schema at the server.
        kinds: JSON types of its strict schema; empty for all.
    """

    step: Step | None
    strict: Node
    server: Node
    kinds: tuple[str, ...]

    def decode(self, value: Any, run: Run, at: Path) -> Any:
        """Undo what was done in this alternative."""
        return value if self.step is None else self.step.decode(value, run, at)


@dataclass(frozen=True, slots=True)
class Union:
    """Alternatives with something to undo: the one that the value was written for is undone.

    The conversion has made sure that a strict value fits one alternative only, or that it does not matter which.
    """

    branches: tuple[Branch, ...]

    def decode(self, value: Any, run: Run, at: Path) -> Any:
        candidates = [each for each in self.branches if not each.kinds or admits(each.kinds, value)]
        if len(candidates) < 2:
            return candidates[0].decode(value, run, at) if candidates else value
        for branch in candidates:
            if run.strict.accepts(branch.strict, value):
                return branch.decode(value, run, at)
        if any(run.server.accepts(branch.server, value) for branch in self.branches):
            return value  # already as the server takes it
        return self._best(candidates, value, run, at)

    def _best(self, candidates: list[Branch], value: Any, run: Run, at: Path) -> Any:
        """A value that fits no alternative as it stands: written without strict mode, or wrong."""
        first: Callable[[], Any] | None = None
        for branch in candidates:
            if next(run.trials, None) is None:
                return value  # each level would multiply the work; the check tells what is wrong
            try:
                decoded = branch.decode(value, run, at)
            except ArgumentsError as error:
                first = first or _raiser(error)
                continue
            if run.server.accepts(branch.server, decoded):
                return decoded
            first = first or _giver(decoded)
        return value if first is None else first()

    def encode(self, value: Any, run: Run) -> Any:
        fitting = [each for each in self.branches if run.server.accepts(each.server, value)]
        for branch in fitting or self.branches:
            encoded = value if branch.step is None else branch.step.encode(value, run)
            if run.strict.accepts(branch.strict, encoded):
                return encoded
        return value


def _raiser(error: ArgumentsError) -> Callable[[], Any]:
    def raise_it() -> Any:
        raise error

    return raise_it


def _giver(value: Any) -> Callable[[], Any]:
    return lambda: value
