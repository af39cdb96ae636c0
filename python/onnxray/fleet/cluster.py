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
                yield pyarrow.RecordBatch.from_pylist([row], schema=arrow_schema(_STAGED))

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


def arrow_schema(text: str) -> Any:
    """Columns in Spark's words, as Arrow has them."""
    import pyarrow

    types = {"string": pyarrow.string(), "bigint": pyarrow.int64(), "int": pyarrow.int32()}
    fields = (each.split() for each in text.split(", "))
    return pyarrow.schema([(name, types[kind]) for name, kind in fields])
