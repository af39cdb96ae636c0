"""Other programs read a dataset, and what is in it harms nobody."""

from __future__ import annotations

import json
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

import fleet_recordings
from onnxray.fleet import collect, regressing, regressions, trend
from onnxray.fleet.dataset import Dataset
from onnxray.fleet.drawing.script import SCRIPT
from onnxray.fleet.schema import TABLES

FLEET = fleet_recordings.Fleet(2, 1, 2, 2, layers=3)
ROWS = {
    "sources": 8,
    "launches": 8,
    "operators": 3,
    "launch_operators": 24,
    "launch_types": 24,
    "samples": 8,
}


@pytest.fixture(scope="module")
def dataset(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("readers")
    for commit in range(2):
        fleet_recordings.write(FLEET, folder / str(commit), commit)
        label = {"commit": FLEET.commit(commit)}
        collect(folder / str(commit), folder / "dataset", label, samples=True)
    return folder / "dataset"


@pytest.mark.parametrize("table", TABLES)
def test_deltalake_and_polars_read_it(table: str, dataset: Path) -> None:
    deltalake = pytest.importorskip("deltalake")
    polars = pytest.importorskip("polars")
    found = deltalake.DeltaTable(str(dataset / table))
    names = [field.name for field in found.schema().fields]
    assert names == [*(column.name for column in TABLES[table].columns), "month"]
    kinds = {str(field.type) for field in found.schema().fields}
    assert not [kind for kind in kinds if "uint" in kind or "decimal" in kind]
    # Deltalake's own reader does without a library for it; polars scans the same log.
    frame = polars.read_delta(str(dataset / table))
    assert frame.height == ROWS[table]
    assert frame.columns == names
    unsigned = (polars.UInt8, polars.UInt16, polars.UInt32, polars.UInt64, polars.Decimal)
    assert not [name for name, kind in frame.schema.items() if kind in unsigned]
    assert set(frame["month"]) <= {"2026-09", "2026-10"}


def test_files_have_signed_numbers_only(dataset: Path) -> None:
    import pyarrow.parquet

    files = list(dataset.rglob("*.parquet"))
    assert files
    for file in files:
        for field in pyarrow.parquet.read_schema(file):
            assert not str(field.type).startswith(("uint", "decimal")), (file, field)


@pytest.mark.parametrize("table", TABLES)
def test_duckdb_reads_it(table: str, dataset: Path) -> None:
    duckdb = pytest.importorskip("duckdb")
    with duckdb.connect() as connection:
        connection.execute("set autoinstall_known_extensions = false")
        source: str
        given: list[Any]
        try:
            connection.execute("load delta")
            source, given = "delta_scan(?)", [str(dataset / table)]
        except duckdb.Error:
            source, given = "read_parquet(?)", [Dataset.open(str(dataset)).paths(table)]
        count, months = connection.execute(
            f"select count(*), count(distinct month) from {source}", given
        ).fetchone()
        assert (count, months) == (ROWS[table], 1 if table == "operators" else 2)
        described = connection.execute(f"describe select * from {source}", given).fetchall()
        assert not [row for row in described if row[1].startswith(("U", "DECIMAL", "HUGE"))]


def test_tables_join_to_what_the_program_says(dataset: Path) -> None:
    duckdb = pytest.importorskip("duckdb")
    found = Dataset.open(str(dataset))
    with duckdb.connect() as connection:
        for table in TABLES:
            connection.register(table, found.arrow(table))
        rows = connection.execute(
            "select operators_mean_ms, sum(time_ms), count(distinct name) from launch_operators"
            " join launches using (launch_id) join operators using (graph_id, operator)"
            " group by launch_id, operators_mean_ms"
        ).fetchall()
    assert len(rows) == 8
    for whole, together, count in rows:
        assert together == pytest.approx(whole)
        assert count == 3


HOSTILE = [
    "'; drop table launches; --",
    '"><script>alert(1)</script>',
    "a\nb\r\tc",
    "../../../../escaped",
    "--output=escaped",
    "$value0 {launches} :value0 %s",
    "\u202e\ufeffعربي 漢字 \U0001f600",
    "*?[x]",
    "half \\ud800 \ud800",
    "nul \0 nul",
    "",
]


class Seen(HTMLParser):
    """Elements and attributes of a page, and its text."""

    def __init__(self) -> None:
        super().__init__()
        self.elements: set[str] = set()
        self.attributes: set[str] = set()
        self.links: list[str] = []
        self.scripts: list[str] = []
        self.text = ""
        self.tag = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tag = tag
        self.elements.add(tag)
        if tag == "script":
            self.scripts.append("")
        self.attributes |= {name for name, _ in attrs}
        self.links += [value or "" for name, value in attrs if name in ("href", "src")]

    def handle_data(self, data: str) -> None:
        self.text += data
        if self.tag == "script":
            self.scripts[-1] += data

    def handle_endtag(self, tag: str) -> None:
        self.tag = ""


def everything(pairs: Any, rate: float) -> Any:
    """In the place of what the program finds: all layers of all comparisons."""
    compared = [pair.report for pair in pairs if pair.report]
    rows = [
        {**layer, "comparison_number": number, "type": layer["b_type"], "verdict": "slower"}
        for number, report in enumerate(compared)
        for layer in report["layers"]
    ]
    return {"layers": rows}


@pytest.mark.parametrize("name", HOSTILE)
def test_names_of_any_kind_do_no_harm(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(regressing, "_over_all", everything)
    # Which is no JSON; labels, as file names, may have it.
    inside = name.replace("\ud800", "")
    here = tmp_path / "here"
    here.mkdir()
    monkeypatch.chdir(here)
    for commit in range(2):
        folder = tmp_path / str(commit)
        folder.mkdir()
        for launch in range(2):
            trace = json.loads(FLEET.recording(commit, 0, 0, launch))
            trace["otherData"] |= {"model": f"{inside}.onnx", "cpu": inside, "host": inside}
            first = trace["traceEvents"][0]
            first["name"] = first["cat"] = inside
            first["args"]["facts"] |= {"name": inside, "type": inside, "nodes": [inside]}
            (folder / f"{launch}.json").write_text(json.dumps(trace), encoding="utf-8")
        labels = {"commit": f"{name}{commit}", f"label {name}": name}
        collect(folder, tmp_path / "dataset", labels, samples=True)
    launches = Dataset.open(str(tmp_path / "dataset")).arrow("launches").to_table().to_pylist()
    assert len(launches) == 4
    label = next(iter(dict(launches[0]["labels"]).keys() - {"commit"}))
    chosen = dict(launches[0]["labels"])
    found = regressions(
        tmp_path / "dataset", where={label: chosen[label]}, hardware=("cpu", "host")
    )
    assert [pair.error for pair in found.pairs] == [None]
    assert found.findings
    page = tmp_path / "page.html"
    found.to_html(page)
    over_time = trend(tmp_path / "dataset", layer=found.findings[0].layer)
    over_time.to_html(tmp_path / "trend.html")
    trend(tmp_path / "dataset", by=label)
    trend(tmp_path / "dataset", by="model")
    for file in (page, tmp_path / "trend.html"):
        seen = Seen()
        seen.feed(file.read_text(encoding="utf-8"))
        assert not seen.elements & {"img", "iframe", "b"}
        # The page's own alone.
        assert seen.scripts == [SCRIPT]
        assert not [attribute for attribute in seen.attributes if attribute.startswith("on")]
        assert all(link.startswith("page_comparisons/comparison-") for link in seen.links)
    for link in (tmp_path / "page_comparisons").iterdir():
        assert "<script>alert(1)" not in link.read_text(encoding="utf-8")
    assert not list(here.iterdir())
    made = {"0", "1", "dataset", "here", "page.html", "page_comparisons", "trend.html"}
    assert {path.name for path in tmp_path.iterdir()} == made
    folders = {path.name for path in (tmp_path / "dataset").iterdir()}
    assert folders == {"_onnxray", *TABLES}
