"""Files of launches that a dataset keeps, found without reading those of others."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from .dataset import Dataset
from .errors import library

Samples = Mapping[str, bytes]
"""Files as they are written again, by launch."""

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
                if row["launch_id"] in ids:
                    found[row["launch_id"]] = unpacked(row["trace"], row["size"])
        return found

    def _look(self) -> dict[str, tuple[str, int]]:
        places = {}
        for part in self._dataset.parts(_TABLE):
            with self._opened(part) as file:
                for group in range(file.num_row_groups):
                    ids = file.read_row_group(group, ["launch_id"]).column(0).to_pylist()
                    places.update(dict.fromkeys(ids, (part, group)))
        return places

    def _opened(self, part: str) -> Any:
        library("pyarrow", "fleet")
        import pyarrow.parquet

        return pyarrow.parquet.ParquetFile(self._dataset.opened(f"{_TABLE}/{part}"))


def packed(trace: bytes) -> bytes:
    """A file as a sample."""
    pyarrow = library("pyarrow", "fleet")
    found: bytes = pyarrow.compress(trace, codec="zstd", asbytes=True)
    return found


def unpacked(trace: bytes, size: int) -> bytes:
    """A sample as the file that it was."""
    pyarrow = library("pyarrow", "fleet")
    found: bytes = pyarrow.decompress(trace, decompressed_size=size, codec="zstd", asbytes=True)
    return found
