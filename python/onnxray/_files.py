"""The one door to files of this machine: how each is opened, and how each is written.

What is opened is a regular file, and is read up to a bound. What is written appears whole or not at
all, never through a link, over nothing that is read, and over what exists only by ``force``.
"""

from __future__ import annotations

import errno
import os
import secrets
import stat
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Protocol

from .arguments import StrPath
from .errors import Error

_PREFIX, _SUFFIX = ".onnxray-", ".part"
"""What files are called until they are whole; the program knows them by these as well."""

_CHUNK = 1 << 20


def opened(path: StrPath, inside: StrPath | None = None) -> IO[bytes]:
    """Opens a regular file to be read, and waits for nothing.

    Parameters
    ----------
    path : path
        The file.
    inside : path, optional
        The folder that it must be in, wherever links lead.

    Raises
    ------
    OSError
        It cannot be opened, is something else, or is elsewhere.
    """
    if inside is not None and not is_inside(path, inside):
        raise OSError(errno.EPERM, f"leads out of {os.fspath(inside)}", os.fspath(path))
    # A pipe would be waited for, for ever.
    flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOCTTY", 0)
    try:
        descriptor = os.open(path, flags | getattr(os, "O_BINARY", 0))
    except ValueError as error:
        raise OSError(errno.EINVAL, str(error), os.fspath(path)) from None
    try:
        mode = os.fstat(descriptor).st_mode
        if stat.S_ISDIR(mode):
            raise OSError(errno.EISDIR, os.strerror(errno.EISDIR), os.fspath(path))
        if not stat.S_ISREG(mode):
            raise OSError(errno.EINVAL, "not a file", os.fspath(path))
        return os.fdopen(descriptor, "rb")
    except BaseException:
        os.close(descriptor)
        raise


def read(path: StrPath, most: int, inside: StrPath | None = None) -> bytes:
    """Reads a file of at most so many bytes; see `opened`.

    Raises
    ------
    OSError
        It cannot be opened, or is larger.
    """
    with opened(path, inside) as file:
        content = file.read(most + 1)
    if len(content) > most:
        raise OSError(errno.EFBIG, f"is larger than {most >> 20} MiB", os.fspath(path))
    return content


class Readable(Protocol):
    """What pieces are read from."""

    def read(self, size: int, /) -> bytes:
        """As much as there is, and at most so much; nothing at the end."""


def pieces(file: Readable) -> Iterator[bytes]:
    """What is left of a file, one piece after the other."""
    return iter(lambda: file.read(_CHUNK), b"")


def is_inside(path: StrPath, folder: StrPath) -> bool:
    """Whether a path is in a folder, wherever links lead."""
    whole = os.path.realpath(folder)
    return os.path.realpath(path).startswith(os.path.join(whole, ""))


def check(
    path: StrPath,
    *,
    force: bool = False,
    inputs: Iterable[StrPath] = (),
    outside: StrPath | None = None,
) -> None:
    """Whether a file may be written, before long work begins.

    Parameters
    ----------
    path : path
        The file.
    force : bool
        Whether it may take the place of one that is there; of a link, never of its target.
    inputs : iterable of paths
        What is read, and is never written over.
    outside : path, optional
        A folder that nothing is written into.

    Raises
    ------
    Error
        It may not.
    """
    shown = os.fspath(path)
    if os.path.isdir(path):
        raise Error(f"{shown}: is a folder", file=shown)
    for read in inputs:
        if _is_same(path, read):
            raise Error(f"{shown}: is what is read", file=shown, hint="choose another name")
    if outside is not None and is_inside(path, outside):
        hint = "choose another place"
        raise Error(f"{shown}: is in {os.fspath(outside)}", file=shown, hint=hint)
    if os.path.lexists(path) and not force:
        hint = "force=True (--force) replaces it"
        raise Error(f"{shown}: already exists", file=shown, hint=hint)
    folder = os.path.dirname(shown) or os.curdir
    if not os.path.isdir(folder):
        raise Error(f"{shown}: cannot write there: no folder {folder}", file=shown)


def _is_same(one: StrPath, other: StrPath) -> bool:
    try:
        return os.path.samefile(one, other)
    except OSError:
        return False


def write(
    path: StrPath,
    content: bytes | str | Iterable[bytes],
    *,
    force: bool = False,
    inputs: Iterable[StrPath] = (),
    outside: StrPath | None = None,
    lasting: bool = False,
) -> None:
    """Writes a file that appears whole or not at all.

    Parameters
    ----------
    path, force, inputs, outside
        As for `check`.
    content : bytes, str or iterable of bytes
        What it holds, or one piece after the other.
    lasting : bool
        Whether it must be there after a power cut, once this returns.

    Raises
    ------
    Error
        It may not be written, or cannot be.
    """
    check(path, force=force, inputs=inputs, outside=outside)
    try:
        _written(Path(path), content, force, lasting)
    except FileExistsError:
        text = "another file of this name appeared in the meantime; it is kept"
        raise Error(f"{os.fspath(path)}: {text}", file=os.fspath(path)) from None
    except OSError as error:
        reason = error.strerror or str(error)
        raise Error(
            f"{os.fspath(path)}: cannot be written: {reason}", file=os.fspath(path)
        ) from error


def _written(
    target: Path, content: bytes | str | Iterable[bytes], force: bool, lasting: bool
) -> None:
    unfinished = target.with_name(f"{_PREFIX}{secrets.token_hex(12)}{_SUFFIX}")
    try:
        with open(unfinished, "xb") as file:
            # Where nothing can be locked, nothing is taken for a leftover either.
            with suppress(OSError):
                _lock(file)
            if isinstance(content, str):
                content = content.encode()
            file.writelines([content] if isinstance(content, bytes) else content)
            file.flush()
            if lasting:
                os.fsync(file.fileno())
            _name(unfinished, target, force)
        if lasting:
            last(target.parent)
    finally:
        unfinished.unlink(missing_ok=True)


def _name(unfinished: Path, target: Path, force: bool) -> None:
    if force:
        os.replace(unfinished, target)
        return
    try:
        os.link(unfinished, target)
    except FileExistsError:
        raise
    except OSError:
        # Not every file system has links.
        if os.path.lexists(target):
            raise
        os.rename(unfinished, target)


def last(path: StrPath) -> None:
    """Sees to it that what a file, or a folder's list, holds is there after a power cut."""
    # Not every system can do so with a folder.
    with suppress(OSError):
        descriptor = os.open(path, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def claim(made: Path, name: Path) -> bool:
    """Gives a file that was made whole a name in the same file system, if nobody has that name."""
    try:
        _name(made, name, force=False)
    except FileExistsError:
        return False
    made.unlink(missing_ok=True)
    return True


def make_folder(path: Path) -> None:
    """Makes a folder and those above it, where it is none already.

    Raises
    ------
    OSError
        It cannot be made, or is a link.
    """
    path.mkdir(parents=True, exist_ok=True)
    if path.is_symlink():
        raise OSError(errno.ELOOP, "is a link, which nothing is written through", str(path))


def remove_leftovers(folder: StrPath) -> None:
    """Removes files that were never finished and that nobody writes any more."""
    with suppress(OSError):
        for entry in os.scandir(folder):
            is_ours = entry.name.startswith(_PREFIX) and entry.name.endswith(_SUFFIX)
            if is_ours and entry.is_file(follow_symlinks=False):
                with suppress(OSError), opened(entry.path) as file:
                    _lock(file)
                    os.unlink(entry.path)


@contextmanager
def locked(folder: StrPath) -> Iterator[None]:
    """Waits until no other process is in such a block of this folder.

    Raises
    ------
    OSError
        It is not there.
    """
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        with suppress(ImportError):
            import fcntl

            fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)


def _lock(file: IO[bytes]) -> None:
    """What is locked is being written; the program looks at that as well."""
    try:
        import fcntl
    except ImportError:
        return
    fcntl.flock(file.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)
