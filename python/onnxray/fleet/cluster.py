"""Spark: the same functions on its executors, and tables as its data frames.

Executors read files and write parts; the driver commits. An executor that is killed loses its
task, which Spark gives to another one: what it had written is in no manifest that was committed,
or is the same file. A driver that is killed leaves manifests, which the next one commits.
"""

from __future__ import annotations

import json
import os
import shutil
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from .dataset import Dataset
from .errors import FleetError, library
from .schema import MONTH, TABLES

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

    from .running import Done, Job

_TYPES = {
    "text": "string",
    "small": "int",
    "whole": "bigint",
    "real": "double",
    "truth": "boolean",
    "time": "timestamp",
    "labels": "map<string, string>",
    "bytes": "binary",
}


def session(master: str) -> SparkSession:
    """A session on a master, such as ``local[*]`` or ``spark://host:7077``.

    Raises
    ------
    FleetError
        pyspark or Java is missing.
    """
    library("pyspark", "spark")
    from pyspark.sql import SparkSession

    home = os.environ.get("JAVA_HOME")
    if not (os.path.exists(os.path.join(home, "bin", "java")) if home else shutil.which("java")):
        raise FleetError(
            "Java is missing, on which Spark runs",
            hint="install Java 17 or newer, or set JAVA_HOME; on Debian: "
            "apt-get install openjdk-17-jre-headless",
        )
    if master.startswith("local"):
        # Otherwise it is the `python3` on PATH, which may be another one.
        os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    made: SparkSession = SparkSession.builder.master(master).appName("onnxray").getOrCreate()
    return made


def frame(spark: SparkSession, dataset: Dataset, table: str) -> DataFrame:
    """The newest version of a table."""
    columns = [f"`{column.name}` {_TYPES[column.kind]}" for column in TABLES[table].columns]
    # Spark would take a month for a date.
    schema = ", ".join([*columns, f"{MONTH} string"])
    parts = dataset.parts(table)
    if not parts:
        return spark.createDataFrame([], schema)
    folder = _uri(dataset, table)
    reader = spark.read.schema(schema).option("basePath", folder)
    return reader.parquet(*[f"{folder}/{part}" for part in parts])


def _uri(dataset: Dataset, table: str) -> str:
    """As Hadoop's file systems call it."""
    if "://" not in dataset.uri:
        return f"file://{dataset.path(table)}"
    uri = f"{dataset.uri}/{table}"
    return "s3a" + uri[2:] if uri.startswith("s3://") else uri


_STAGED = (
    "manifest string, files bigint, added bigint, known bigint, unreadable bigint, error string"
)


def staged_on(
    spark: SparkSession,
    dataset: Dataset,
    tasks: Sequence[Sequence[str]],
    stage: Callable[[Dataset, Sequence[str]], Mapping[str, Any]],
) -> Iterator[Mapping[str, Any]]:
    """Stages each task's files on an executor.

    Raises
    ------
    FleetError
        What a task raised.
    """
    library("pyarrow", "spark")
    if not tasks:
        return
    uri, options = dataset.uri, dataset.storage_options

    def run(batches: Iterator[Any]) -> Iterator[Any]:
        import pyarrow

        known = Dataset.open(uri, options)
        for batch in batches:
            for files in batch.column("files").to_pylist():
                try:
                    row = {**stage(known, json.loads(files)), "error": None}
                except FleetError as error:
                    row = {"error": json.dumps([error.message, error.hint])}
                yield pyarrow.RecordBatch.from_pylist([row], schema=_arrow_schema(_STAGED))

    rows = [(number, json.dumps(files)) for number, files in enumerate(tasks)]
    given = spark.createDataFrame(rows, "number bigint, files string")
    # By range, each partition gets one task; dealt out at random, some get several.
    given = given.repartitionByRange(len(tasks), "number")
    # An iterator would run two tasks at a time, however many executors there are.
    for row in given.mapInArrow(run, _STAGED).collect():
        if row["error"]:
            message, hint = json.loads(row["error"])
            raise FleetError(message, hint=hint)
        yield row.asDict()


_LAUNCHES = "job bigint, side int, position int, launch_id string, uri string, month string"
_DONE = "number bigint, report string, error string"


def reports_on(spark: SparkSession, dataset: Dataset, jobs: Sequence[Job]) -> Iterator[Done]:
    """Runs each job on an executor, with the samples of its launches."""
    library("pyarrow", "spark")
    from .running import Done, Job, report, unpacked
    from .selecting import Launch

    commands = {job.number: (job.command, len(job.sides), job.keep) for job in jobs}

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
                samples[row["launch_id"]] = unpacked(row["trace"], row["size"])
        done = report(Job(number, command, tuple(map(tuple, launches)), keep), samples)
        text = None if done.report is None else json.dumps(done.report)
        row = {"number": number, "report": text, "error": done.error}
        return pyarrow.Table.from_pylist([row], schema=_arrow_schema(_DONE))

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


def _arrow_schema(text: str) -> Any:
    import pyarrow

    types = {"string": pyarrow.string(), "bigint": pyarrow.int64(), "int": pyarrow.int32()}
    fields = (each.split() for each in text.split(", "))
    return pyarrow.schema([(name, types[kind]) for name, kind in fields])
