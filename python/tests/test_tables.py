"""Tables are those of `onnxray convert`, in every library."""

from __future__ import annotations

import subprocess
import sys
import warnings
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import duckdb
import pandas
import polars
import pyarrow
import pyarrow.parquet
import pytest

import onnxray
from conftest import ENCODER, FIXTURES, TRACE
from onnxray._columns import EndedEarly
from onnxray._program import program
from onnxray.table import Table
from onnxray.trace import Kind

FORMATS = (
    "chrome-trace",
    "guide",
    "neural-engine",
    "onnxray",
    "onnxruntime",
    "openvino",
    "pytorch",
    "tensorrt",
    "tflite",
    "tract",
)
KINDS: tuple[Kind, ...] = ("measured", "warm-up", "all")
TABLES = {
    "events": "",
    "iterations": ".iterations",
    "operators": ".operators",
    "launches": ".launches",
}


def files_of(format: str) -> list[Path]:
    files = (path for path in (FIXTURES / format).rglob("*") if path.is_file())
    return sorted(file for file in files if file.name not in ("generate.py", "MANIFEST.json"))


def read(path: Path | str, kind: Kind = "all") -> onnxray.Trace:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", onnxray.TraceWarning)
        return onnxray.read_trace(path, kind=kind)


@pytest.mark.parametrize("format", FORMATS)
def test_every_fixture_reads_as_convert_writes_it(format: str, tmp_path: Path) -> None:
    known = 0
    for number, file in enumerate(files_of(format)):
        written = tmp_path / f"{number}.parquet"
        ended = subprocess.run(
            [program(), "convert", "-q", str(file), "-o", str(written)],
            capture_output=True,
            check=False,
        )
        if ended.returncode != 0:
            with pytest.raises(onnxray.TraceError):
                read(file)
            continue
        known += 1
        trace = read(file)
        for name, part in TABLES.items():
            table = getattr(trace, name)
            assert_equal(table, written.with_suffix(f"{part}.parquet"))
        assert_measured(trace, read(file, "measured"))
    assert known > 0


def assert_measured(trace: onnxray.Trace, measured: onnxray.Trace) -> None:
    """Events are those of measured iterations; of a launch that tells no iterations, all."""
    events = polars.DataFrame(trace.events)
    of_iterations = polars.DataFrame(trace.iterations)["launch"].unique().to_list()
    is_measured = events["kind"].eq_missing("measured") | ~events["launch"].is_in(of_iterations)
    assert polars.DataFrame(measured.events).equals(events.filter(is_measured))
    assert pyarrow.table(measured.iterations).equals(pyarrow.table(trace.iterations))


def test_events_are_of_measured_iterations_unless_others_are_asked_for() -> None:
    counts = {kind: len(onnxray.read_trace(ENCODER, kind=kind).events) for kind in KINDS}
    assert counts == {"measured": 8200, "warm-up": 2460, "all": 10660}
    assert len(onnxray.read_trace(ENCODER).events) == counts["measured"]
    kinds = polars.DataFrame(onnxray.read_trace(ENCODER).events)["kind"].unique().to_list()
    assert kinds == ["measured"]


def assert_equal(table: Table, parquet: Path) -> None:
    expected = pyarrow.parquet.read_table(parquet)
    assert pyarrow.table(table).equals(expected)
    assert pyarrow.schema(table).equals(expected.schema)
    assert polars.DataFrame(table).equals(polars.read_parquet(parquet))
    frame = pandas.DataFrame.from_arrow(table)
    pandas.testing.assert_frame_equal(frame, pandas.DataFrame.from_arrow(expected))
    ours = table  # noqa: F841, DuckDB finds it by its name
    stored = f"from '{parquet}'"
    for one, other in (("from ours", stored), (stored, "from ours")):
        assert all_rows(duckdb.sql(f"({one}) except all ({other})")) == []
    assert len(table) == table.num_rows == expected.num_rows
    assert table.column_names == expected.column_names
    assert list(table.rows()) == expected.to_pylist()


def all_rows(relation: Any) -> list[Any]:
    return list(relation.fetchall())


def test_duckdb_takes_a_table_by_the_name_of_its_variable() -> None:
    events = read(TRACE).events
    found = duckdb.sql("select count(*), sum(exclusive_ns) > 0 from events")
    assert all_rows(found) == [(len(events), True)]
    assert len(events) > 0


def test_a_table_is_taken_any_number_of_times() -> None:
    table = read(TRACE).iterations
    assert [pyarrow.table(table).num_rows for _ in range(3)] == [3, 3, 3]


@pytest.mark.parametrize("name", ["white space", "größe-模型", "a,b", "[set]*", "-dash"])
def test_a_path_is_taken_as_it_is(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = Path(f"{name}.json.gz")
    monkeypatch.chdir(tmp_path)
    file.write_bytes(TRACE.read_bytes())
    assert len(read(file).iterations) == 3
    assert len(read(str(file)).iterations) == 3


def test_several_files_are_launches_of_one_recording() -> None:
    files = sorted(ENCODER.glob("*.json.gz"))
    trace = onnxray.read_trace(files)
    assert len(trace.launches) == len(files) > 1
    assert len(onnxray.read_trace(ENCODER).launches) == len(files)


def test_calls_run_side_by_side() -> None:
    with ThreadPoolExecutor(2) as threads:
        found = list(threads.map(read, [TRACE, ENCODER] * 4))
    lengths = [len(trace.events) for trace in found]
    assert lengths == [len(read(TRACE).events), len(read(ENCODER).events)] * 4


@pytest.fixture(params=["nanoarrow", "pyarrow"])
def holder(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """What holds tables: the first of both that can be imported."""
    if request.param == "pyarrow":
        lack("nanoarrow", monkeypatch)
    return str(request.param)


def lack(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, name, None)
    monkeypatch.delitem(sys.modules, f"onnxray._{name}", raising=False)


def test_pyarrow_holds_tables_where_nanoarrow_lacks(monkeypatch: pytest.MonkeyPatch) -> None:
    by_nanoarrow = read(TRACE)
    lack("nanoarrow", monkeypatch)
    by_pyarrow = read(TRACE)
    for name in TABLES:
        ours, theirs = getattr(by_pyarrow, name), getattr(by_nanoarrow, name)
        assert type(ours._held).__module__ == "onnxray._pyarrow"
        assert pyarrow.table(ours).equals(pyarrow.table(theirs))
        assert (len(ours), ours.column_names) == (len(theirs), theirs.column_names)
        assert list(ours.rows()) == list(theirs.rows())
        assert polars.DataFrame(ours).equals(polars.DataFrame(theirs))
        assert ours._repr_html_() == theirs._repr_html_()
    lack("pyarrow", monkeypatch)
    with pytest.raises(ImportError, match="nanoarrow or pyarrow"):
        read(TRACE)


def test_rows_become_columns_by_what_their_values_are(holder: str) -> None:
    rows: list[dict[str, object]] = [
        {"whole": 1, "real": 1.5, "text": "a", "truth": True, "mixed": 1, "large": 1 << 63},
        {"whole": None, "real": 2, "text": None, "truth": None, "mixed": "b", "nothing": None},
    ]
    made = Table.from_rows(rows)
    assert type(made._held).__module__ == f"onnxray._{holder}"
    assert made.nbytes > 0
    table = pyarrow.table(made)
    types = {field.name: str(field.type) for field in table.schema}
    assert types == {
        "whole": "int64",
        "real": "double",
        "text": "string",
        "truth": "bool",
        "mixed": "string",
        "large": "double",
        "nothing": "null",
    }
    assert table.to_pylist()[1] == {
        "whole": None,
        "real": 2.0,
        "text": None,
        "truth": None,
        "mixed": "b",
        "large": None,
        "nothing": None,
    }
    assert pyarrow.table(Table.from_rows([])).num_rows == 0


def test_a_stream_that_is_cut_anywhere_is_no_table(tmp_path: Path, holder: str) -> None:
    sink = pyarrow.BufferOutputStream()
    batch = pyarrow.record_batch({"a": [1, 2, 3]})
    with pyarrow.ipc.new_stream(sink, batch.schema) as writer:
        writer.write_batch(batch)
        writer.write_batch(batch)
    whole = sink.getvalue().to_pybytes()
    file = tmp_path / "stream"
    for length in range(len(whole)):
        file.write_bytes(whole[:length])
        with file.open("rb") as stream, pytest.raises(EndedEarly):
            Table.from_stream(stream)
    # What stands behind it is left for the next one.
    file.write_bytes(whole + whole)
    with file.open("rb") as stream:
        assert [len(Table.from_stream(stream)) for _ in range(2)] == [6, 6]
        assert stream.read() == b""


def test_a_table_shows_its_rows_as_text() -> None:
    table = Table.from_rows([{"name": "<b>&", "value": number / 3} for number in range(20)])
    html = table._repr_html_()
    assert "&lt;b&gt;&amp;" in html
    assert "<b>" not in html
    assert "20 rows" in html
    assert html.count("<tr>") == 11
