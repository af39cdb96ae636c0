"""A dataset's folder: the one door to its files, on this machine or wherever fsspec reaches.

Whoever made the dataset may be a stranger. So nothing in it leads out of it: there are no links,
each file is a regular one, and each is read up to a bound.
"""

from __future__ import annotations

import os
import stat
from contextlib import suppress
from typing import IO, Any, Protocol

from .. import _files
from ..errors import Error
from .errors import FleetError
from .storage import filesystem, is_local

_MOST_OF_LOG = 256 << 20
"""Bytes of a file of a table's log, which deltalake reads as a whole."""


class Folder(Protocol):
    """Files by their names in the folder, with ``/`` between the parts of a name."""

    filesystem: Any
    """What pyarrow reads tables by; None is this machine."""

    def path(self, name: str) -> str:
        """The path of a file, as what reads it knows it."""

    def names(self, name: str) -> list[str] | None:
        """Names of what is in a folder; None if it is not there."""

    def read(self, name: str, most: int) -> bytes | None:
        """A file of at most so many bytes; None if it is not there."""

    def opened(self, name: str) -> IO[bytes]:
        """A file, to be read in parts."""

    def size(self, name: str) -> int | None:
        """Bytes of a file; None if it is not there."""

    def write(self, name: str, content: bytes) -> None:
        """Writes a file that appears whole or not at all, and is there after a power cut."""

    def remove(self, name: str) -> None:
        """Removes a file, unless somebody else did."""

    def check(self, table: str) -> None:
        """Sees to it that deltalake, which opens by itself, finds a table's own log only."""

    def check_all(self, table: str) -> None:
        """The same of all its files, some of which are about to be deleted."""

    def settle(self, table: str) -> None:
        """Sees to it that what was committed to a table is there after a power cut."""

    def clean(self, name: str) -> None:
        """Removes what killed processes never finished in a folder."""


def folder(uri: str) -> Folder:
    """The folder of a URI, whose path is absolute if it is local.

    Raises
    ------
    FleetError
        Nothing reads its URI.
    """
    return _Local(uri) if is_local(uri) else _Remote(uri)


class _Local:
    filesystem = None

    def __init__(self, root: str) -> None:
        self._root = root

    def path(self, name: str) -> str:
        return f"{self._root}/{name}" if name else self._root

    def names(self, name: str) -> list[str] | None:
        if name:
            self._own(name)
        try:
            return os.listdir(self.path(name))
        except FileNotFoundError:
            return None

    def read(self, name: str, most: int) -> bytes | None:
        try:
            return _files.read(self._own(name), most)
        except (FileNotFoundError, NotADirectoryError):
            return None

    def opened(self, name: str) -> IO[bytes]:
        return _files.opened(self._own(name))

    def size(self, name: str) -> int | None:
        try:
            found = os.lstat(self._own(name))
        except (FileNotFoundError, NotADirectoryError):
            return None
        if not stat.S_ISREG(found.st_mode):
            raise FleetError(f"{self.path(name)}: is not a file")
        return found.st_size

    def write(self, name: str, content: bytes) -> None:
        path = self._own(name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        try:
            _files.write(path, content, force=True, lasting=True)
        except Error as error:
            raise FleetError(error.message, hint=error.hint) from None

    def remove(self, name: str) -> None:
        with suppress(FileNotFoundError):
            os.unlink(self._own(name))

    def check(self, table: str) -> None:
        log = f"{table}/_delta_log"
        for name in self.names(log) or ():
            path = self.path(f"{log}/{name}")
            with suppress(FileNotFoundError):
                found = os.lstat(path)
                if stat.S_ISDIR(found.st_mode):
                    continue
                if not stat.S_ISREG(found.st_mode):
                    raise FleetError(f"{path}: is not a file", hint=_HINT)
                if found.st_size > _MOST_OF_LOG:
                    raise FleetError(f"{path}: is larger than {_MOST_OF_LOG >> 20} MiB")

    def check_all(self, table: str) -> None:
        self.check(table)
        for folder, folders, names in os.walk(self._own(table)):
            for name in (*folders, *names):
                path = os.path.join(folder, name)
                if os.path.islink(path):
                    raise FleetError(f"{path}: is a link", hint=_HINT)

    def settle(self, table: str) -> None:
        log = f"{table}/_delta_log"
        newest = max((name for name in self.names(log) or () if name.endswith(".json")), default="")
        if newest:
            _files.last(self._own(f"{log}/{newest}"))
        _files.last(self.path(log))

    def clean(self, name: str) -> None:
        _files.remove_leftovers(self._own(name))

    def _own(self, name: str) -> str:
        """The path of a file that is in the folder, with no link on the way from there.

        Raises
        ------
        FleetError
            There is one.
        """
        parts = name.split("/")
        for count in range(1, len(parts) + 1):
            path = self.path("/".join(parts[:count]))
            if parts[count - 1] in ("", ".", "..") or os.path.islink(path):
                raise FleetError(f"{path}: leads out of the dataset", hint=_HINT)
        return self.path(name)


_HINT = "a dataset has files and folders of its own only, and no links"


class _Remote:
    def __init__(self, uri: str) -> None:
        self.filesystem, self._root = filesystem(uri)

    def path(self, name: str) -> str:
        return f"{self._root}/{name}" if name else self._root

    def names(self, name: str) -> list[str] | None:
        try:
            names = self.filesystem.ls(self.path(name), detail=False)
        except FileNotFoundError:
            return None
        return [str(name).rstrip("/").rsplit("/", 1)[-1] for name in names]

    def read(self, name: str, most: int) -> bytes | None:
        try:
            with self.opened(name) as file:
                content = file.read(most + 1)
        except (FileNotFoundError, NotADirectoryError):
            return None
        if len(content) > most:
            raise FleetError(f"{self.path(name)}: is larger than {most >> 20} MiB")
        return content

    def opened(self, name: str) -> IO[bytes]:
        found: IO[bytes] = self.filesystem.open(self.path(name), "rb")
        return found

    def size(self, name: str) -> int | None:
        try:
            found: Any = self.filesystem.info(self.path(name))["size"]
        except FileNotFoundError:
            return None
        return int(found or 0)

    def write(self, name: str, content: bytes) -> None:
        # An object appears whole.
        self.filesystem.pipe_file(self.path(name), content)

    def remove(self, name: str) -> None:
        with suppress(FileNotFoundError):
            self.filesystem.rm_file(self.path(name))

    def check(self, table: str) -> None:
        """Objects are no links."""

    def check_all(self, table: str) -> None:
        """Objects are no links."""

    def settle(self, table: str) -> None:
        """Objects that were written are there."""

    def clean(self, name: str) -> None:
        """An object that is not whole has no name."""
