"""What is in a dataset, and processes that are killed while they write one."""

from __future__ import annotations

import json
import multiprocessing
import os
import signal
from collections.abc import Callable, Mapping
from datetime import datetime, timezone
from hashlib import sha256
from pathlib import Path
from typing import Any

from onnxray.fleet import collect, collecting, committing, compact, trend
from onnxray.fleet.dataset import Dataset
from onnxray.fleet.reading import Collected, Row
from onnxray.fleet.schema import TABLES

_HERE = multiprocessing.get_context("forkserver")
_HERE.set_forkserver_preload(["fleet_datasets", "pyarrow.dataset", "pyarrow.parquet", "deltalake"])

Rows = dict[str, list[str]]


def rows_of(dataset: Path) -> Rows:
    """All rows of all tables, sorted, but for when they were collected.

    The month of operators is that of whichever launch came first.
    """
    found = Dataset.open(str(dataset))
    return {
        table: sorted(
            repr({name: value for name, value in row.items() if _is_certain(table, name)})
            for row in found.arrow(table).to_table().to_pylist()
        )
        for table in TABLES
    }


def _is_certain(table: str, column: str) -> bool:
    return column != "collected_at" and (table, column) != ("operators", "month")


def sources(dataset: Path) -> dict[str, dict[str, Any]]:
    """Rows of `sources` by the names of their files."""
    rows = Dataset.open(str(dataset)).arrow("sources").to_table().to_pylist()
    return {os.path.basename(row["uri"]): row for row in rows}


def keys_are_unique(dataset: Path) -> bool:
    """Whether no table has a row twice."""
    found = Dataset.open(str(dataset))
    for name, table in TABLES.items():
        rows = found.arrow(name).to_table(columns=list(table.key)).to_pylist()
        if len({tuple(row.values()) for row in rows}) != len(rows):
            return False
    return True


def finish(dataset: Path) -> None:
    """What every question does first."""
    found = Dataset.open(str(dataset))
    committing.finish(found)


def ask(dataset: Path) -> None:
    """A question."""
    trend(dataset)


def start(what: Callable[..., Any], *arguments: Any) -> Any:
    """A process that does it."""
    process = _HERE.Process(target=what, args=arguments)
    process.start()
    return process


def killed_at(number: int, what: Callable[..., Any], *arguments: Any) -> bool:
    """Does it in a process that ends by SIGKILL at a step; whether it came so far."""
    process = start(_until, number, what, arguments)
    process.join()
    assert process.exitcode in (0, -signal.SIGKILL), process.exitcode
    return bool(process.exitcode)


def _until(number: int, what: Callable[..., Any], arguments: tuple[Any, ...]) -> None:
    steps = 0

    def step(name: str) -> None:
        nonlocal steps
        if steps == number:
            os.kill(os.getpid(), signal.SIGKILL)
        steps += 1

    committing.step = step
    what(*arguments)


def collect_in_batches(uris: list[str], dataset: Path, size: int, barrier: Any = None) -> None:
    """Collects with batches of so many files; all that share a barrier begin together."""
    usual, collecting.FILES_OF_A_TASK = collecting.FILES_OF_A_TASK, size
    if barrier:
        barrier.wait()
    try:
        collect(uris, dataset, {"commit": "1"}, samples=True)
    finally:
        collecting.FILES_OF_A_TASK = usual


def compact_all(dataset: Path) -> None:
    """Compacts, and keeps nothing that is old."""
    compact(dataset, keep_hours=0)


def barrier(count: int) -> Any:
    """What so many processes wait at for each other."""
    return _HERE.Barrier(count)


def by_a_stranger(path: Path, *launches: Mapping[str, Any]) -> Dataset:
    """A dataset whose launches say what they are given, which no collection would write.

    A launch's ``sample`` is its ``trace`` and ``size``.
    """
    dataset = Dataset.open_or_new(str(path))
    collected = []
    for number, given in enumerate(launches):
        launch_id = given.get("launch_id", sha256(f"{number}".encode()).hexdigest())
        row = {
            "launch_id": launch_id,
            "graph_id": "graph",
            "configuration_id": "configuration",
            "uri": str(path / "nowhere.json"),
            "labels": {"commit": str(number // 2)},
            "model": "model.onnx",
            "cpu": "Processor",
            "started_at": datetime(2026, 11, 1, 0, 0, number, tzinfo=timezone.utc),
            **given,
        }
        source = {"source_id": launch_id, **{name: row[name] for name in ("launch_id", "uri")}}
        rows: dict[str, list[Row]] = {"sources": [source], "launches": [row]}
        if "sample" in given:
            rows["samples"] = [{"launch_id": launch_id, **given["sample"]}]
        collected.append(Collected(launch_id, "2026-11", rows))
    batch = committing.stage(dataset, collected)
    assert batch
    committing.commit(dataset, batch)
    return dataset


def log_entry(dataset: Path, table: str, *entries: Mapping[str, Any]) -> None:
    """Adds a version to the log of a table."""
    log = dataset / table / "_delta_log"
    number = len(list(log.glob("*.json")))
    lines = "".join(f"{json.dumps(entry)}\n" for entry in entries)
    (log / f"{number:020}.json").write_text(lines, encoding="utf-8")


def manifest_of(dataset: Path, file: str) -> None:
    """Stages a file, as whoever is killed before committing it."""
    from onnxray.fleet.reading import collect as read

    found = Dataset.open(str(dataset))
    committing.stage(found, [read(file, {"commit": "1"}, True, set(), "test")])
