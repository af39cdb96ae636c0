"""Files by URI: on this machine, and wherever the installed fsspec reaches."""

from __future__ import annotations

import errno
import glob
import hashlib
import os
import zlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from .. import _files
from ..errors import Error
from .errors import FleetError, OwnFailure, library

SUFFIXES = (".json", ".json.gz", ".json.zst")
"""Names that stand for traces in a folder."""

DAMAGED = (OSError, EOFError, ValueError, zlib.error)
"""What `decompressed` raises of a file that is not whole."""

MOST_UNPACKED = 16 << 30
"""Bytes that a file may unpack to. Nothing of it lies in memory, but it takes its time."""

_OWN = (errno.EMFILE, errno.ENFILE, errno.ENOMEM)
"""Why nothing at all can be opened here."""
_GZIP = b"\x1f\x8b"
_ZSTANDARD = b"\x28\xb5\x2f\xfd"


def is_local(uri: str) -> bool:
    """Whether a URI is a path of this machine."""
    return "://" not in uri or uri.startswith("file://")


def local_path(uri: str) -> str:
    """The absolute path of a local URI."""
    return os.path.abspath(os.path.expanduser(uri.removeprefix("file://")))


def schemes(uri: str) -> set[str]:
    """What a URI asks for, ``s3``, or several as in ``zip://a::https://b``; nothing of a path."""
    if is_local(uri):
        return set()
    return {part.partition("://")[0].lower() for part in uri.split("::")}


def filesystem(uri: str) -> tuple[Any, str]:
    """What reads a URI, and the path that it knows it by.

    Raises
    ------
    FleetError
        The library for its scheme is not installed, or there is no such scheme.
    """
    fsspec = library("fsspec", "fleet")
    try:
        found, path = fsspec.core.url_to_fs(uri)
    except ValueError:
        raise FleetError(
            f"{uri}: nothing is known that reads {uri.split('://')[0]}://",
            hint="fsspec.available_protocols() has what does",
        ) from None
    except ImportError as error:
        scheme = uri.split("://")[0]
        raise FleetError(
            f"{uri}: what reads {scheme}:// is not installed: {error}",
            hint=f"pip install 'fsspec[{scheme}]'",
        ) from None
    return found, str(path)


def expand(uris: str | os.PathLike[str] | Iterable[str | os.PathLike[str]]) -> list[str]:
    """Files that URIs stand for, sorted, each once.

    A folder stands for all traces in it and its folders, a pattern for what matches it.

    Raises
    ------
    FleetError
        A URI stands for nothing, or cannot be looked at.
    """
    listed = [uris] if isinstance(uris, (str, os.PathLike)) else list(uris)
    found: set[str] = set()
    for given in listed:
        uri = os.fspath(given)
        files = list(_local(uri) if is_local(uri) else _remote(uri))
        if not files:
            raise FleetError(
                f"{uri}: no traces there", hint=f"folders are searched for *{', *'.join(SUFFIXES)}"
            )
        found.update(files)
    return sorted(found)


def _local(uri: str) -> Iterator[str]:
    path = local_path(uri)
    if os.path.isdir(path):
        for folder, folders, names in os.walk(path):
            folders[:] = [name for name in folders if not name.startswith(".")]
            yield from (os.path.join(folder, name) for name in names if _is_trace(name))
    elif os.path.lexists(path):
        yield path
    else:
        matches = glob.iglob(path, recursive=True)
        yield from (match for match in matches if not os.path.isdir(match))


def _remote(uri: str) -> Iterator[str]:
    reader, path = filesystem(uri)
    try:
        if any(mark in path for mark in "*?["):
            names = reader.glob(path)
        elif reader.isdir(path):
            names = [name for name in reader.find(path) if _is_trace(name.rsplit("/", 1)[-1])]
        else:
            names = [path]
        yield from (reader.unstrip_protocol(name) for name in names)
    except Exception as error:
        # Each library has errors of its own.
        raise FleetError(
            f"{uri}: cannot be looked at: {_said(error)}",
            hint=f"see that this works: fsspec.open({uri!r}).open()",
        ) from None


def _said(error: Exception) -> str:
    return str(error) or type(error).__name__


def _is_trace(name: str) -> bool:
    return name.endswith(SUFFIXES) and not name.startswith(".")


@dataclass(frozen=True)
class Shard:
    """A part of the URIs, so that many machines collect together: the third of 64 is ``3/64``."""

    number: int
    count: int

    @classmethod
    def of(cls, text: str) -> Shard:
        """Reads ``3/64``.

        Raises
        ------
        FleetError
            It is something else, or no number from 1 to the count.
        """
        number, _, count = text.partition("/")
        if not (number.isdecimal() and count.isdecimal() and 1 <= int(number) <= int(count)):
            raise FleetError(
                f"{text}: is not a shard", hint="write 3/64 for the third of 64, from 1/64 to 64/64"
            )
        return cls(int(number), int(count))

    def of_uris(self, uris: Sequence[str]) -> list[str]:
        """Its own: shards have nothing in common, and all of them together are everything."""
        return [uri for uri in uris if _number(uri) % self.count == self.number - 1]


def _number(uri: str) -> int:
    return int.from_bytes(hashlib.sha256(uri.encode(errors="surrogateescape")).digest()[:8], "big")


class TooLarge(FleetError):
    """A file unpacks to more than it may."""

    def __init__(self, most: int) -> None:
        super().__init__(f"unpacks to more than {most >> 20:,} MiB")


@dataclass(frozen=True)
class Copied:
    """A file that was copied here: its size, and the SHA-256 of what it holds, unpacked."""

    path: Path
    size: int
    sha256: str


def copy(uri: str, into: Path) -> Copied:
    """Copies a file as it is.

    Raises
    ------
    OSError
        It cannot be read.
    FleetError
        The same, in words of the library for its scheme.
    OwnFailure
        It cannot be written here.
    """
    try:
        with _opened(uri) as source:
            write_here(into, _read(source))
    except _Unreadable as unreadable:
        raise unreadable.reason from None
    return Copied(into, into.stat().st_size, sha256(into))


def write_here(file: Path, pieces: Iterable[bytes]) -> None:
    """Writes a file for a while.

    Raises
    ------
    OwnFailure
        It cannot be written, whatever it holds.
    """
    try:
        _files.write(file, pieces)
    except FleetError:
        raise
    except Error as error:
        hint = "set TMPDIR to a folder with room, and try again"
        raise OwnFailure(error.message, hint=hint) from None


class _Unreadable(Exception):
    """What is wrong with a file that is read, and not with what is written of it."""

    def __init__(self, reason: OSError | FleetError) -> None:
        super().__init__(reason)
        self.reason = reason


def _read(source: IO[bytes]) -> Iterator[bytes]:
    try:
        yield from _files.pieces(source)
    except OSError as error:
        raise _Unreadable(error) from None
    except Exception as error:
        raise _Unreadable(FleetError(_said(error))) from None


def _opened(uri: str) -> IO[bytes]:
    if is_local(uri):
        try:
            return _files.opened(local_path(uri))
        except OSError as error:
            if error.errno in _OWN:
                raise OwnFailure(f"{uri}: {error.strerror}") from None
            raise
    reader, path = filesystem(uri)
    try:
        opened: IO[bytes] = reader.open(path, "rb")
    except OSError:
        raise
    except Exception as error:
        # Each library has errors of its own.
        raise FleetError(_said(error)) from None
    return opened


def sha256(file: Path) -> str:
    """SHA-256 of a file, unpacked; of the file as it is where that cannot be done whole."""
    try:
        return _hash(decompressed(file))
    except DAMAGED:
        return _hash(plain(file))


def _hash(chunks: Iterable[bytes]) -> str:
    digest = hashlib.sha256()
    for chunk in chunks:
        digest.update(chunk)
    return digest.hexdigest()


def plain(file: Path) -> Iterator[bytes]:
    """A file as it is, in chunks."""
    with _files.opened(file) as packed:
        yield from _files.pieces(packed)


def decompressed(file: Path, most: int = MOST_UNPACKED) -> Iterator[bytes]:
    """What a file holds, in chunks: plain, or compressed by gzip or Zstandard.

    Raises
    ------
    TooLarge
        It holds more than that.
    """
    size = 0
    for chunk in _decompressed(file):
        size += len(chunk)
        if size > most:
            raise TooLarge(most)
        yield chunk


def _decompressed(file: Path) -> Iterator[bytes]:
    import gzip

    with _files.opened(file) as packed:
        start = packed.read(4)
        packed.seek(0)
        if start.startswith(_GZIP):
            with gzip.GzipFile(fileobj=packed) as stream:
                yield from _files.pieces(stream)
        elif start == _ZSTANDARD:
            pyarrow = library("pyarrow", "fleet")
            with pyarrow.CompressedInputStream(packed, "zstd") as stream:
                yield from _files.pieces(stream)
        else:
            yield from _files.pieces(packed)
