"""The axis of times: from 0, in the unit that makes its numbers short, with round ticks."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TypeGuard

_UNITS = (("s", 1e-3), ("ms", 1.0), ("µs", 1e3), ("ns", 1e6))
"""Units, and how many of each a millisecond has."""
_MOST_STEPS = 5
_DIGITS = 4
_FARTHEST = 1.5
"""An interval that ends farther than this many times the largest value is cut off."""


@dataclass(frozen=True)
class Axis:
    """From 0 to the last of its ticks, which are in its unit.

    Attributes
    ----------
    unit : {"s", "ms", "µs", "ns"}
        The largest one of which there is at least one.
    per_ms : float
        Units in a millisecond.
    ticks : tuple of float
        Multiples of 1, 2 or 5 times a power of ten, in the unit.
    """

    unit: str
    per_ms: float
    ticks: tuple[float, ...]

    def share(self, ms: float) -> float:
        """Where a time is, from 0 to 1; at an end if it is beyond."""
        return min(max(ms * self.per_ms / self.ticks[-1], 0.0), 1.0)

    def is_beyond(self, ms: float | None) -> bool:
        """Whether a time is larger than the last tick."""
        return is_known(ms) and ms * self.per_ms > self.ticks[-1]

    def number(self, ms: float) -> str:
        """A time in the unit, without it, of four digits or more: ``4.057``, ``12346``."""
        value = ms * self.per_ms
        if value == 0:
            return "0"
        if abs(value) >= 10**_DIGITS:
            return f"{value:.0f}" if abs(value) < 1e15 else f"{value:.3e}"
        return f"{value:#.{_DIGITS}g}".rstrip(".")


def axis(values_ms: Iterable[float | None], highs_ms: Iterable[float | None] = ()) -> Axis | None:
    """The axis for values and the upper ends of their intervals; None if no value is known."""
    values = [value for value in values_ms if is_known(value)]
    if not values:
        return None
    most = max(0.0, *values)
    highs = [min(high, _FARTHEST * most) for high in highs_ms if is_known(high)]
    top = max(most, *highs) if highs else most
    unit, per_ms = next(
        ((unit, per_ms) for unit, per_ms in _UNITS if top * per_ms >= 1),
        _UNITS[-1] if top > 0 else _UNITS[1],
    )
    return Axis(unit, per_ms, _ticks(top * per_ms or 1.0))


def is_known(value: float | None) -> TypeGuard[float]:
    """Whether a value is a number that has a place on an axis."""
    return value is not None and math.isfinite(value)


def _ticks(top: float) -> tuple[float, ...]:
    power = 10.0 ** math.floor(math.log10(top / _MOST_STEPS))
    step = next(each * power for each in (1, 2, 5, 10) if top <= _MOST_STEPS * each * power)
    # One digit and a power of ten: a product of floats may be off by a little.
    return tuple(float(f"{number * step:.10g}") for number in range(math.ceil(top / step) + 1))
