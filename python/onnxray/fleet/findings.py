"""What is found of series: points, pairs of steps, and layers that changed."""

from __future__ import annotations

from dataclasses import dataclass

from .._printing import printable
from .running import Report
from .selecting import Launch, Series, Step

__all__ = ["COSTS", "END_TO_END", "FIGURES", "LATENCY", "WORSE", "Finding", "Pair", "Point", "unit"]

END_TO_END = "end to end"
"""Stands for a layer, where it is the latency that changed."""


LATENCY = "latency_median_ms"

FIGURES = {
    LATENCY: "Median latency",
    "cpu_time_ms": "CPU time",
    "memory_peak_bytes": "Memory at peak",
    "start_ms": "Start",
    "session_ms": "Session creation",
    "first_inference_ms": "First inference",
    "cold_start_ms": "Start, cold file",
    "cold_session_ms": "Session creation, cold file",
}
"""What has a trend of a model, by its key in ``onnxray summary``, as people call it.

A key ends with the unit."""

OF_START = ("start_ms", "session_ms", "first_inference_ms")
"""What a cold file makes longer: with ``cold_`` in front, of recordings of one."""

COSTS = {
    "cpu_time_ms": "CPU time",
    "memory_peak_mb": "memory at peak",
    "memory_retained_mb": "memory retained",
    "start_ms": "start",
    "paced_latency_ms": "latency at pace",
    "paced_cpu_time_ms": "CPU time at pace",
}
"""What an inference costs beside its latency, by keys of ``onnxray compare``, as people call it."""

WORSE = ("slower", "higher")
"""Verdicts of what takes more than before."""


def unit(figure: str) -> str:
    """The unit of a figure, with which its key ends."""
    return figure.rpartition("_")[2]


@dataclass(frozen=True)
class Point:
    """A step of a series: what `onnxray.summary` says of its launches together.

    ``value`` is the figure of the model, or the layer's mean time per iteration, with the ends of
    its 95 % confidence interval, in the trend's unit; None is unknown.
    """

    step: str
    launches: int
    value: float | None
    low: float | None
    high: float | None
    error: str | None = None


@dataclass(frozen=True)
class Pair:
    """Two neighbouring steps of a series, and what `onnxray.compare` says of them.

    ``report`` has the layers and the latency; None says that there was nothing to compare, or that
    it failed, and ``error`` why.
    """

    series: Series
    a: Step
    b: Step
    options: tuple[str, ...] = ()
    """Of ``onnxray compare``, besides the names of both."""
    report: Report | None = None
    error: str | None = None

    @property
    def name(self) -> str:
        """The series and both steps, for people."""
        return f"{self.series.name}: {self.a.value} → {self.b.value}"

    @property
    def command(self) -> tuple[str, ...]:
        """What compares them, without the files."""
        names = (f"--name-a={self.a.value}", f"--name-b={self.b.value}")
        return ("compare", *self.options, *names)

    @property
    def sides(self) -> tuple[tuple[Launch, ...], ...]:
        """The launches of both."""
        return (tuple(self.a.launches), tuple(self.b.launches))


@dataclass(frozen=True)
class Finding:
    """A layer of a model, its latency, or a cost that changed at a step, and all hardware on which.

    Attributes
    ----------
    model, layer, type : str
        What changed.
    step, before : str
        The step at which it did, and the one that it was compared with.
    verdict : {"slower", "faster", "higher", "lower"}
        What it got; costs are higher or lower.
    ratio_low, ratio, ratio_high : float or None
        Time or cost after / before: the smallest, the geometric mean and the largest of all
        hardware. None is unknown, as what any hardware's unknown one would be part of.
    hardware : tuple of str
        Where it was found.
    pairs : tuple of int
        Numbers of the comparisons that found it, in `Regressions.pairs`.
    """

    model: str
    layer: str
    type: str
    step: str
    before: str
    verdict: str
    ratio_low: float | None
    ratio: float | None
    ratio_high: float | None
    hardware: tuple[str, ...]
    pairs: tuple[int, ...]

    def __str__(self) -> str:
        change = "" if self.ratio is None else f"{abs(self.ratio - 1) * 100:.1f} % "
        return printable(
            f"{self.model}: {self.layer} is {change}{self.verdict} at {self.step} than at "
            f"{self.before}, on {', '.join(self.hardware)}"
        )
