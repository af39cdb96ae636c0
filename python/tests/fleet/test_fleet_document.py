"""docs/fleet.md: the columns are the declared ones, and its examples run."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import duckdb
import polars
import pytest

from conftest import ENCODER, ENCODER_INT8, REPOSITORY
from onnxray import fleet
from onnxray.fleet.dataset import Dataset
from onnxray.fleet.schema import TABLES, VERSION

FILE = REPOSITORY / "docs" / "fleet.md"
TYPES = {
    "text": "text",
    "small": "int32",
    "whole": "int64",
    "real": "float64",
    "truth": "boolean",
    "time": "timestamp, UTC",
    "labels": "map of text to text",
    "bytes": "binary",
}


@pytest.fixture(scope="module")
def dataset(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("documented") / "fleet"
    fleet.collect(ENCODER, path, {"commit": "3f1c2a"}, samples=True)
    fleet.collect(ENCODER_INT8, path, {"commit": "9bd001"}, samples=True)
    return path


def tables() -> Iterator[str]:
    yield f"Version {VERSION}. Besides the columns listed here, each table has its `month`."
    for table in TABLES.values():
        yield f"\n### {table.name}\n"
        key = " and ".join(f"`{name}`" for name in table.key)
        yield f"{table.meaning} Key: {key}.\n"
        for column in table.columns:
            yield f"- `{column.name}` ({TYPES[column.kind]}): {column.meaning}"


def test_the_columns_are_those_of_the_tables() -> None:
    text = FILE.read_text(encoding="utf-8")
    head, _, documented = text.partition("## Tables\n\n")
    declared = "\n".join(tables()) + "\n"
    if os.environ.get("ONNXRAY_UPDATE"):
        FILE.write_text(f"{head}## Tables\n\n{declared}", encoding="utf-8")
        return
    assert documented == declared, "ONNXRAY_UPDATE=1 prints docs/fleet.md anew"


def test_tables_have_the_columns_and_only_signed_numbers(dataset: Path) -> None:
    found = Dataset.open(str(dataset))
    for name, table in TABLES.items():
        fields = json.loads(found.delta(name).schema().to_json())["fields"]
        assert [field["name"] for field in fields] == [
            *(column.name for column in table.columns),
            "month",
        ]
        kinds = {str(field["type"]) for field in fields if isinstance(field["type"], str)}
        assert kinds <= {"string", "integer", "long", "double", "timestamp", "binary"}


def test_the_query_runs(dataset: Path) -> None:
    sql = re.findall(r"```sql\n(.*?)```", FILE.read_text(encoding="utf-8"), re.DOTALL)
    assert len(sql) == 1
    found = Dataset.open(str(dataset))
    with duckdb.connect() as connection:
        for name in TABLES:
            connection.register(name, found.arrow(name))
        rows = connection.sql(re.sub(r"delta_scan\('fleet/(\w+)'\)", r"\1", sql[0])).fetchall()
    assert len(rows) == 10
    assert rows[0][0] == "/bert/encoder/layer.0/output/dense/MatMul"
    assert polars.read_delta(str(dataset / "launches"))["model"].n_unique() == 2


def command(*words: str | Path, expected: int = 0) -> tuple[str, str]:
    ended = subprocess.run(
        [sys.executable, "-m", "onnxray.fleet", *map(str, words)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.returncode == expected, ended.stderr
    return ended.stdout, ended.stderr


def test_commands_do_what_functions_do(dataset: Path, tmp_path: Path) -> None:
    said, _ = command("collect", ENCODER, tmp_path / "fleet", "--label=commit=3f1c2a", "--samples")
    assert said == "10 files: 10 added, 0 known, 0 unreadable\n"
    said, _ = command("collect", ENCODER, tmp_path / "fleet", "--shard=2/3")
    assert re.fullmatch(r"\d files: 0 added, \d known, 0 unreadable\n", said)
    said, _ = command("trend", dataset, "--model=encoder.onnx", "--where=threads=1")
    assert re.search(r"3f1c2a +4\.057 ms  \(4\.021 to 4\.092\)  10 launches", said)
    said, _ = command("trend", dataset, "--format=json", f"--report={tmp_path / 'trend.html'}")
    assert {row["commit"] for row in json.loads(said)} == {"3f1c2a", "9bd001"}
    assert "<svg" in (tmp_path / "trend.html").read_text(encoding="utf-8")
    report = tmp_path / "comparison.html"
    said, _ = command("compare", dataset, "commit=3f1c2a", "commit=9bd001", f"--report={report}")
    assert "slower than 3f1c2a" in said
    assert report.exists()
    said, _ = command("compact", dataset)
    assert "files became" in said


def test_commands_fail_with_a_sentence(dataset: Path, tmp_path: Path) -> None:
    _, error = command("trend", tmp_path, expected=1)
    assert error == f"error: {tmp_path}: no dataset there\nhint: onnxray.fleet.collect makes one\n"
    _, error = command("trend", dataset, "--where=threads=x", expected=2)
    assert error == "error: threads=x: is not a number\n"
    _, error = command("collect", ENCODER, dataset, "--shard=4/3", expected=1)
    assert error.startswith("error: 4/3: is not a shard\nhint: ")
    _, error = command("collect", ENCODER, dataset, "--label=model=x", expected=1)
    assert "a label cannot be called model" in error
    _, error = command("nonsense", expected=2)
    assert "invalid choice" in error
