"""A dataset: a folder with a Delta table for each table of `schema`, and a mark of its version."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping
from typing import IO, TYPE_CHECKING, Any
from urllib.parse import unquote

from .._messages import warn
from .errors import FleetError, library
from .folder import folder
from .schema import MONTH, TABLES, VERSION, is_month
from .storage import is_local, local_path
from .storage import schemes as schemes_of

if TYPE_CHECKING:
    from deltalake import DeltaTable

_STATE = "_onnxray"
_MARK = f"{_STATE}/dataset.json"
_PENDING = f"{_STATE}/pending"
_KEY = "onnxray_fleet"
_MOST_OF_STATE = 16 << 20
"""Bytes of the mark and of a manifest."""
_PART = re.compile(rf"{MONTH}=([^/]+)/[A-Za-z0-9][A-Za-z0-9._-]*\.parquet")
"""Also what deltalake itself would join is called like that."""


class Dataset:
    """A dataset by its URI: its files, its tables, and what is known of it.

    ``storage_options`` go to deltalake, for object stores; fsspec has its own configuration.
    ``schemes`` are those of URIs that may be opened since the dataset names them, besides its own.

    Raises
    ------
    FleetError
        Nothing reads its URI, or deltalake cannot write into a folder of that name.
    """

    def __init__(
        self,
        uri: str,
        storage_options: Mapping[str, str] | None = None,
        schemes: Iterable[str] = (),
    ) -> None:
        # Executors have another current folder, and deltalake knows no `~`.
        self.uri = local_path(uri) if is_local(uri) else uri.rstrip("/")
        if unquote(self.uri) != self.uri or not self.uri.isprintable():
            # deltalake would write into the folder whose name that is decoded.
            raise FleetError(
                f"{uri!r}: a dataset cannot be called like that, with % or what is not printed",
                hint="choose another folder",
            )
        self.storage_options = dict(storage_options or {})
        self.schemes = frozenset(schemes_of(self.uri)) | frozenset(schemes)
        self._folder = folder(self.uri)
        self._known: dict[str, set[str]] = {}
        self._read: set[str] = set()
        self._there: set[str] = set()
        self._gone: set[str] = set()
        self._counted: set[str] = set()

    @classmethod
    def open(
        cls,
        uri: str,
        storage_options: Mapping[str, str] | None = None,
        schemes: Iterable[str] = (),
    ) -> Dataset:
        """Opens a dataset that is there.

        Raises
        ------
        FleetError
            There is none, or it is of a later version.
        """
        dataset = cls(uri, storage_options, schemes)
        mark = dataset.read(_MARK)
        if mark is None:
            raise FleetError(f"{uri}: no dataset there", hint="onnxray.fleet.collect makes one")
        dataset._check(mark)
        return dataset

    @classmethod
    def open_or_new(cls, uri: str, storage_options: Mapping[str, str] | None = None) -> Dataset:
        """Opens a dataset, or makes one in a folder that is empty or not there.

        Raises
        ------
        FleetError
            The folder holds something else, or a dataset of a later version.
        """
        dataset = cls(uri, storage_options)
        # In this order: what somebody else makes at the same moment has its mark first.
        is_there = dataset._exists()
        mark = dataset.read(_MARK)
        if mark is not None:
            dataset._check(mark)
        elif is_there:
            raise FleetError(
                f"{uri}: no dataset there, and not empty",
                hint="name a folder that is not there yet",
            )
        else:
            dataset.write(_MARK, json.dumps({_KEY: VERSION}).encode())
        return dataset

    def _check(self, mark: bytes) -> None:
        try:
            version = parsed(mark)[_KEY]
            is_later = int(version) > VERSION
        except (ValueError, TypeError, KeyError, OverflowError):
            raise FleetError(
                f"{self.uri}/{_MARK}: is damaged", hint=f'it should be {{"{_KEY}": {VERSION}}}'
            ) from None
        if is_later:
            raise FleetError(
                f"{self.uri}: is of version {version}, and this onnxray reads up to {VERSION}",
                hint="pip install --upgrade onnxray",
            )
        for table in TABLES:
            self._folder.check(table)

    def _exists(self) -> bool:
        """Whether something is there, besides what somebody is making a dataset of."""
        try:
            names = self._folder.names("") or []
        except NotADirectoryError:
            return True
        return any(name != _STATE for name in names)

    def path(self, name: str) -> str:
        """The path of a file of the dataset, as what reads it knows it."""
        return self._folder.path(name)

    def read(self, name: str) -> bytes | None:
        """A small file of the dataset; None if it is not there."""
        return self._folder.read(name, _MOST_OF_STATE)

    def write(self, name: str, content: bytes) -> None:
        """Writes a file that appears whole or not at all, and is there after a power cut."""
        self._folder.write(name, content)

    def opened(self, name: str) -> IO[bytes]:
        """A file of the dataset, to be read in parts."""
        return self._folder.opened(name)

    def size(self, name: str) -> int | None:
        """Bytes of a file of the dataset; None if it is not there."""
        return self._folder.size(name)

    def remove(self, name: str) -> None:
        """Removes a file, unless somebody else did."""
        self._folder.remove(name)

    def settle(self, table: str) -> None:
        """Sees to it that what was committed to a table is there after a power cut."""
        self._folder.settle(table)

    def clean(self, table: str) -> None:
        """Removes what killed processes never finished; what is not the table's own is an error."""
        self._folder.check_all(table)
        months = {part.partition("/")[0] for part in self.parts(table)}
        for name in (_STATE, _PENDING, *(f"{table}/{month}" for month in months)):
            self._folder.clean(name)

    def pending(self) -> list[str]:
        """Manifests of batches that may not be committed yet."""
        names = sorted(self._folder.names(_PENDING) or ())
        return [pending_name(name.removesuffix(".json")) for name in names if _is_manifest(name)]

    def delta(self, table: str) -> DeltaTable:
        """The newest version of a table, which is made if it is not there."""
        deltalake = library("deltalake", "fleet")
        self._folder.check(table)
        uri = f"{self.uri}/{table}"
        options = self.storage_options or None
        try:
            found: DeltaTable = deltalake.DeltaTable(uri, storage_options=options)
        except deltalake.exceptions.TableNotFoundError:
            schema = deltalake.Schema.from_arrow(TABLES[table].with_month())
            found = retried(
                lambda: deltalake.DeltaTable.create(
                    uri, schema=schema, partition_by=[MONTH], mode="ignore", storage_options=options
                )
            )
        return found

    def parts(self, table: str) -> list[str]:
        """The files of a table's newest version, within the folder of the table.

        Those that are gone are not among them, and a warning names them.

        Raises
        ------
        FleetError
            The table's log names what is no file of the table.
        """
        actions = self.delta(table).get_add_actions(flatten=True)
        listed = sorted(str(path) for path in actions.column("path").to_pylist())
        for part in listed:
            month_of(part, f"{self.path(table)}/_delta_log")
        there = [part for part in listed if self._is_there(f"{table}/{part}")]
        gone = {f"{table}/{part}" for part in set(listed).difference(there)} - self._gone
        if gone:
            self._gone |= gone
            more = f" and {len(gone) - 1} more" if len(gone) > 1 else ""
            warn([f"{self.path(min(gone))}{more}: gone, with the rows that it held"])
        return there

    def _is_there(self, name: str) -> bool:
        # What is there stays, but for what was joined, which the log does not name any more.
        if name not in self._there and self.size(name) is not None:
            self._there.add(name)
        return name in self._there

    def is_damaged(self, table: str) -> bool:
        """Whether files of a table were found to be gone."""
        return any(name.startswith(f"{table}/") for name in self._gone)

    def paths(self, table: str) -> list[str]:
        """The same, as fsspec knows them."""
        return [self.path(f"{table}/{part}") for part in self.parts(table)]

    def arrow(self, table: str) -> Any:
        """The newest version of a table, to be queried: a ``pyarrow.dataset.Dataset``."""
        return self._arrow(table, self.parts(table))

    def _arrow(self, table: str, parts: list[str]) -> Any:
        library("pyarrow", "fleet")
        import pyarrow
        import pyarrow.dataset

        for part in parts:
            self.check_rows(f"{table}/{part}")
        schema = TABLES[table].with_month()
        folder = self.path(table)
        filesystem = self._folder.filesystem or pyarrow.fs.LocalFileSystem()
        return pyarrow.dataset.dataset(
            [f"{folder}/{part}" for part in parts],
            schema=schema,
            filesystem=filesystem,
            format="parquet",
            partitioning=pyarrow.dataset.partitioning(
                pyarrow.schema([(MONTH, pyarrow.string())]), flavor="hive"
            ),
            partition_base_dir=folder,
        )

    def check_rows(self, name: str) -> None:
        """Sees to it that a small file is no large table: none of ours has more rows than bytes.

        Raises
        ------
        FleetError
            It is one.
        """
        if name in self._counted:
            return
        import pyarrow.parquet

        with self.opened(name) as file:
            rows = pyarrow.parquet.read_metadata(file).num_rows
        if rows > (self.size(name) or 0):
            raise FleetError(f"{self.path(name)}: has {rows:,} rows, more than bytes")
        self._counted.add(name)

    def known(self, table: str, column: str) -> set[str]:
        """Ids in the newest version of a table; files are read once, since they do not change."""
        found = self._known.setdefault(table, set())
        new = [part for part in self.parts(table) if f"{table}/{part}" not in self._read]
        if new:
            for batch in self._arrow(table, new).to_batches(columns=[column]):
                found.update(batch.column(0).to_pylist())
            self._read.update(f"{table}/{part}" for part in new)
        return found


def month_of(part: str, log: str) -> str:
    """The month that a part is of, by its path.

    Raises
    ------
    FleetError
        That is no path of a part, and might lead anywhere.
    """
    found = _PART.fullmatch(part)
    if found is None or not is_month(found[1]):
        raise FleetError(
            f"{log}: names {part}, which is no file of the table",
            hint="collect the recordings into a new dataset",
        )
    return found[1]


def parsed(content: bytes | str) -> Any:
    """A value of JSON.

    Raises
    ------
    ValueError
        It is something else, or nested too deeply to be read.
    """
    try:
        return json.loads(content)
    except RecursionError:
        raise ValueError("too deeply nested") from None


def _is_manifest(name: str) -> bool:
    return name.endswith(".json") and not name.startswith(".")


def pending_name(batch: str) -> str:
    """The manifest of a batch."""
    return f"{_PENDING}/{batch}.json"


def retried(make: Callable[[], Any]) -> Any:
    """Does what fails if somebody else does it at the same moment; then it is done."""
    deltalake = library("deltalake", "fleet")
    for _ in range(20):
        try:
            return make()
        except deltalake.exceptions.CommitFailedError as error:
            last = error
    raise last
