"""Files of launches that a dataset keeps, found without reading those of others."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .dataset import Dataset
from .errors import FleetError, library
from .storage import write_here

MOST = 1 << 30
"""Bytes that a sample may unpack to; it lies in memory only as it is packed."""

_MOST_PACKED = 256 << 20
_CHUNK = 1 << 20


@dataclass(frozen=True)
class Sample:
    """A file as the dataset keeps it: compressed by Zstandard, and its size before."""

    launch_id: str
    trace: bytes
    size: int

    def write(self, file: Path) -> None:
        """Writes the file as it was.

        Raises
        ------
        FleetError
            It is not what the dataset says of it.
        """
        write_here(file, self._unpacked())

    def _unpacked(self) -> Iterator[bytes]:
        pyarrow = library("pyarrow", "fleet")
        digest = hashlib.sha256()
        left = MOST
        try:
            with pyarrow.CompressedInputStream(pyarrow.BufferReader(self.trace), "zstd") as stream:
                while chunk := stream.read(_CHUNK):
                    left -= len(chunk)
                    if left < 0:
                        raise FleetError(
                            f"the sample of launch {self.launch_id} unpacks to more than "
                            f"{MOST >> 20:,} MiB"
                        )
                    digest.update(chunk)
                    yield chunk
        except (OSError, ValueError):
            digest.update(b"damaged")
        # That is the launch's id.
        if digest.hexdigest() != self.launch_id:
            raise FleetError(f"the sample of launch {self.launch_id} is damaged")


Samples = Mapping[str, Sample]
"""Samples by launch."""

_TABLE = "samples"


class SampleIndex:
    """Where the sample of each launch is: in which file, and in which row group of it."""

    def __init__(self, dataset: Dataset) -> None:
        self._dataset = dataset
        self._places: dict[str, tuple[str, int]] | None = None

    def of(self, launch_ids: Iterable[str]) -> Samples:
        """The samples that the dataset has of launches."""
        if self._places is None:
            self._places = self._look()
        ids = set(launch_ids)
        groups: dict[str, set[int]] = {}
        for launch_id in ids & self._places.keys():
            part, group = self._places[launch_id]
            groups.setdefault(part, set()).add(group)
        found = {}
        for part, numbers in sorted(groups.items()):
            with self._opened(part) as file:
                rows = file.read_row_groups(sorted(numbers), ["launch_id", "size", "trace"])
            for row in rows.to_pylist():
                if row["launch_id"] in ids and row["trace"] is not None:
                    found[row["launch_id"]] = Sample(row["launch_id"], row["trace"], row["size"])
        return found

    def _look(self) -> dict[str, tuple[str, int]]:
        places = {}
        for part in self._dataset.parts(_TABLE):
            with self._opened(part) as file:
                for group in range(file.num_row_groups):
                    ids = file.read_row_group(group, ["launch_id"]).column(0).to_pylist()
                    places.update(dict.fromkeys(ids, (part, group)))
        return places

    @contextmanager
    def _opened(self, part: str) -> Iterator[Any]:
        library("pyarrow", "fleet")
        import pyarrow.parquet

        self._dataset.check_rows(f"{_TABLE}/{part}")
        with self._dataset.opened(f"{_TABLE}/{part}") as file:
            yield pyarrow.parquet.ParquetFile(file)


def packed(launch_id: str, chunks: Iterable[bytes]) -> Sample | None:
    """A file as a sample; None if it is larger than one may be."""
    pyarrow = library("pyarrow", "fleet")
    size = 0
    buffer = pyarrow.BufferOutputStream()
    with pyarrow.CompressedOutputStream(buffer, "zstd") as out:
        for chunk in chunks:
            size += len(chunk)
            if size > MOST or buffer.tell() > _MOST_PACKED:
                return None
            out.write(chunk)
    return Sample(launch_id, buffer.getvalue().to_pybytes(), size)
