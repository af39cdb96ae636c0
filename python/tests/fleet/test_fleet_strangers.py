"""A dataset that a stranger made is data: what it says decides nothing outside of it."""

from __future__ import annotations

import contextlib
import json
import os
import re
import shutil
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

import fleet_recordings
import onnxray
from fleet_datasets import by_a_stranger, log_entry, rows_of
from onnxray.fleet import FleetError, collect, compact, compare, regressions, trend
from onnxray.fleet.dataset import Dataset
from onnxray.fleet.schema import TABLES

FLEET = fleet_recordings.Fleet(1, 1, 1, 4, layers=3)
TRACES = [trace for _, trace in FLEET.recordings(0)]


@pytest.fixture
def dataset(tmp_path: Path) -> Path:
    folder = tmp_path / "files"
    folder.mkdir()
    for number, trace in enumerate(TRACES):
        (folder / f"{number}.json").write_bytes(trace)
    collect(folder, tmp_path / "dataset", {"commit": "1"}, samples=True)
    return tmp_path / "dataset"


def ask_all(dataset: Path) -> list[str]:
    """What every question says of a dataset that it refuses."""
    refused = []
    for ask in (
        trend,
        regressions,
        lambda path: compare(path, {"commit": "0"}, {"commit": "1"}),
        compact,
    ):
        with pytest.raises(FleetError) as raised:
            ask(dataset)
        assert "\n" not in raised.value.message
        refused.append(raised.value.message)
    return refused


@pytest.mark.parametrize(
    "uri",
    [
        "http://169.254.169.254/x",
        "s3://bucket/x.json",
        "HTTPS://example.org/x",
        "simplecache::http://169.254.169.254/x",
        "zip://x.json::ssh://host/x.zip",
        "memory://x.json",
    ],
)
def test_no_scheme_is_opened_that_was_not_asked_for(
    uri: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def opened(*given: Any, **named: Any) -> None:
        raise AssertionError(f"{given} is opened")

    by_a_stranger(tmp_path / "dataset", *[{"uri": uri}] * 4)
    monkeypatch.setattr("fsspec.core.url_to_fs", opened)
    for _, points in trend(tmp_path / "dataset").series:
        for point in points:
            assert "may not open" in str(point.error)
            assert "--scheme" in str(point.error)
    found = regressions(tmp_path / "dataset")
    assert all("may not open" in str(pair.error) for pair in found.not_compared)
    with pytest.raises(FleetError, match="may not open"):
        compare(tmp_path / "dataset", {"commit": "0"}, {"commit": "1"})


@pytest.mark.parametrize(
    "path",
    [
        "../../private/p.parquet",
        "month=2026-11/../../../private/p.parquet",
        "month=../../private/p.parquet",
        "month=2026-13/p.parquet",
        "month=2026-11/.p.parquet",
        "month=2026-11/%2e%2e%2fp.parquet",
        "month=2026-11/a\nb.parquet",
        "file:///etc/passwd",
        "/etc/passwd",
        "s3://bucket/p.parquet",
    ],
)
def test_a_log_that_names_what_is_no_file_of_the_table_is_refused(
    path: str, dataset: Path, tmp_path: Path
) -> None:
    (tmp_path / "private").mkdir()
    part = Dataset.open(str(dataset)).parts("launches")[0]
    shutil.copyfile(dataset / "launches" / part, tmp_path / "private" / "p.parquet")
    added = {
        "path": path,
        "size": 1,
        "partitionValues": {"month": "2026-11"},
        "modificationTime": 0,
        "dataChange": True,
    }
    log_entry(dataset, "launches", {"add": added})
    for said in ask_all(dataset):
        assert "which is no file of the table" in said or "s3" in said


@pytest.mark.parametrize(
    "name", ["launches", "launches/_delta_log", "launches/month=2026-09", "_onnxray", "samples"]
)
def test_a_link_in_a_dataset_is_refused(name: str, dataset: Path, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    shutil.move(dataset / name, elsewhere)
    (dataset / name).symlink_to(elsewhere)
    before = sorted(elsewhere.rglob("*"))
    for said in ask_all(dataset):
        assert "leads out of the dataset" in said
        assert str(dataset / name) in said
    with contextlib.suppress(FleetError):
        collect(tmp_path / "files", dataset, {"commit": "1"})
    assert sorted(elsewhere.rglob("*")) == before


def test_compacting_deletes_nothing_through_a_link(dataset: Path, tmp_path: Path) -> None:
    victim = tmp_path / "elsewhere" / "x.parquet"
    victim.parent.mkdir()
    victim.write_text("mine", encoding="utf-8")
    os.utime(victim, (0, 0))
    (dataset / "launches" / "month=2026-01").symlink_to(victim.parent)
    with pytest.raises(FleetError, match="is a link"):
        compact(dataset, keep_hours=0)
    assert victim.exists()


@pytest.mark.parametrize("name", ["_onnxray/dataset.json", "launches/_delta_log/0.json"])
def test_a_pipe_in_a_dataset_is_not_waited_for(name: str, dataset: Path) -> None:
    (dataset / name).unlink(missing_ok=True)
    os.mkfifo(dataset / name)
    for said in ask_all(dataset):
        assert str(dataset / name) in said


def manifest(dataset: Path, **changed: Any) -> Path:
    """A manifest of what the dataset has, with one part that says something else."""
    found = Dataset.open(str(dataset))
    path = found.parts("sources")[0]
    part = {"table": "sources", "path": path, "month": "2026-09", "size": 1, "rows": 4, **changed}
    name = sha256(str(part["path"]).encode()).hexdigest()
    file = dataset / "_onnxray" / "pending" / f"{name}.json"
    file.parent.mkdir(exist_ok=True)
    ids = sorted(found.known("sources", "source_id"))[:1]
    file.write_text(json.dumps({"ids": [*ids, "f" * 64], "parts": [part]}), encoding="utf-8")
    return file


@pytest.mark.parametrize(
    "changed",
    [
        {"month": "x/../../../outside/"},
        {"month": "2026-10"},
        {"path": "../../outside/p.parquet"},
        {"path": "month=2026-09/../../outside.parquet"},
        {"table": "../outside"},
        {"table": "nonsense"},
        {"size": -1},
        {"size": 1e999},
        {"rows": None},
        {"rows": True},
        {"more": 1},
    ],
)
def test_a_manifest_that_is_not_what_it_is_called_is_damaged(
    changed: dict[str, Any], dataset: Path, tmp_path: Path
) -> None:
    file = manifest(dataset, **changed)
    before = sorted(tmp_path.rglob("*"))
    for said in ask_all(dataset):
        assert said == f"{file}: is damaged"
    assert sorted(tmp_path.rglob("*")) == before


def test_json_that_is_nested_deeply_is_damaged(dataset: Path) -> None:
    deep = "[" * 200_000
    file = manifest(dataset)
    file.write_text(deep, encoding="utf-8")
    assert set(ask_all(dataset)) == {f"{file}: is damaged"}
    (dataset / "_onnxray" / "dataset.json").write_text(deep, encoding="utf-8")
    assert set(ask_all(dataset)) == {f"{dataset}/_onnxray/dataset.json: is damaged"}


@pytest.mark.parametrize("size", [10**12, -1, 0, 1 << 40])
def test_a_sample_is_not_larger_because_it_says_so(size: int, tmp_path: Path) -> None:
    import pyarrow

    trace = pyarrow.compress(b"{}", codec="zstd", asbytes=True)
    by_a_stranger(tmp_path / "dataset", *[{"sample": {"size": size, "trace": trace}}] * 4)
    for _, points in trend(tmp_path / "dataset").series:
        assert all("the sample of launch" in str(point.error) for point in points)


def test_a_sample_of_another_launch_is_damaged(tmp_path: Path) -> None:
    import pyarrow

    def sample(trace: bytes) -> dict[str, Any]:
        return {"size": len(trace), "trace": pyarrow.compress(trace, codec="zstd", asbytes=True)}

    ids = [sha256(trace).hexdigest() for trace in TRACES]
    by_a_stranger(
        tmp_path / "dataset",
        {"launch_id": ids[0], "sample": sample(TRACES[0])},
        {"launch_id": ids[1], "sample": sample(TRACES[1])},
        {"launch_id": ids[2], "sample": sample(TRACES[3])},
        {"launch_id": ids[3], "sample": {"size": 9, "trace": b"nothing"}},
    )
    ((_, (whole, damaged)),) = trend(tmp_path / "dataset").series
    assert whole.value is not None
    assert re.fullmatch(r"the sample of launch \w+ is damaged", str(damaged.error))


@pytest.mark.parametrize("column", ["uri", "configuration_id"])
def test_a_launch_that_lacks_what_all_have_is_refused(column: str, tmp_path: Path) -> None:
    by_a_stranger(tmp_path / "dataset", *[{column: None}] * 4)
    with pytest.raises(FleetError, match="a row lacks"):
        trend(tmp_path / "dataset")


def test_few_bytes_are_not_many_rows(dataset: Path) -> None:
    import pyarrow
    import pyarrow.parquet

    part = Dataset.open(str(dataset)).parts("launches")[0]
    schema = TABLES["launches"].arrow()
    rows = pyarrow.nulls(3_000_000)
    table = pyarrow.table([rows.cast(field.type) for field in schema], schema=schema)
    pyarrow.parquet.write_table(table, dataset / "launches" / part, compression="zstd")
    with pytest.raises(FleetError, match="rows, more than bytes"):
        trend(dataset)


def test_a_uri_that_is_no_path_is_an_error_of_its_point(tmp_path: Path) -> None:
    uris = ["a\0b", "/dev/zero", str(tmp_path), "~nobody/x"]
    by_a_stranger(tmp_path / "dataset", *({"uri": uri} for uri in uris))
    for _, points in trend(tmp_path / "dataset").series:
        assert all("its file cannot be read" in str(point.error) for point in points)


def gone(dataset: Path, table: str) -> Path:
    part = Dataset.open(str(dataset)).parts(table)[0]
    (dataset / table / part).unlink()
    return dataset / table / part


@pytest.mark.parametrize("table", ["samples", "operators", "launch_operators", "launch_types"])
def test_a_part_that_is_gone_is_named_and_the_rest_is_there(
    table: str, dataset: Path, tmp_path: Path
) -> None:
    part = gone(dataset, table)
    with pytest.warns(onnxray.TraceWarning, match="gone, with the rows that it held") as warned:
        Dataset.open(str(dataset)).arrow(table)
    assert str(part) in str(warned[0].message)
    if table == "samples":
        with pytest.warns(onnxray.TraceWarning, match="gone"):
            ((_, (point,)),) = trend(dataset).series
    else:
        ((_, (point,)),) = trend(dataset).series
    # They lie where they lay.
    assert point.value is not None
    with pytest.warns(onnxray.TraceWarning, match="gone"):
        compact(dataset)
    with pytest.warns(onnxray.TraceWarning, match="gone"):
        assert not rows_of(dataset)[table]


def test_what_is_forgotten_is_collected_again_and_counts_once(
    dataset: Path, tmp_path: Path
) -> None:
    before = rows_of(dataset)
    gone(dataset, "sources")
    with pytest.warns(onnxray.TraceWarning, match="gone"):
        added = collect(tmp_path / "files", dataset, {"commit": "1"}, samples=True)
    assert added.added == len(TRACES)
    with pytest.warns(onnxray.TraceWarning, match="gone"):
        assert rows_of(dataset) == before


def test_a_batch_whose_files_are_gone_is_left_and_named(tmp_path: Path) -> None:
    from onnxray.fleet import committing
    from onnxray.fleet.reading import Collected

    dataset = by_a_stranger(tmp_path / "dataset", *[{}] * 4)
    source = {"source_id": "f" * 64, "uri": "x"}
    batch = committing.stage(dataset, [Collected("f" * 64, "2026-11", {"sources": [source]})])
    assert batch
    (tmp_path / "dataset" / batch.parts[0].name).write_bytes(b"")
    with pytest.warns(onnxray.TraceWarning, match="left as it is: sources/month=2026-11"):
        trend(tmp_path / "dataset")
    assert dataset.pending()
    assert len(dataset.known("sources", "source_id")) == 4


@pytest.mark.parametrize("content", [b"", b"{", b"\xff" * 99, b'{"add":{"path":1}}\n', b"[" * 9999])
def test_a_log_that_is_damaged_is_a_sentence(content: bytes, dataset: Path) -> None:
    number = len(list((dataset / "launches" / "_delta_log").glob("*.json")))
    (dataset / "launches" / "_delta_log" / f"{number:020}.json").write_bytes(content)
    with contextlib.suppress(FleetError):
        trend(dataset)
