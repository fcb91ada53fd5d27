"""How much is measured."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TypeAlias

from benchmarks.table import Row


@dataclass(frozen=True, slots=True)
class Scope:
    """How much of everything.

    Attributes:
        rounds: Interleaved rounds whose median counts.
        calls: Calls a round, where one call is measured.
        sizes: Lengths of tool lists.
    """

    rounds: int = 7
    calls: int = 100
    sizes: tuple[int, ...] = (10, 100, 1000)


QUICK = Scope(rounds=2, calls=30, sizes=(10, 100))

Subject: TypeAlias = Callable[[Scope], Iterator[Row]]
