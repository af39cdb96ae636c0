"""Exactly once: rows become parts, parts a batch, and a batch is committed as a whole.

A part is a Parquet file that never changes and is named by its content. A batch is a manifest of
parts. The transaction that adds its part to ``sources`` decides: it is made only if nobody else
committed since the ids in it were looked up. What is decided is finished by whoever finds it, since
each table notes which batches it has; what is not decided has added nothing.
"""

from __future__ import annotations

import hashlib
import io
import json
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ..arguments import StrPath
from .dataset import Dataset, pending_name
from .errors import FleetError, library
from .reading import Collected
from .schema import MONTH, TABLES

DECISIVE = "sources"

_ROWS_OF_SAMPLES = 64
"""In a row group, which is read as a whole."""

SHARED = "operators"
_SHARED_KEY = "graph_id"
"""Launches share its rows, so that batches which have nothing else in common may have the same."""


@dataclass(frozen=True)
class Part:
    """A file of a table: its path within the table's folder, its month, and what the log says."""

    table: str
    path: str
    month: str
    size: int
    rows: int


@dataclass(frozen=True)
class Batch:
    """What is committed at once: the ids in ``sources``, and the parts of all tables."""

    ids: tuple[str, ...]
    parts: tuple[Part, ...]

    @property
    def name(self) -> str:
        """Of its content, so that the same batch is never committed twice."""
        return _hash("\n".join(sorted(part.path for part in self.parts)).encode())

    def of(self, table: str) -> list[Part]:
        """Its parts of one table."""
        return [part for part in self.parts if part.table == table]


def stage(dataset: Dataset, collected: Iterable[Collected]) -> Batch | None:
    """Writes rows of different files as parts, and the manifest of them; None if there are none.

    Operators of graphs that the dataset has are left out.
    """
    graphs = set(dataset.known(SHARED, _SHARED_KEY))
    rows: dict[tuple[str, str], list[Mapping[str, Any]]] = {}
    ids: list[str] = []
    for one in collected:
        ids.append(one.source_id)
        graph = {row["graph_id"] for row in one.rows.get("launches", [])}
        for table, of_table in one.rows.items():
            if table == SHARED and graph <= graphs:
                continue
            rows.setdefault((table, one.month), []).extend(of_table)
        graphs |= graph
    tables = {key: TABLES[key[0]].rows(of_key) for key, of_key in rows.items()}
    return _staged(dataset, ids, tables)


def _staged(
    dataset: Dataset, ids: Sequence[str], tables: Mapping[tuple[str, str], Any]
) -> Batch | None:
    if not ids:
        return None
    parts = [
        write_part(dataset, table, month, rows)
        for (table, month), rows in sorted(tables.items(), key=lambda item: item[0])
        if rows.num_rows
    ]
    batch = Batch(tuple(ids), tuple(parts))
    step("parts")
    manifest = {"ids": batch.ids, "parts": [vars(part) for part in batch.parts]}
    dataset.write(pending_name(batch.name), json.dumps(manifest).encode())
    step("manifest")
    return batch


def write_part(dataset: Dataset, table: str, month: str, rows: Any) -> Part:
    """Writes rows as a part.

    Again, if somebody wrote the same: an old one that no table has is about to be deleted.
    """
    library("pyarrow", "fleet")
    import pyarrow.parquet

    buffer = io.BytesIO()
    pyarrow.parquet.write_table(
        rows,
        buffer,
        compression="zstd",
        row_group_size=_ROWS_OF_SAMPLES if table == "samples" else None,
    )
    content = buffer.getvalue()
    path = f"{MONTH}={month}/{_hash(content)}.parquet"
    dataset.write(f"{table}/{path}", content)
    step(table)
    return Part(table, path, month, len(content), rows.num_rows)


def load(dataset: Dataset, manifest: str) -> Batch | None:
    """The batch of a manifest; None if somebody finished it.

    Raises
    ------
    FleetError
        It is damaged.
    """
    content = dataset.read(manifest)
    if content is None:
        return None
    try:
        found = json.loads(content)
        return Batch(tuple(found["ids"]), tuple(Part(**part) for part in found["parts"]))
    except (ValueError, TypeError, KeyError):
        raise FleetError(
            f"{dataset.uri}/{manifest}: is damaged",
            hint="delete it; what was to be collected then is collected when it is named again",
        ) from None


def commit(dataset: Dataset, batch: Batch) -> int:
    """Commits a batch, or what of it is not there; how many ids were added.

    May be called for one batch by many, at once or again.
    """
    deltalake = library("deltalake", "fleet")
    while True:
        sources = dataset.delta(DECISIVE)
        if sources.transaction_version(batch.name) is not None:
            added = len(batch.ids)
            break
        known = dataset.known(DECISIVE, "source_id") & set(batch.ids)
        if sources.version() != dataset.delta(DECISIVE).version():
            # Known may be of this very batch, which somebody else has just decided.
            continue
        if known:
            rest = _without(dataset, batch, known)
            added = commit(dataset, rest) if rest else 0
            dataset.remove(pending_name(batch.name))
            return added
        try:
            _append(sources, batch.name, batch.of(DECISIVE), DECISIVE)
            step("decided")
        except deltalake.exceptions.CommitFailedError as error:
            check_overtaken(dataset, DECISIVE, sources, error)
    for table in TABLES:
        if table != DECISIVE and batch.of(table):
            _append_once(dataset, table, batch)
            step(f"committed {table}")
    dataset.remove(pending_name(batch.name))
    return added


def opened(uri: StrPath, storage_options: Mapping[str, str] | None) -> Dataset:
    """A dataset to be asked, in which nothing is unfinished.

    Raises
    ------
    FleetError
        There is none, or it is of a later version.
    """
    dataset = Dataset.open(os.fspath(uri), storage_options)
    finish(dataset)
    return dataset


def finish(dataset: Dataset) -> None:
    """Commits what others left unfinished."""
    for manifest in dataset.pending():
        batch = load(dataset, manifest)
        if batch:
            commit(dataset, batch)


def _append_once(dataset: Dataset, table: str, batch: Batch) -> None:
    deltalake = library("deltalake", "fleet")
    while True:
        found = dataset.delta(table)
        if found.transaction_version(batch.name) is not None:
            return
        parts = batch.of(table)
        if table == SHARED:
            # Two that saw a graph first at the same moment both have its operators.
            graphs = dataset.known(table, _SHARED_KEY)
            if found.version() != dataset.delta(table).version():
                continue
            parts = _new(dataset, parts, _SHARED_KEY, graphs)
        try:
            _append(found, batch.name, parts, table)
            return
        except deltalake.exceptions.CommitFailedError as error:
            check_overtaken(dataset, table, found, error)


def check_overtaken(dataset: Dataset, table: str, was: Any, error: Exception) -> None:
    """Sees to it that what failed is tried again only if somebody else was faster.

    Raises
    ------
    FleetError
        Nobody was: it would fail for ever.
    """
    if dataset.delta(table).version() == was.version():
        raise FleetError(f"{dataset.uri}/{table}: cannot be written: {error}") from None


def _append(found: Any, batch: str, parts: Sequence[Part], table: str) -> None:
    """Adds parts to the version that was found, and to no other: ids were looked up in it."""
    deltalake = library("deltalake", "fleet")
    properties = deltalake.CommitProperties(
        app_transactions=[deltalake.Transaction(batch, 1)], max_commit_retries=0
    )
    found.create_write_transaction(
        [added(part) for part in parts],
        "append",
        deltalake.Schema.from_arrow(TABLES[table].with_month()),
        [MONTH],
        commit_properties=properties,
    )


def added(part: Part, is_new: bool = True) -> Any:
    """What the log says of a part: that it was added."""
    deltalake = library("deltalake", "fleet")
    return deltalake.transaction.AddAction(
        path=part.path,
        size=part.size,
        partition_values={MONTH: part.month},
        modification_time=0,
        data_change=is_new,
        stats=json.dumps({"numRecords": part.rows}),
    )


def _without(dataset: Dataset, batch: Batch, known: set[str]) -> Batch | None:
    """A batch without the sources that somebody else committed meanwhile."""
    ids = [source for source in batch.ids if source not in known]
    rest = {(part.table, part.month): _rest(dataset, part, known) for part in batch.parts}
    return _staged(dataset, ids, rest)


def _rest(dataset: Dataset, part: Part, known: set[str]) -> Any:
    column = TABLES[part.table].key[0]
    rows = read_part(dataset, part)
    return rows if part.table == SHARED else _unknown(rows, column, known)


def _new(dataset: Dataset, parts: Sequence[Part], column: str, known: set[str]) -> list[Part]:
    """Parts without the rows that are known; those that have none stay as they are."""
    new = []
    for part in parts:
        rows = read_part(dataset, part)
        rest = _unknown(rows, column, known)
        if rest.num_rows == rows.num_rows:
            new.append(part)
        elif rest.num_rows:
            new.append(write_part(dataset, part.table, part.month, rest))
    return new


def _unknown(rows: Any, column: str, known: set[str]) -> Any:
    import pyarrow
    import pyarrow.compute

    values = pyarrow.array(sorted(known), pyarrow.string())
    is_known = pyarrow.compute.is_in(rows[column], value_set=values)
    return rows.filter(pyarrow.compute.invert(is_known))


def read_part(dataset: Dataset, part: Part) -> Any:
    """The rows of a part."""
    import pyarrow.parquet

    content = dataset.read(f"{part.table}/{part.path}")
    assert content is not None, part.path
    return pyarrow.parquet.read_table(io.BytesIO(content))


def _hash(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def _passed(name: str) -> None:
    """Between two steps; tests end the process here."""


step: Callable[[str], None] = _passed
