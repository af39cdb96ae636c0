"""Many jobs: on the cores of this machine, or on the executors of Spark."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import TYPE_CHECKING, Any

from .cluster import arrow_schema, frame
from .dataset import Dataset
from .errors import library
from .progress import progress
from .running import Done, Job, report
from .samples import Sample, SampleIndex
from .schema import MONTH
from .selecting import Launch

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

_AT_ONCE = 32
"""Jobs whose samples are looked up together, and lie in memory."""


def reports(
    dataset: Dataset, jobs: Sequence[Job], what: str, spark: SparkSession | None
) -> list[Done]:
    """All reports, in the order of the jobs."""
    found: list[Done] = []
    with progress(what, len(jobs)) as show:
        for done in _on_spark(spark, dataset, jobs) if spark else _here(dataset, jobs):
            found.append(done)
            show(len(found))
    return sorted(found, key=lambda done: done.number)


def _here(dataset: Dataset, jobs: Sequence[Job]) -> Iterator[Done]:
    index = SampleIndex(dataset)
    with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        for begin in range(0, len(jobs), _AT_ONCE):
            some = jobs[begin : begin + _AT_ONCE]
            samples = index.of(launch.launch_id for job in some for launch in job.launches)
            allowed = dataset.schemes
            yield from pool.map(partial(report, samples=samples, allowed=allowed), some)


_LAUNCHES = "job bigint, side int, position int, launch_id string, uri string, month string"
_DONE = "number bigint, report string, error string"


def _on_spark(spark: SparkSession, dataset: Dataset, jobs: Sequence[Job]) -> Iterator[Done]:
    """Runs each job on an executor, with the samples of its launches."""
    library("pyarrow", "spark")
    commands = {job.number: (job.command, len(job.sides), job.keep) for job in jobs}
    allowed = dataset.schemes

    def run(table: Any) -> Any:
        import pyarrow

        rows = sorted(table.to_pylist(), key=lambda row: (row["side"], row["position"]))
        number = rows[0]["job"]
        command, sides, keep = commands[number]
        launches: list[list[Launch]] = [[] for _ in range(sides)]
        samples = {}
        for row in rows:
            launches[row["side"]].append(Launch(row["launch_id"], row["uri"], row["month"]))
            if row["trace"] is not None:
                samples[row["launch_id"]] = Sample(row["launch_id"], row["trace"], row["size"])
        done = report(Job(number, command, tuple(map(tuple, launches)), keep), samples, allowed)
        text = None if done.report is None else json.dumps(done.report)
        row = {"number": number, "report": text, "error": done.error}
        return pyarrow.Table.from_pylist([row], schema=arrow_schema(_DONE))

    rows = [
        (job.number, side, position, launch.launch_id, launch.uri, launch.month)
        for job in jobs
        for side, launches in enumerate(job.sides)
        for position, launch in enumerate(launches)
    ]
    if not rows:
        return
    given = spark.createDataFrame(rows, _LAUNCHES)
    samples = frame(spark, dataset, "samples").select("launch_id", MONTH, "trace", "size")
    joined = given.join(samples, ["launch_id", MONTH], "left")
    # Spark would join partitions to a single one, since there are few bytes in them.
    joined = joined.repartition(len(jobs), "job")
    for row in joined.groupBy("job").applyInArrow(run, _DONE).collect():
        found = None if row["report"] is None else json.loads(row["report"])
        yield Done(row["number"], found, row["error"])
