"""A fleet's recordings in one dataset: which commit made which layer slower, on which hardware.

The functions run the program ``onnxray`` on each file and on groups of launches, here or on a Spark
cluster, over Delta tables that DuckDB, polars and Spark read. docs/fleet.md has examples and the
columns. ``python -m onnxray.fleet`` is the same on the command line.
"""

from __future__ import annotations

from .collecting import Added, collect
from .compacting import Compacted, compact
from .comparing import compare
from .dataset import Dataset
from .errors import FleetError
from .findings import Finding, Pair, Point
from .regressing import Regressions, regressions
from .selecting import Series, Step
from .trending import Trend, trend

__all__ = [
    "Added",
    "Compacted",
    "Dataset",
    "Finding",
    "FleetError",
    "Pair",
    "Point",
    "Regressions",
    "Series",
    "Step",
    "Trend",
    "collect",
    "compact",
    "compare",
    "regressions",
    "trend",
]
