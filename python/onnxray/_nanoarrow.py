"""Tables in memory by nanoarrow, which this package comes with."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import IO, Any

import nanoarrow
from nanoarrow.ipc import InputStream

from ._columns import EndedEarly, Row, Source, column


class Held:
    """Rows in columns."""

    def __init__(self, array: Any) -> None:
        self.array = array

    @classmethod
    def from_stream(cls, readable: IO[bytes]) -> Held:
        source = Source(readable)
        try:
            with InputStream.from_readable(source) as stream:
                array = nanoarrow.Array(stream)
        except Exception as error:
            source.check()
            raise EndedEarly(str(error)) from error
        source.check()
        return cls(array)

    @classmethod
    def from_rows(cls, rows: Sequence[Row]) -> Held:
        names = list(dict.fromkeys(name for row in rows for name in row))
        columns = [_array(*column([row.get(name) for row in rows])) for name in names]
        schema = nanoarrow.struct(
            {name: column.schema for name, column in zip(names, columns, strict=True)}
        )
        array = nanoarrow.c_array_from_buffers(
            schema, len(rows), buffers=[None], children=columns, null_count=0
        )
        return cls(nanoarrow.Array(array))

    @property
    def num_rows(self) -> int:
        return len(self.array)

    @property
    def column_names(self) -> list[str]:
        return [field.name for field in self.array.schema.fields]

    @property
    def nbytes(self) -> int:
        return sum(_bytes(view) for view in self.array.iter_chunk_views())

    def rows(self) -> Iterator[Row]:
        names = self.column_names
        for values in self.array.iter_tuples():
            yield dict(zip(names, values, strict=True))

    def stream(self, requested_schema: object) -> object:
        return self.array.__arrow_c_stream__(requested_schema=requested_schema)

    def schema(self) -> object:
        return self.array.schema.__arrow_c_schema__()


def _array(kind: str, values: list[Any]) -> Any:
    if kind == "null":
        return nanoarrow.c_array_from_buffers(
            nanoarrow.null(), len(values), buffers=[], null_count=len(values)
        )
    return nanoarrow.c_array(values, getattr(nanoarrow, kind)())


def _bytes(view: Any) -> int:
    own = sum(view.buffer(index).size_bytes for index in range(view.n_buffers))
    return int(own + sum(_bytes(child) for child in view.children))
