"""Many small files into few large ones."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ..arguments import StrPath
from . import committing
from .committing import Part, added, read_part, write_part
from .dataset import Dataset, month_of
from .errors import in_a_sentence, library
from .schema import MONTH, TABLES

__all__ = ["Compacted", "compact"]

_LARGE = 128 << 20
"""Files of at least this many bytes stay as they are, and none becomes much larger."""

_KEPT_HOURS = 7 * 24
"""Files that no table has any more stay for readers that began before."""


@dataclass(frozen=True)
class Compacted:
    """What was done.

    Attributes
    ----------
    before, after : int
        Files of all tables.
    removed : int
        Files that were deleted: those that no table has for a week, such as what was never
        committed.
    """

    before: int
    after: int
    removed: int

    def __str__(self) -> str:
        return f"{self.before} files became {self.after}; {self.removed} old ones were deleted"


@in_a_sentence
def compact(
    dataset: StrPath,
    *,
    storage_options: Mapping[str, str] | None = None,
    keep_hours: int = _KEPT_HOURS,
) -> Compacted:
    """Joins small files of each month, and deletes files that no table has any more.

    No row is lost or read twice meanwhile; who reads an older version finds its files for
    ``keep_hours``.

    Parameters
    ----------
    dataset : path or URI
        The dataset.
    storage_options : mapping of str to str, optional
        Options of deltalake for the dataset's object store.
    keep_hours : int
        How long files stay that no table has any more; less than a collection takes loses it.

    Raises
    ------
    FleetError
        It is no dataset.
    """
    found = committing.opened(dataset, storage_options)
    before = removed = after = 0
    for table in TABLES:
        before += len(found.parts(table))
        _compact(found, table)
        found.clean(table)
        delta = found.delta(table)
        delta.create_checkpoint()
        removed += len(
            delta.vacuum(keep_hours, dry_run=False, enforce_retention_duration=False, full=True)
        )
        after += len(found.parts(table))
    return Compacted(before, after, removed)


def _compact(dataset: Dataset, table: str) -> None:
    deltalake = library("deltalake", "fleet")
    while True:
        delta = dataset.delta(table)
        actions = delta.get_add_actions(flatten=True)
        columns = (actions.column(name).to_pylist() for name in ("path", "size_bytes"))
        there = set(dataset.parts(table))
        parts = [
            Part(table, path, month_of(path, table), size, 0)
            for path, size in zip(*columns, strict=True)
            if path in there
        ]
        groups = list(_groups(parts))
        if not groups:
            return
        changed: list[Any] = []
        for group in groups:
            changed += [_removed(part) for part in group]
            changed.append(added(_joined(dataset, group), is_new=False))
        try:
            delta.create_write_transaction(
                changed,
                "append",
                deltalake.Schema.from_arrow(TABLES[table].with_month()),
                [MONTH],
                commit_properties=deltalake.CommitProperties(max_commit_retries=0),
            )
        except deltalake.exceptions.CommitFailedError as error:
            committing.check_overtaken(dataset, table, delta, error)
            continue
        committing.step(f"joined {table}")
        return


def _groups(parts: Sequence[Part]) -> Iterator[list[Part]]:
    """Small files of one month, up to one large file together."""
    group: list[Part] = []
    small = [part for part in parts if part.size < _LARGE]
    for part in sorted(small, key=lambda part: (part.month, part.path)):
        is_full = sum(one.size for one in group) + part.size > _LARGE
        if group and (is_full or part.month != group[0].month):
            if len(group) > 1:
                yield group
            group = []
        group.append(part)
    if len(group) > 1:
        yield group


def _joined(dataset: Dataset, group: Sequence[Part]) -> Part:
    import pyarrow

    rows = pyarrow.concat_tables([read_part(dataset, part) for part in group])
    return write_part(dataset, group[0].table, group[0].month, rows)


def _removed(part: Part) -> Any:
    import time

    deltalake = library("deltalake", "fleet")
    return deltalake.transaction.RemoveAction(
        part.path, False, int(time.time() * 1000), part.size, {MONTH: part.month}
    )
