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
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from .._messages import warn
from ..arguments import StrPath
from .dataset import Dataset, month_of, parsed, pending_name
from .errors import FleetError, library
from .reading import Collected
from .schema import MONTH, TABLES, is_month

DECISIVE = "sources"

_ROWS_OF_SAMPLES = 64
"""In a row group, which is read as a whole."""

_ID = re.compile("[0-9a-f]{64}")

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

    @property
    def name(self) -> str:
        """Its name in the dataset."""
        return f"{self.table}/{self.path}"


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

    Raises
    ------
    FleetError
        The month is something else, and would become part of a path.
    """
    if not is_month(month):
        raise FleetError(f"{month}: is not a month")
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
        found = parsed(content)
        batch = Batch(tuple(map(_id, found["ids"])), tuple(map(_part, found["parts"])))
        # It is called after what is in it.
        if pending_name(batch.name) == manifest:
            return batch
    except (ValueError, TypeError, KeyError, FleetError):
        pass
    raise FleetError(
        f"{dataset.uri}/{manifest}: is damaged",
        hint="delete it; what was to be collected then is collected when it is named again",
    )


def _id(value: object) -> str:
    if not isinstance(value, str) or not _ID.fullmatch(value):
        raise ValueError
    return value


def _part(found: Mapping[str, Any]) -> Part:
    part = Part(**found)
    numbers = (part.size, part.rows)
    if part.table not in TABLES or not all(type(number) is int for number in numbers):
        raise ValueError
    if min(numbers) < 0 or month_of(part.path, part.table) != part.month:
        raise ValueError
    return part


def commit(dataset: Dataset, batch: Batch) -> int:
    """Commits a batch, or what of it is not there; how many ids were added.

    May be called for one batch by many, at once or again. Of a batch whose files are gone before it
    is decided, nothing is added, and a warning says so.
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
        if gone := [part.name for part in batch.parts if dataset.size(part.name) != part.size]:
            manifest = dataset.path(pending_name(batch.name))
            warn([f"{manifest}: left as it is: {gone[0]} is gone or cut off; delete it"])
            return 0
        try:
            _append(sources, batch.name, batch.of(DECISIVE), DECISIVE)
            step("decided")
        except deltalake.exceptions.CommitFailedError as error:
            check_overtaken(dataset, DECISIVE, sources, error)
    for table in TABLES:
        if table != DECISIVE and batch.of(table):
            _append_once(dataset, table, batch)
            step(f"committed {table}")
    for table in TABLES:
        if batch.of(table):
            dataset.settle(table)
    dataset.remove(pending_name(batch.name))
    return added


def opened(
    uri: StrPath, storage_options: Mapping[str, str] | None, schemes: Iterable[str] = ()
) -> Dataset:
    """A dataset to be asked, in which nothing is unfinished.

    Raises
    ------
    FleetError
        There is none, or it is of a later version.
    """
    dataset = Dataset.open(os.fspath(uri), storage_options, schemes)
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
        parts = [part for part in batch.of(table) if dataset.size(part.name) is not None]
        # Two that saw a graph first at the same moment both have its operators. And where it is
        # forgotten what was collected, what is collected again has its rows already.
        if table == SHARED or dataset.is_damaged(DECISIVE):
            key = TABLES[table].key[0]
            known = dataset.known(table, key)
            if found.version() != dataset.delta(table).version():
                continue
            parts = _new(dataset, parts, key, known)
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

    dataset.check_rows(part.name)
    with dataset.opened(part.name) as file:
        return pyarrow.parquet.read_table(file)


def _hash(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def _passed(name: str) -> None:
    """Between two steps; tests end the process here."""


step: Callable[[str], None] = _passed
