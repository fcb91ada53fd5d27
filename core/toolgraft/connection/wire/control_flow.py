"""Exceptions by which the host steers its run, e.g. LangGraph's `interrupt()`: they pass to it as they are."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

ControlFlow: TypeAlias = Callable[[BaseException], bool]
"""Whether an exception is how the host steers a run."""


def steers_nothing(error: BaseException) -> bool:
    """The control flow of a host that has none."""
    return False
