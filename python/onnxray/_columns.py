"""What columns of rows hold, and streams of tables that are whole."""

from __future__ import annotations

from collections.abc import Mapping
from typing import IO, Any

Row = Mapping[str, Any]

_INT64 = range(-(1 << 63), 1 << 63)


class EndedEarly(Exception):
    """A stream of tables ended before its end was marked."""


class Source:
    """What tables are read from.

    nanoarrow prints exceptions in here and goes on, and takes a missing mark for the end of a
    stream, as pyarrow does: so both are kept here and looked at afterwards.
    """

    closed = False

    def __init__(self, readable: IO[bytes]) -> None:
        self._readable = readable
        self._raised: BaseException | None = None
        self._is_short = False

    def readinto(self, buffer: memoryview) -> int:
        """Fills a buffer, for nanoarrow."""
        try:
            count = int(self._readable.readinto(buffer))  # type: ignore[attr-defined]
        except BaseException as error:
            self._raised = error
            return 0
        self._is_short = self._is_short or count < len(buffer)
        return count

    def read(self, size: int) -> bytes:
        """So many bytes, for pyarrow."""
        try:
            found = self._readable.read(size)
        except BaseException as error:
            self._raised = error
            return b""
        self._is_short = self._is_short or len(found) < size
        return found

    def check(self) -> None:
        """Whether all was there.

        Raises
        ------
        EndedEarly
            It was not.
        """
        if self._raised is not None:
            raise self._raised
        if self._is_short:
            raise EndedEarly("the stream ends before its end is marked")


def column(values: list[Any]) -> tuple[str, list[Any]]:
    """The type of a column by what its values are, as Arrow calls it, and the values as such."""
    kinds = {type(value) for value in values if value is not None}
    if not kinds:
        return "null", values
    if kinds == {bool}:
        return "bool_", values
    if kinds == {int} and all(value is None or value in _INT64 for value in values):
        return "int64", values
    if kinds <= {int, float}:
        return "float64", [None if value is None else float(value) for value in values]
    return "string", [None if value is None else str(value) for value in values]
