"""What a recording costs in a dataset: time and bytes, at 100 to 10,000 recordings.

See README.md.
"""

from __future__ import annotations

import argparse
import os
import resource
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

REPOSITORY = Path(__file__).parents[2]
sys.path += [str(REPOSITORY / "python"), str(REPOSITORY / "python/tests/fleet")]

import duckdb  # noqa: E402

from fleet_recordings import Fleet, write  # noqa: E402
from onnxray.errors import Error  # noqa: E402
from onnxray.fleet import collect, compact, regressions, trend  # noqa: E402
from onnxray.fleet.dataset import Dataset  # noqa: E402

_QUANTILES = """
select operator, configuration_id, quantile_cont(time_ms, [0.1, 0.5, 0.9, 0.99])
from launch_operators join launches using (launch_id) group by all
"""
_LAUNCHES = 5
_MODELS = 2


def main() -> None:
    """Prints a table for each number of recordings."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("counts", type=int, nargs="*", default=[100, 1000, 10000])
    parser.add_argument("--layers", type=int, default=24, help="Of each model (default: 24)")
    given = parser.parse_args()
    for count in given.counts:
        with tempfile.TemporaryDirectory(prefix="onnxray-fleet-cost-") as name:
            _measure(Path(name), count, given.layers)


@dataclass
class Took:
    """Seconds: on the clock, and of all processors, children included."""

    wall: float = 0.0
    processor: float = 0.0

    def each(self, count: int) -> str:
        """Both for each of so many."""
        wall, processor = (1000 * time / max(1, count) for time in (self.wall, self.processor))
        return f"{wall:9.2f} ms  {processor:9.2f} ms processor"


@contextmanager
def _timed() -> Iterator[Took]:
    took = Took()
    began, before = time.monotonic(), _processor()
    yield took
    took.wall, took.processor = time.monotonic() - began, _processor() - before


def _processor() -> float:
    both = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(each.ru_utime + each.ru_stime for each in both)


def _measure(folder: Path, count: int, layers: int) -> None:
    machines = 5
    commits = max(2, count // (machines * _MODELS * _LAUNCHES))
    fleet = Fleet(commits, machines, _MODELS, _LAUNCHES, layers=layers)
    for commit in range(commits):
        write(fleet, folder / "files" / fleet.commit(commit), commit)
    files = commits * machines * _MODELS * _LAUNCHES
    size = _bytes(folder / "files")
    print(f"\n{files} recordings of {layers} layers, {commits} commits", flush=True)
    _row("as files, every third one compressed", f"{size / files:9.0f} bytes")
    dataset = folder / "without samples"
    for what in ("collect without samples, all at once", "collect them again"):
        with _timed() as took:
            collect(folder / "files", dataset, {"branch": "main"})
        _row(what, took.each(files))
    _row("  in the dataset", f"{_bytes(dataset) / files:9.0f} bytes")
    dataset = folder / "with samples"
    with _timed() as took:
        for commit in range(commits):
            labels = {"commit": fleet.commit(commit)}
            collect(folder / "files" / fleet.commit(commit), dataset, labels, samples=True)
    _row("collect with samples, commit by commit", took.each(files))
    _row("  in the dataset", f"{_bytes(dataset) / files:9.0f} bytes")
    _query(dataset, "quantiles of all operators")
    with _timed() as took:
        print(f"  {compact(dataset, keep_hours=0)}")
    _row("compact", took.each(files))
    _row("  in the dataset", f"{_bytes(dataset) / files:9.0f} bytes")
    _query(dataset, "  quantiles of all operators then")
    steps = commits * machines * _MODELS
    _asked("trend, for each step", steps, lambda: trend(dataset))
    _asked("regressions, for each comparison", steps, lambda: regressions(dataset))


def _asked(what: str, count: int, ask: Callable[[], object]) -> None:
    try:
        with _timed() as took:
            ask()
    except Error as error:
        _row(what, f"not measured: {error.message.splitlines()[0]}")
        return
    _row(what, took.each(count))


def _query(dataset: Path, what: str) -> None:
    with _timed() as took:
        found = Dataset.open(str(dataset))
        with duckdb.connect() as connection:
            for table in ("launches", "launch_operators"):
                connection.register(table, found.arrow(table))
            rows = connection.execute(_QUANTILES).fetchall()
    _row(what, f"{1000 * took.wall:9.0f} ms, {len(rows)} groups")


def _row(what: str, value: str) -> None:
    print(f"  {what:40} {value}", flush=True)


def _bytes(folder: Path) -> int:
    return sum(
        os.path.getsize(Path(root, name)) for root, _, names in os.walk(folder) for name in names
    )


if __name__ == "__main__":
    main()
