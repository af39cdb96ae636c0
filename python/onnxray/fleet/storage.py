"""Files by URI: on this machine, and wherever the installed fsspec reaches."""

from __future__ import annotations

import errno
import glob
import hashlib
import os
import shutil
import zlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from .errors import FleetError, library

SUFFIXES = (".json", ".json.gz", ".json.zst")
"""Names that stand for traces in a folder."""

DAMAGED = (OSError, EOFError, ValueError, zlib.error)
"""What `decompressed` raises of a file that is not whole."""

_CHUNK = 1 << 20
_GZIP = b"\x1f\x8b"
_ZSTANDARD = b"\x28\xb5\x2f\xfd"


def is_local(uri: str) -> bool:
    """Whether a URI is a path of this machine."""
    return "://" not in uri or uri.startswith("file://")


def local_path(uri: str) -> str:
    """The absolute path of a local URI."""
    return os.path.abspath(os.path.expanduser(uri.removeprefix("file://")))


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


@dataclass(frozen=True)
class Copied:
    """A file that was copied here: its size, and the SHA-256 of what it holds, decompressed."""

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
    """
    try:
        with _opened(uri) as source, into.open("wb") as target:
            shutil.copyfileobj(source, target, _CHUNK)
    except (OSError, FleetError):
        raise
    except Exception as error:
        raise FleetError(_said(error)) from None
    return Copied(into, into.stat().st_size, sha256(into))


def _opened(uri: str) -> IO[bytes]:
    if is_local(uri):
        path = local_path(uri)
        # A pipe would be waited for, for ever.
        if os.path.exists(path) and not os.path.isfile(path):
            code = errno.EISDIR if os.path.isdir(path) else errno.EINVAL
            raise OSError(code, os.strerror(code) if os.path.isdir(path) else "not a file", uri)
        return open(path, "rb")
    reader, path = filesystem(uri)
    opened: IO[bytes] = reader.open(path, "rb")
    return opened


def sha256(file: Path) -> str:
    """SHA-256 of a file, decompressed; of the file as it is where that cannot be done whole."""
    try:
        return _hash(decompressed(file))
    except DAMAGED:
        with file.open("rb") as packed:
            return _hash(iter(lambda: packed.read(_CHUNK), b""))


def _hash(chunks: Iterable[bytes]) -> str:
    digest = hashlib.sha256()
    for chunk in chunks:
        digest.update(chunk)
    return digest.hexdigest()


def decompressed(file: Path) -> Iterator[bytes]:
    """What a file holds, in chunks: plain, or compressed by gzip or Zstandard."""
    import gzip

    with file.open("rb") as packed:
        start = packed.read(4)
        packed.seek(0)
        if start.startswith(_GZIP):
            with gzip.GzipFile(fileobj=packed) as stream:
                yield from iter(lambda: stream.read(_CHUNK), b"")
        elif start == _ZSTANDARD:
            pyarrow = library("pyarrow", "fleet")
            with pyarrow.CompressedInputStream(packed, "zstd") as stream:
                yield from iter(lambda: stream.read(_CHUNK), b"")
        else:
            yield from iter(lambda: packed.read(_CHUNK), b"")
