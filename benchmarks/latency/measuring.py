"""Times, their percentiles, and what a part of the benchmark tells."""

from __future__ import annotations

import statistics
import subprocess
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any


@dataclass(frozen=True)
class Bar:
    """A figure and the most it may be."""

    name: str
    value: float
    limit: float
    unit: str = "×"

    @property
    def holds(self) -> bool:
        return self.value <= self.limit

    def __str__(self) -> str:
        told = f"{self.value:.2f}" if self.unit == "×" else f"{self.value:.1f}"
        return f"{'holds ' if self.holds else 'MISSED'} {self.name}: {told} {self.unit} (≤ {self.limit:g})"


@dataclass
class Part:
    """One part's result. rows: as people read them. raw: every figure, for --json and the plot."""

    title: str
    head: Sequence[str]
    rows: list[Sequence[object]] = field(default_factory=list)
    bars: list[Bar] = field(default_factory=list)
    raw: dict[str, Any] = field(default_factory=dict)

    def lines(self) -> Iterator[str]:
        """A table in Markdown, then the bars."""
        yield f"### {self.title}\n"
        yield "| " + " | ".join(self.head) + " |"
        yield "|---|" + "---:|" * (len(self.head) - 1)
        for row in self.rows:
            yield "| " + " | ".join(_cell(value) for value in row) + " |"
        yield ""
        for bar in self.bars:
            yield f"- {bar}"

    def document(self) -> dict[str, Any]:
        bars = [{**vars(bar), "holds": bar.holds} for bar in self.bars]
        return {"title": self.title, "head": list(self.head), "rows": self.rows, "bars": bars, "raw": self.raw}


def timed(command: Sequence[str], cwd: Path) -> float:
    """Milliseconds of a whole process, its output thrown away."""
    began = time.perf_counter()
    subprocess.run(command, cwd=cwd, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
    return since(began)


def since(began: float) -> float:
    """Milliseconds since a moment of `time.perf_counter`."""
    return (time.perf_counter() - began) * 1000


def percentile(times: Sequence[float], number: int) -> float:
    if len(times) < 2:
        return times[0]
    return statistics.quantiles(times, n=100, method="inclusive")[number - 1]


def spread(times: Sequence[float]) -> list[float]:
    """p50, p90, p99."""
    return [percentile(times, number) for number in (50, 90, 99)]


def _cell(value: object) -> str:
    return f"{value:,.1f}" if isinstance(value, float) else f"{value:,}" if isinstance(value, int) else str(value)
