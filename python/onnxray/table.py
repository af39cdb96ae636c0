"""Tables that other libraries take as they are, by the Arrow C stream interface."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape
from itertools import islice
from typing import IO, TYPE_CHECKING

from ._columns import Row
from ._printing import printable

if TYPE_CHECKING:
    from ._nanoarrow import Held

__all__ = ["Table"]

_ROWS_SHOWN = 10
_COLUMNS_SHOWN = 12


class Table:
    """Rows in named columns, held as Arrow.

    ``polars.DataFrame(table)``, ``pyarrow.table(table)``, ``pandas.DataFrame.from_arrow(table)``
    and, in DuckDB, the name of a variable in ``from table`` take it without a copy through files,
    any number of times.
    """

    def __init__(self, held: Held) -> None:
        self._held = held

    @classmethod
    def from_stream(cls, readable: IO[bytes]) -> Table:
        """Reads one Arrow IPC stream, up to the mark of its end and no further.

        Raises
        ------
        EndedEarly
            The mark is missing.
        """
        return cls(_held().from_stream(readable))

    @classmethod
    def from_rows(cls, rows: Sequence[Row]) -> Table:
        """Makes a table of rows, each with its values by column.

        A column is int64, float64, utf8, bool or null, by what its values are; what a row lacks
        is null. Values of several kinds are text.
        """
        return cls(_held().from_rows(rows))

    @property
    def num_rows(self) -> int:
        """How many rows there are."""
        return self._held.num_rows

    @property
    def column_names(self) -> list[str]:
        """The names of the columns, in their order."""
        return self._held.column_names

    @property
    def nbytes(self) -> int:
        """Bytes of the table's buffers."""
        return self._held.nbytes

    def __len__(self) -> int:
        return self.num_rows

    def rows(self) -> Iterator[Row]:
        """Each row as its values by column; slow for tables of many rows."""
        return self._held.rows()

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        return self._held.stream(requested_schema)

    def __arrow_c_schema__(self) -> object:
        return self._held.schema()

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


def _held() -> type[Held]:
    """What holds tables here.

    Raises
    ------
    ImportError
        Nothing that can is installed.
    """
    try:
        from ._nanoarrow import Held
    except ImportError:
        try:
            from ._pyarrow import Held  # type: ignore[assignment]
        except ImportError:
            raise ImportError(
                "tables take nanoarrow or pyarrow, and neither can be imported: "
                "pip install nanoarrow"
            ) from None
    return Held


def _cell(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, float):
        return f"{value:.6g}"
    return escape(str(value))
