"""The axis of times and bytes: from 0, in the unit that makes numbers short, with round ticks."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TypeGuard

_UNITS = (("s", 1e-3), ("ms", 1.0), ("µs", 1e3), ("ns", 1e6))
"""Units, and how many of each a millisecond has."""
_BYTES = (("GB", 1e-9), ("MB", 1e-6), ("kB", 1e-3), ("bytes", 1.0))
"""The same of a byte."""
_MOST_STEPS = 5
_DIGITS = 4
_FARTHEST = 1.5
"""An interval that ends farther than this many times the largest value is cut off."""


@dataclass(frozen=True)
class Axis:
    """From 0 to the last of its ticks, which are in its unit.

    Attributes
    ----------
    unit : {"s", "ms", "µs", "ns", "GB", "MB", "kB", "bytes"}
        The largest one of which there is at least one.
    per_one : float
        Units in a millisecond or a byte.
    ticks : tuple of float
        Multiples of 1, 2 or 5 times a power of ten, in the unit.
    """

    unit: str
    per_one: float
    ticks: tuple[float, ...]

    def share(self, value: float) -> float:
        """Where a value is, from 0 to 1; at an end if it is beyond."""
        return min(max(value * self.per_one / self.ticks[-1], 0.0), 1.0)

    def is_beyond(self, value: float | None) -> bool:
        """Whether a value is larger than the last tick."""
        return is_known(value) and value * self.per_one > self.ticks[-1]

    def number(self, value: float) -> str:
        """A value in the unit, without it, of four digits or more: ``4.057``, ``12346``."""
        value *= self.per_one
        if value == 0:
            return "0"
        if abs(value) >= 10**_DIGITS:
            return f"{value:.0f}" if abs(value) < 1e15 else f"{value:.3e}"
        return f"{value:#.{_DIGITS}g}".rstrip(".")


def axis(
    every: Iterable[float | None], upper: Iterable[float | None] = (), in_bytes: bool = False
) -> Axis | None:
    """The axis for values and the upper ends of their intervals; None if no value is known."""
    values = [value for value in every if is_known(value)]
    if not values:
        return None
    most = max(0.0, *values)
    highs = [min(high, _FARTHEST * most) for high in upper if is_known(high)]
    top = max(most, *highs) if highs else most
    units = _BYTES if in_bytes else _UNITS
    unit, per_one = next(
        ((unit, per_one) for unit, per_one in units if top * per_one >= 1),
        units[-1] if top > 0 else units[1],
    )
    return Axis(unit, per_one, _ticks(top * per_one or 1.0))


def is_known(value: float | None) -> TypeGuard[float]:
    """Whether a value is a number that has a place on an axis."""
    return value is not None and math.isfinite(value)


def _ticks(top: float) -> tuple[float, ...]:
    power = 10.0 ** math.floor(math.log10(top / _MOST_STEPS))
    step = next(each * power for each in (1, 2, 5, 10) if top <= _MOST_STEPS * each * power)
    # One digit and a power of ten: a product of floats may be off by a little.
    return tuple(float(f"{number * step:.10g}") for number in range(math.ceil(top / step) + 1))
