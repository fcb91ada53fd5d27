"""What was measured, as rows of a table: ratios, and whether the target was met."""

from __future__ import annotations

import statistics
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, Literal, TypeAlias

from benchmarks.fleet import Samples
from benchmarks.roster import RAW

Metric: TypeAlias = Literal["wall", "cpu"]

SCALES: Final = {"s": 1.0, "ms": 1e3, "µs": 1e6, "MB": 1 / 1024, "x": 1.0, "files": 1.0}
HEADINGS: Final = ("row", "compared with", "toolgraft", "peers", "target", "")


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the table.

    Attributes:
        title: What was done.
        samples: What it took.
        targets: Contender to the most that it may take: a ratio, or an amount in `unit` where there is no base.
        base: Whose values the others are divided by, round by round; None shows amounts.
        judged: Which time the target is about; the other is shown in brackets.
        unit: Of amounts.
    """

    title: str
    samples: Samples
    targets: Mapping[str, float] = field(default_factory=dict[str, float])
    base: str | None = RAW
    judged: Metric = "cpu"
    unit: str = "ms"

    def value(self, name: str, metric: Metric) -> float | None:
        """Median of a contender's ratios, or amounts; None where it has none."""
        taken = getattr(self.samples, metric)
        own = taken.get(name)
        if not own:
            return None
        if self.base is None:
            return statistics.median(own) * SCALES[self.unit]
        base = taken.get(self.base)
        if not base:
            return None
        return statistics.median(one / max(other, 1e-9) for one, other in zip(own, base, strict=False))

    def cells(self) -> tuple[str, ...]:
        names = [*self.samples.wall, *self.samples.failed]
        ours = [name for name in names if name.startswith("toolgraft")]
        peers = [name for name in names if name not in (*ours, self.base)]
        return (
            self.title,
            self._base(),
            "; ".join(f"{_short(name)} {self._cell(name)}" for name in ours),
            "; ".join(f"{name} {self._cell(name)}" for name in peers),
            "; ".join(f"{_short(name)} ≤ {self._shown(most)}" for name, most in self.targets.items()),
            self._verdict(),
        )

    def _base(self) -> str:
        if self.base is None:
            return ""
        taken = getattr(self.samples, self.judged).get(self.base)
        if not taken:
            return f"{self.base}: {self.samples.failed.get(self.base, 'not measured')}"
        return f"{self.base} {statistics.median(taken) * SCALES[self.unit]:.3g} {self.unit}"

    def _cell(self, name: str) -> str:
        if name in self.samples.failed:
            return f"fails: {self.samples.failed[name][:90]}"
        value = self.value(name, self.judged)
        other = self.value(name, "wall" if self.judged == "cpu" else "cpu")
        if value is None:
            return "-"
        return self._shown(value) if self.base is None or other is None else f"{self._shown(value)} ({other:.3g})"

    def _shown(self, value: float) -> str:
        return f"{value:.3g} {self.unit}" if self.base is None else f"x{value:.3g}"

    def _verdict(self) -> str:
        found = {name: self.value(name, self.judged) for name in self.targets}
        missed = [name for name, value in found.items() if value is None or value > self.targets[name]]
        if not missed:
            return "met" if found else ""
        met = [_short(name) for name in found if name not in missed]
        text = "missed: " + ", ".join(_short(name) for name in missed)
        return f"{text}; met: {', '.join(met)}" if met else text


def _short(name: str) -> str:
    return name.removeprefix("toolgraft ")


def markdown(rows: Iterable[Row]) -> str:
    """A table of the rows."""
    lines = [_line(HEADINGS), _line(["---"] * len(HEADINGS))]
    return "\n".join([*lines, *(_line(row.cells()) for row in rows)])


def _line(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cell.replace('|', '/') for cell in cells)} |"
