"""Tables that other libraries take as they are, by the Arrow C stream interface."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from html import escape
from itertools import islice
from typing import IO, TYPE_CHECKING, Any

from ._printing import printable

if TYPE_CHECKING:
    import nanoarrow

__all__ = ["Table"]

Row = Mapping[str, Any]

_ROWS_SHOWN = 10
_COLUMNS_SHOWN = 12
_INT64 = range(-(1 << 63), 1 << 63)


class EndedEarly(Exception):
    """A stream of tables ended before its end was marked."""


class Table:
    """Rows in named columns, held as Arrow.

    ``polars.DataFrame(table)``, ``pyarrow.table(table)``, ``pandas.DataFrame.from_arrow(table)``
    and, in DuckDB, the name of a variable in ``from table`` take it without a copy through files,
    any number of times.
    """

    def __init__(self, array: nanoarrow.Array) -> None:
        self._array = array

    @classmethod
    def from_stream(cls, readable: IO[bytes]) -> Table:
        """Reads one Arrow IPC stream, up to the mark of its end and no further.

        Raises
        ------
        EndedEarly
            The mark is missing.
        """
        import nanoarrow
        from nanoarrow.ipc import InputStream

        source = _Source(readable)
        try:
            with InputStream.from_readable(source) as stream:
                array = nanoarrow.Array(stream)
        except Exception as error:
            source.check()
            raise EndedEarly(str(error)) from error
        source.check()
        return cls(array)

    @classmethod
    def from_rows(cls, rows: Sequence[Row]) -> Table:
        """Makes a table of rows, each with its values by column.

        A column is int64, float64, utf8, bool or null, by what its values are; what a row lacks
        is null. Values of several kinds are text.
        """
        import nanoarrow

        names = list(dict.fromkeys(name for row in rows for name in row))
        columns = [_column([row.get(name) for row in rows]) for name in names]
        schema = nanoarrow.struct(
            {name: column.schema for name, column in zip(names, columns, strict=True)}
        )
        array = nanoarrow.c_array_from_buffers(
            schema, len(rows), buffers=[None], children=columns, null_count=0
        )
        return cls(nanoarrow.Array(array))

    @property
    def num_rows(self) -> int:
        """How many rows there are."""
        return len(self._array)

    @property
    def column_names(self) -> list[str]:
        """The names of the columns, in their order."""
        return [field.name for field in self._array.schema.fields]

    @property
    def nbytes(self) -> int:
        """Bytes of the table's buffers."""
        return sum(_bytes(view) for chunk in self._array.iter_chunk_views() for view in [chunk])

    def __len__(self) -> int:
        return self.num_rows

    def rows(self) -> Iterator[Row]:
        """Each row as its values by column; slow for tables of many rows."""
        names = self.column_names
        for values in self._array.iter_tuples():
            yield dict(zip(names, values, strict=True))

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        return self._array.__arrow_c_stream__(requested_schema=requested_schema)

    def __arrow_c_schema__(self) -> object:
        return self._array.schema.__arrow_c_schema__()

    def __repr__(self) -> str:
        columns = printable(", ".join(self.column_names))
        return f"<onnxray.Table: {self.num_rows} rows, columns {columns}>"

    def _repr_html_(self) -> str:
        names = self.column_names[:_COLUMNS_SHOWN]
        head = "".join(f"<th>{escape(name)}</th>" for name in names)
        body = "".join(
            "<tr>" + "".join(f"<td>{_cell(row[name])}</td>" for name in names) + "</tr>"
            for row in islice(self.rows(), _ROWS_SHOWN)
        )
        columns = len(self.column_names)
        left_out = f", {columns - len(names)} more columns" if columns > len(names) else ""
        return (
            f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
            f"<p>{self.num_rows} rows{left_out}</p>"
        )


class _Source:
    """What nanoarrow reads from.

    It prints exceptions in here and goes on, and takes a missing mark for the end of a stream: so
    both are kept here and looked at afterwards.
    """

    def __init__(self, readable: IO[bytes]) -> None:
        self._readable = readable
        self._raised: BaseException | None = None
        self._is_short = False

    def readinto(self, buffer: memoryview) -> int:
        try:
            count = int(self._readable.readinto(buffer))  # type: ignore[attr-defined]
        except BaseException as error:
            self._raised = error
            return 0
        self._is_short = self._is_short or count < len(buffer)
        return count

    def check(self) -> None:
        if self._raised is not None:
            raise self._raised
        if self._is_short:
            raise EndedEarly("the stream ends before its end is marked")


def _column(values: list[Any]) -> Any:
    import nanoarrow

    kinds = {type(value) for value in values if value is not None}
    if not kinds:
        return nanoarrow.c_array_from_buffers(
            nanoarrow.null(), len(values), buffers=[], null_count=len(values)
        )
    if kinds == {bool}:
        return nanoarrow.c_array(values, nanoarrow.bool_())
    if kinds == {int} and all(value is None or value in _INT64 for value in values):
        return nanoarrow.c_array(values, nanoarrow.int64())
    if kinds <= {int, float}:
        numbers = [None if value is None else float(value) for value in values]
        return nanoarrow.c_array(numbers, nanoarrow.float64())
    texts = [None if value is None else str(value) for value in values]
    return nanoarrow.c_array(texts, nanoarrow.string())


def _bytes(view: Any) -> int:
    own = sum(view.buffer(index).size_bytes for index in range(view.n_buffers))
    return int(own + sum(_bytes(child) for child in view.children))


def _cell(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, float):
        return f"{value:.6g}"
    return escape(str(value))
