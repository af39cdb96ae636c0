"""A dataset: a folder with a Delta table for each table of `schema`, and a mark of its version."""

from __future__ import annotations

import json
import uuid
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

from .errors import FleetError, library
from .schema import MONTH, TABLES, VERSION
from .storage import filesystem, is_local, local_path

if TYPE_CHECKING:
    from deltalake import DeltaTable

_MARK = "_onnxray/dataset.json"
_PENDING = "_onnxray/pending"
_KEY = "onnxray_fleet"


class Dataset:
    """A dataset by its URI: its files, its tables, and what is known of it.

    ``storage_options`` go to deltalake, for object stores; fsspec has its own configuration.

    Raises
    ------
    FleetError
        Nothing reads its URI, or deltalake cannot write into a folder of that name.
    """

    def __init__(self, uri: str, storage_options: Mapping[str, str] | None = None) -> None:
        # Executors have another current folder, and deltalake knows no `~`.
        self.uri = local_path(uri) if is_local(uri) else uri.rstrip("/")
        if unquote(self.uri) != self.uri or not self.uri.isprintable():
            # deltalake would write into the folder whose name that is decoded.
            raise FleetError(
                f"{uri!r}: a dataset cannot be called like that, with % or what is not printed",
                hint="choose another folder",
            )
        self.storage_options = dict(storage_options or {})
        self._files, self._root = filesystem(self.uri)
        self._known: dict[str, set[str]] = {}
        self._read: set[str] = set()

    @classmethod
    def open(cls, uri: str, storage_options: Mapping[str, str] | None = None) -> Dataset:
        """Opens a dataset that is there.

        Raises
        ------
        FleetError
            There is none, or it is of a later version.
        """
        dataset = cls(uri, storage_options)
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
            version = json.loads(mark)[_KEY]
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

    def _exists(self) -> bool:
        """Whether something is there, besides what somebody is making a dataset of."""
        try:
            names = self._files.ls(self._root, detail=False)
        except FileNotFoundError:
            return False
        except NotADirectoryError:
            return True
        begun = _MARK.split("/")[0]
        return any(str(name).rstrip("/").rsplit("/", 1)[-1] != begun for name in names)

    def path(self, name: str) -> str:
        """The path of a file of the dataset, as fsspec knows it."""
        return f"{self._root}/{name}"

    def read(self, name: str) -> bytes | None:
        """A file of the dataset; None if it is not there."""
        try:
            content: bytes = self._files.cat_file(self.path(name))
        except (FileNotFoundError, NotADirectoryError):
            return None
        return content

    def write(self, name: str, content: bytes) -> None:
        """Writes a file that appears whole or not at all."""
        target = self.path(name)
        if not is_local(self.uri):
            self._files.pipe_file(target, content)
            return
        self._files.makedirs(target.rsplit("/", 1)[0], exist_ok=True)
        unfinished = f"{target}.{uuid.uuid4().hex}.unfinished"
        self._files.pipe_file(unfinished, content)
        self._files.mv(unfinished, target)

    def opened(self, name: str) -> Any:
        """A file of the dataset, to be read in parts."""
        return self._files.open(self.path(name), "rb")

    def remove(self, name: str) -> None:
        """Removes a file, unless somebody else did."""
        with suppress(FileNotFoundError):
            self._files.rm_file(self.path(name))

    def pending(self) -> list[str]:
        """Manifests of batches that may not be committed yet."""
        try:
            names = self._files.ls(self.path(_PENDING), detail=False)
        except FileNotFoundError:
            return []
        ends = sorted(str(name).rsplit("/", 1)[-1] for name in names)
        return [pending_name(end.removesuffix(".json")) for end in ends if end.endswith(".json")]

    def delta(self, table: str) -> DeltaTable:
        """The newest version of a table, which is made if it is not there."""
        deltalake = library("deltalake", "fleet")
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
        """The files of a table's newest version, within the folder of the table."""
        actions = self.delta(table).get_add_actions(flatten=True)
        return sorted(str(path) for path in actions.column("path").to_pylist())

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

        schema = TABLES[table].with_month()
        folder = self.path(table)
        local = pyarrow.fs.LocalFileSystem() if is_local(self.uri) else self._files
        return pyarrow.dataset.dataset(
            [f"{folder}/{part}" for part in parts],
            schema=schema,
            filesystem=local,
            format="parquet",
            partitioning=pyarrow.dataset.partitioning(
                pyarrow.schema([(MONTH, pyarrow.string())]), flavor="hive"
            ),
            partition_base_dir=folder,
        )

    def known(self, table: str, column: str) -> set[str]:
        """Ids in the newest version of a table; files are read once, since they do not change."""
        found = self._known.setdefault(table, set())
        new = [part for part in self.parts(table) if f"{table}/{part}" not in self._read]
        if new:
            for batch in self._arrow(table, new).to_batches(columns=[column]):
                found.update(batch.column(0).to_pylist())
            self._read.update(f"{table}/{part}" for part in new)
        return found


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
