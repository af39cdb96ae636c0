"""Names of recordings: processes of one run that make the same session are its launches.

They meet in a folder. Each has a folder in it for as long as it runs, called by its number, and the
name of each recording is in a file there. Who leaves last removes it.
"""

from __future__ import annotations

import itertools
import os
import tempfile
import time
from contextlib import suppress
from pathlib import Path

from . import _files

_NAME = "recording-"


class Meeting:
    """The folder where processes of a run meet."""

    def __init__(self, folder: Path, most: int | None = None) -> None:
        self.folder = folder
        self._most = most

    def enter(self) -> Path:
        """Makes the folder of this process; what is left of runs that were killed goes."""
        self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        with _files.locked(self.folder):
            own = Path(tempfile.mkdtemp(prefix=f"{os.getpid()}-", dir=self.folder))
            if all(each == own or not is_alive(number_of(each)) for each in self.processes()):
                for file in self.folder.glob(f"{_NAME}*"):
                    file.unlink(missing_ok=True)
        return own

    def processes(self) -> list[Path]:
        """The folders of all processes, of killed ones as well."""
        return sorted(self.folder.glob("[0-9]*-*"))

    def leave(self, own: Path) -> None:
        """Removes the folder of this process, if it is empty, and what nobody needs any more."""
        with suppress(OSError), _files.locked(self.folder):
            with suppress(OSError):
                own.rmdir()
            if not self.processes():
                for file in self.folder.glob(f"{_NAME}*"):
                    file.unlink(missing_ok=True)
                self.folder.rmdir()

    def names(self) -> list[str]:
        """The recordings of all processes so far."""
        return sorted(_text(file) for file in self.folder.glob(f"{_NAME}*"))

    def name(self, key: str, began: float, trace: Path, table: Path) -> Path:
        """Gives a launch its name, and returns its trace.

        The recording is that of the launches with the same key, unless it has as many as there may
        be. A new one is called by the time at which it began, or the next second that is free.
        """
        with _files.locked(self.folder):
            file = self.folder / f"{_NAME}{key}"
            numbers = itertools.count() if self._most is None else range(self._most)
            if file.exists():
                for number in numbers:
                    if found := _claim(trace, table, f"{_text(file)}_{number}"):
                        return found
            while True:
                name = time.strftime("profiling_%Y-%m-%d_%H-%M-%S", time.localtime(began))
                is_taken = any(trace.parent.glob(f"{name}_*"))
                if not is_taken and (found := _claim(trace, table, f"{name}_0")):
                    _files.write(file, name, force=True)
                    return found
                began += 1


def _claim(trace: Path, table: Path, name: str) -> Path | None:
    recording, with_it = trace.with_name(f"{name}.json"), table.with_name(f"{name}.csv")
    if os.path.lexists(with_it) or not _files.claim(trace, recording):
        return None
    _files.claim(table, with_it)
    return recording


def _text(file: Path) -> str:
    return _files.read(file, 1000).decode()


def number_of(folder: Path) -> int:
    """The process that a folder is of."""
    return int(folder.name.partition("-")[0])


def is_alive(process: int) -> bool:
    """Whether a process runs."""
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except OSError:
        pass
    return True
