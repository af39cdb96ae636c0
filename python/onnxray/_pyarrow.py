"""The same by pyarrow, where nanoarrow is not installed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import IO, Any

import pyarrow

from ._columns import EndedEarly, Row, Source, column


class Held:
    """Rows in columns."""

    def __init__(self, table: Any) -> None:
        self.table = table

    @classmethod
    def from_stream(cls, readable: IO[bytes]) -> Held:
        source = Source(readable)
        try:
            with pyarrow.ipc.open_stream(pyarrow.PythonFile(source, mode="r")) as stream:
                table = stream.read_all()
        except (pyarrow.ArrowException, OSError) as error:
            source.check()
            raise EndedEarly(str(error)) from error
        source.check()
        return cls(table)

    @classmethod
    def from_rows(cls, rows: Sequence[Row]) -> Held:
        names = list(dict.fromkeys(name for row in rows for name in row))
        columns = [_array(*column([row.get(name) for row in rows])) for name in names]
        return cls(pyarrow.table(columns, names=names))

    @property
    def num_rows(self) -> int:
        return int(self.table.num_rows)

    @property
    def column_names(self) -> list[str]:
        return list(self.table.column_names)

    @property
    def nbytes(self) -> int:
        return int(self.table.nbytes)

    def rows(self) -> Iterator[Row]:
        for batch in self.table.to_batches():
            yield from batch.to_pylist()

    def stream(self, requested_schema: object) -> object:
        return self.table.__arrow_c_stream__(requested_schema)

    def schema(self) -> object:
        return self.table.schema.__arrow_c_schema__()


def _array(kind: str, values: list[Any]) -> Any:
    return pyarrow.array(values, getattr(pyarrow, kind)())
