"""Recordings into a dataset: on this machine, or on those of a Spark cluster."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, fields
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING, Any

from .._version import version
from ..arguments import StrPath
from . import committing
from .cluster import staged_on
from .dataset import Dataset, pending_name
from .errors import FleetError, in_a_sentence
from .progress import progress
from .reading import Collected, Labels
from .reading import collect as collect_one
from .schema import TABLES, storable
from .storage import Shard, expand

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

__all__ = ["Added", "collect"]

FILES_OF_A_TASK = 256
"""As many files are one batch: what a killed machine loses at most."""

FILES_OF_A_SPARK_TASK = 64
"""The same on an executor, which reads one at a time."""


@dataclass(frozen=True)
class Added:
    """What a collection did.

    Attributes
    ----------
    files : int
        Files that the URIs stand for, in this shard.
    added : int
        Rows of ``sources`` that are new, those of files that cannot be read included.
    known : int
        Files whose content the dataset had, under any name.
    unreadable : int
        New files that could not be read; ``sources.error`` says why.
    """

    files: int = 0
    added: int = 0
    known: int = 0
    unreadable: int = 0

    def __add__(self, other: Added) -> Added:
        return Added(
            *(getattr(self, each.name) + getattr(other, each.name) for each in fields(self))
        )

    def __str__(self) -> str:
        return (
            f"{self.files} files: {self.added} added, {self.known} known, "
            f"{self.unreadable} unreadable"
        )


@in_a_sentence
def collect(
    uris: StrPath | Iterable[StrPath],
    dataset: StrPath,
    labels: Mapping[str, str] | None = None,
    *,
    shard: str | None = None,
    samples: bool = False,
    spark: SparkSession | None = None,
    storage_options: Mapping[str, str] | None = None,
) -> Added:
    """Adds recordings, and traces of other runtimes, to a dataset.

    Each file is one launch, and counts once: whatever its name is, however often it is collected,
    and whoever is killed meanwhile. A file that cannot be read is a row of ``sources``.

    Parameters
    ----------
    uris : path or URI, or several
        Files, folders, which are searched, and patterns.
    dataset : path or URI
        A dataset, or a folder that is not there yet.
    labels : mapping of str to str, optional
        What to tell recordings apart by, such as ``{"commit": "3f1c2a"}``.
    shard : str, optional
        Collects only a part of the URIs: ``3/64`` is the third of 64.
    samples : bool
        Keeps the files themselves. Without it, comparisons read them where they lay.
    spark : SparkSession, optional
        Reads and writes on its executors, which need ``onnxray[spark]`` and reach both sides.
    storage_options : mapping of str to str, optional
        Options of deltalake for the dataset's object store.

    Raises
    ------
    FleetError
        A URI stands for nothing, a library is missing, the folder is no dataset, or labels clash.
    """
    labels = _checked(labels or {})
    files = expand(uris)
    if shard is not None:
        files = Shard.of(shard).of_uris(files)
    into = Dataset.open_or_new(os.fspath(dataset), storage_options)
    committing.finish(into)
    total = Added()
    with progress("collecting", len(files)) as show:
        for staged in _staged(into, files, labels, samples, spark):
            total += _committed(into, staged)
            show(total.files)
    return total


@dataclass(frozen=True)
class _Staged:
    """A task's files: what was staged of them, and what else became of them."""

    manifest: str | None
    counts: Added


def _checked(labels: Mapping[str, str]) -> Labels:
    columns = {column.name for column in TABLES["launches"].columns}
    for name in labels:
        if name in columns:
            raise FleetError(
                f"a label cannot be called {name}: that is a column of launches",
                hint="choose another name",
            )
    return {storable(str(name)): storable(str(value)) for name, value in labels.items()}


def _tasks(files: Sequence[str], size: int) -> Iterator[list[str]]:
    rest = iter(files)
    while task := list(islice(rest, size)):
        yield task


def _staged(
    dataset: Dataset,
    files: Sequence[str],
    labels: Labels,
    samples: bool,
    spark: SparkSession | None,
) -> Iterator[_Staged]:
    if spark is None:
        for task in _tasks(files, FILES_OF_A_TASK):
            yield _stage(dataset, task, labels, samples, os.cpu_count() or 1)
        return
    stage = partial(_stage_as_row, labels=labels, samples=samples)
    for row in staged_on(spark, dataset, list(_tasks(files, FILES_OF_A_SPARK_TASK)), stage):
        yield _Staged(row["manifest"], Added(*(row[each.name] for each in fields(Added))))


def _stage_as_row(
    dataset: Dataset, files: Sequence[str], labels: Labels, samples: bool
) -> dict[str, Any]:
    staged = _stage(dataset, files, labels, samples, threads=1)
    return {"manifest": staged.manifest, **vars(staged.counts)}


def _stage(
    dataset: Dataset, files: Sequence[str], labels: Labels, samples: bool, threads: int
) -> _Staged:
    """Reads files, and stages what is new of them."""
    known = dataset.known(committing.DECISIVE, "source_id")
    read = partial(
        collect_one, labels=labels, samples=samples, known=known, collector=version() or "checkout"
    )
    with ThreadPoolExecutor(threads) as pool:
        collected = list(pool.map(read, files))
    old = {one.source_id for one in collected if not one.rows}
    _check_labels(dataset, old, labels)
    # In the order of the files, so that the same files are the same batch.
    new: dict[str, Collected] = {}
    for one in collected:
        if one.rows:
            new.setdefault(one.source_id, one)
    fresh = list(new.values())
    batch = committing.stage(dataset, fresh)
    counts = Added(
        files=len(files),
        added=len(fresh),
        known=len(files) - len(fresh),
        unreadable=sum(one.error is not None for one in fresh),
    )
    return _Staged(pending_name(batch.name) if batch else None, counts)


def _check_labels(dataset: Dataset, ids: set[str], labels: Labels) -> None:
    if not ids:
        return
    import pyarrow.dataset

    # What could not be read is no launch: its labels do not clash.
    is_one = pyarrow.dataset.field("launch_id").isin(sorted(ids))
    found = dataset.arrow(committing.DECISIVE).to_table(columns=["uri", "labels"], filter=is_one)
    for row in found.to_pylist():
        had = dict(row["labels"] or ())
        for name in sorted(had.keys() & labels.keys()):
            if had[name] != labels[name]:
                raise FleetError(
                    f"{row['uri']}: was collected with {name}={had[name]}, and now is given "
                    f"{name}={labels[name]}: a launch has one set of labels",
                    hint="collect it into another dataset, or with the labels that it has",
                )


def _committed(dataset: Dataset, staged: _Staged) -> Added:
    batch = committing.load(dataset, staged.manifest) if staged.manifest else None
    if batch is None:
        # There was nothing new, or somebody who found it finished it.
        return staged.counts
    added = committing.commit(dataset, batch)
    late = staged.counts.added - added
    return staged.counts + Added(added=-late, known=late)
