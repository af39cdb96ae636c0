"""Datasets and files wherever they are: on other file systems, under any name, or not at all."""

from __future__ import annotations

import json
import uuid
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import fsspec
import pytest

import fleet_recordings
from fleet_datasets import finish, rows_of, sources
from onnxray.fleet import FleetError, collect, compact, trend
from onnxray.fleet.__main__ import main

FLEET = fleet_recordings.Fleet(1, 1, 1, 3, layers=3)
TRACES = [trace for _, trace in FLEET.recordings(0)]


def write(folder: Path) -> Path:
    file = folder / "trace.json"
    file.write_bytes(TRACES[0])
    return file


@pytest.mark.parametrize("name", ["a%20b", "a\nb", "%2e%2e", "a\udcff"])
def test_a_name_that_would_be_another_folder_is_refused(name: str, tmp_path: Path) -> None:
    with pytest.raises(FleetError, match="a dataset cannot be called like that") as raised:
        collect(write(tmp_path), tmp_path / name)
    assert "\n" not in raised.value.message
    assert [path.name for path in tmp_path.iterdir()] == ["trace.json"]


def other_folder(dataset: Path) -> None:
    dataset.mkdir()
    (dataset / "notes.txt").write_text("mine", encoding="utf-8")


def a_file(dataset: Path) -> None:
    dataset.write_text("mine", encoding="utf-8")


def mark(text: str) -> Callable[[Path], None]:
    def write(dataset: Path) -> None:
        (dataset / "_onnxray").mkdir(parents=True)
        (dataset / "_onnxray" / "dataset.json").write_text(text, encoding="utf-8")

    return write


def damaged_manifest(dataset: Path) -> None:
    mark('{"onnxray_fleet": 1}')(dataset)
    (dataset / "_onnxray" / "pending").mkdir()
    (dataset / "_onnxray" / "pending" / "0.json").write_text("", encoding="utf-8")


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (other_folder, "no dataset there"),
        (a_file, "no dataset there"),
        (mark('{"onnxray_fleet": 2}'), "is of version 2, and this onnxray reads up to 1"),
        (mark(""), "is damaged"),
        (mark("[]"), "is damaged"),
        (mark('{"onnxray_fleet": 1e999}'), "is damaged"),
        (mark('{"onnxray_fleet": null}'), "is damaged"),
        (damaged_manifest, "is damaged"),
    ],
)
def test_what_is_no_dataset_is_left_alone(
    make: Callable[[Path], None], says: str, tmp_path: Path
) -> None:
    dataset = tmp_path / "dataset"
    make(dataset)
    before = sorted(tmp_path.rglob("*"))
    for use in (lambda: collect(write(tmp_path), dataset), lambda: trend(dataset)):
        with pytest.raises(FleetError, match=says) as raised:
            use()
        assert str(dataset) in raised.value.message
        assert raised.value.hint
        assert "\n" not in raised.value.message
    with pytest.raises(FleetError):
        compact(dataset)
    assert sorted(tmp_path.rglob("*")) == sorted([*before, tmp_path / "trace.json"])


def test_a_dataset_whose_maker_was_killed_before_its_mark_is_made_again(tmp_path: Path) -> None:
    dataset = tmp_path / "dataset"
    (dataset / "_onnxray").mkdir(parents=True)
    (dataset / "_onnxray" / "dataset.json.0.unfinished").write_bytes(b"{")
    with pytest.raises(FleetError, match="no dataset there"):
        trend(dataset)
    assert collect(write(tmp_path), dataset).added == 1


@pytest.mark.parametrize(
    ("uri", "says", "hint"),
    [
        (
            "s3://bucket/x.json",
            "s3://bucket/x.json: what reads s3:// is not installed",
            "fsspec[s3]",
        ),
        ("nonsense://x.json", "nonsense://x.json: nothing is known that reads", "fsspec."),
        ("/nowhere/x.json", "/nowhere/x.json: no traces there", ".json.zst"),
        ("/nowhere/*.json", "no traces there", ".json.zst"),
    ],
)
def test_a_uri_that_nothing_reads_is_one_sentence(
    uri: str, says: str, hint: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    if uri.startswith("s3") and find_spec("s3fs"):
        pytest.skip("s3fs is installed")
    assert main(["collect", uri, str(tmp_path / "dataset")]) == 1
    error, tip = capsys.readouterr().err.splitlines()
    assert error.startswith("error: ")
    assert says in error
    assert tip.startswith("hint: ")
    assert hint in tip
    assert not (tmp_path / "dataset").exists()
    if "://" in uri:
        with pytest.raises(FleetError, match=says.split(": ")[1]):
            collect(write(tmp_path), uri)


@pytest.mark.parametrize("variable", ["PATH", "JAVA_HOME"])
def test_java_that_is_missing_is_one_sentence(
    variable: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    pytest.importorskip("pyspark")
    from onnxray.fleet.cluster import session

    monkeypatch.delenv("JAVA_HOME", raising=False)
    monkeypatch.setenv(variable, str(tmp_path))
    with pytest.raises(FleetError, match="Java is missing, on which Spark runs") as raised:
        session("local[1]")
    assert raised.value.hint


def test_files_are_read_from_elsewhere(tmp_path: Path) -> None:
    memory = fsspec.filesystem("memory")
    folder = f"/{uuid.uuid4().hex}"
    for number, trace in enumerate(TRACES):
        memory.pipe_file(f"{folder}/commit/{number}.json", trace)
    memory.pipe_file(f"{folder}/commit/notes.txt", b"")
    memory.pipe_file(f"{folder}/commit/empty.json", b"")
    uri = f"memory://{folder}"
    dataset = tmp_path / "dataset"
    given = [uri, f"{uri}/commit/0.json", f"{uri}/commit/[12].json", f"{uri}/missing.json"]
    added = collect(given, dataset, {"commit": "1"})
    assert (added.files, added.added, added.unreadable) == (5, 5, 2)
    errors = {name: row["error"] for name, row in sources(dataset).items() if row["error"]}
    assert errors == {
        "empty.json": f"{uri}/commit/empty.json: the file is empty",
        "missing.json": f"cannot be read: {folder}/missing.json",
    }
    assert trend(dataset).series[0][1][0].launches == 3
    memory.pipe_file(f"{folder}/commit/0.json", TRACES[1])
    (point,) = trend(dataset, schemes=["memory"]).series[0][1]
    assert point.error
    assert point.error.startswith(f"{uri}/commit/0.json: the dataset has no sample of it")
    memory.rm(folder, recursive=True)
    (point,) = trend(dataset, schemes=["memory"]).series[0][1]
    assert "cannot be read" in str(point.error)
    with pytest.raises(FleetError, match="no traces there"):
        collect(f"{uri}/*.json", dataset)


def test_errors_of_a_library_are_rows_as_well(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from fsspec.implementations.memory import MemoryFileSystem

    def refused(*_: Any, **__: Any) -> None:
        raise RuntimeError("403: not yours")

    uri = f"memory:///{uuid.uuid4().hex}.json"
    monkeypatch.setattr(MemoryFileSystem, "_open", refused)
    assert collect(uri, tmp_path / "dataset").unreadable == 1
    (row,) = sources(tmp_path / "dataset").values()
    assert row["error"] == "cannot be read: 403: not yours"
    monkeypatch.setattr(MemoryFileSystem, "isdir", refused)
    with pytest.raises(FleetError, match=f"{uri}: cannot be looked at: 403: not yours"):
        collect(uri, tmp_path / "dataset")


def test_a_dataset_may_be_named_in_any_way(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = write(tmp_path)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path))
    for name in ("dataset", "./dataset/", "~/dataset", f"file://{tmp_path}/dataset"):
        collect([file, f"file://{file}"], name)
        trend(name, by="model")
    finish(Path("dataset"))
    assert sorted(path.name for path in tmp_path.iterdir()) == ["dataset", "trace.json"]
    assert len(rows_of(tmp_path / "dataset")["launches"]) == 1


def test_the_mark_says_the_version(tmp_path: Path) -> None:
    collect(write(tmp_path), tmp_path / "dataset")
    text = (tmp_path / "dataset" / "_onnxray" / "dataset.json").read_text(encoding="utf-8")
    assert json.loads(text) == {"onnxray_fleet": 1}
