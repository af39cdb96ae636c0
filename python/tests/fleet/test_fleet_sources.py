"""Files that are not as they should be: they are rows, and stop nothing."""

from __future__ import annotations

import gzip
import os
import random
from collections.abc import Callable
from pathlib import Path

import pytest

import fleet_recordings
from fleet_datasets import keys_are_unique, rows_of, sources
from onnxray.fleet import FleetError, collect, trend
from onnxray.fleet.dataset import Dataset

FLEET = fleet_recordings.Fleet(1, 1, 1, 3, layers=3)
TRACES = [trace for _, trace in FLEET.recordings(0)]


def packed(content: bytes) -> bytes:
    import pyarrow

    compressed: bytes = pyarrow.compress(content, codec="zstd", asbytes=True)
    return compressed


@pytest.mark.parametrize("samples", [False, True])
def test_what_cannot_be_read_is_a_row_and_stops_nothing(samples: bool, tmp_path: Path) -> None:
    folder = tmp_path / "files"
    (folder / "folder.json").mkdir(parents=True)
    trace = TRACES[0]
    zipped = gzip.compress(trace)
    contents = {
        "folder.json/whole.json": TRACES[1],
        "empty.json": b"",
        "empty.json.gz": gzip.compress(b""),
        "text.json": b"no JSON",
        "other.json": b'{"a": 1}',
        "half.json": trace[: len(trace) // 2],
        "half.json.gz": zipped[: len(zipped) // 2],
        "half.json.zst": packed(trace)[:200],
        "cut.json.zst": packed(TRACES[2])[:-1],
        "wrong.json.gz": b"\x1f\x8b nothing",
    }
    for name, content in contents.items():
        (folder / name).write_bytes(content)
    (folder / "dangling.json").symlink_to(folder / "gone")
    os.mkfifo(folder / "pipe.json")
    os.mkfifo(folder / "pipe")
    dataset = tmp_path / "dataset"
    collect(folder, dataset, samples=samples)
    found = sources(dataset)
    read = {name for name, row in found.items() if row["launch_id"]}
    assert read == {"whole.json", "half.json", "half.json.gz"}
    errors = {name: row["error"] for name, row in found.items() if row["error"]}
    assert len(errors) == len(contents) - len(read) + 2
    assert errors["pipe.json"] == "cannot be read: not a file"
    assert errors["dangling.json"] == "cannot be read: No such file or directory"
    for name, error in errors.items():
        if not error.startswith("cannot be read: "):
            assert str(folder / name) in error
    launches = Dataset.open(str(dataset)).arrow("launches").to_table().to_pylist()
    warnings = {os.path.basename(row["uri"]): row["warnings"] for row in launches}
    assert warnings["whole.json"] is None
    assert str(folder / "half.json.gz") in warnings["half.json.gz"]
    assert "the recording ends early" in warnings["half.json"]
    for text in [*errors.values(), *warnings.values()]:
        assert "onnxray-fleet-" not in (text or "")
        assert "trace.json" not in (text or "")
    again = collect(folder, dataset)
    assert (again.added, again.unreadable) == (0, 0)
    # What was not whole then is another launch now, and what could be read of it was one.
    (folder / "cut.json.zst").write_bytes(packed(TRACES[2]))
    assert collect(folder, dataset, samples=samples).added == 1


@pytest.mark.parametrize("suffix", ["json", "json.gz", "json.zst"])
def test_damage_anywhere_stops_nothing(suffix: str, tmp_path: Path) -> None:
    choose = random.Random(suffix)
    packs: dict[str, Callable[[bytes], bytes]]
    packs = {"json": bytes, "json.gz": gzip.compress, "json.zst": packed}
    pack = packs[suffix]
    folder = tmp_path / "files"
    folder.mkdir()
    for number in range(40):
        content = bytearray(pack(TRACES[0]))
        for _ in range(choose.randint(1, 3)):
            content[choose.randrange(len(content))] = choose.randrange(256)
        (folder / f"{number}.{suffix}").write_bytes(content)
    added = collect(folder, tmp_path / "dataset", {"commit": "1"}, samples=True)
    assert added.files == 40
    assert added.added + added.known == 40
    rows = Dataset.open(str(tmp_path / "dataset")).arrow("sources").to_table().to_pylist()
    assert all((row["launch_id"] is None) == (row["error"] is not None) for row in rows)
    assert keys_are_unique(tmp_path / "dataset")


def test_files_of_any_name_are_collected(tmp_path: Path) -> None:
    names = [
        b"\xff.json",
        b"a\nb.json",
        b"'; drop table launches; --.json",
        b"<b>&.json",
        b"[1].json",
    ]
    folder = tmp_path / "files [x] %20 'q'"
    folder.mkdir()
    for number, name in enumerate(names):
        with open(os.path.join(os.fsencode(folder), name), "wb") as file:
            file.write(b"{" if number == 1 else FLEET.recording(0, 0, 0, number))
    dataset = tmp_path / "data [y] % <b>#? 'q'"
    assert collect(folder, dataset, {"commit": "1"}).unreadable == 1
    uris = {row["uri"] for row in sources(dataset).values()}
    assert {os.path.basename(uri) for uri in uris} == {
        os.fsdecode(name).encode(errors="backslashreplace").decode() for name in names
    }
    error = sources(dataset)["a\nb.json"]["error"]
    assert error.startswith(f"{folder}/a\nb.json: ")
    assert trend(dataset).series[0][1][0].launches == 4


def test_empty_files_of_two_commits_are_two(tmp_path: Path) -> None:
    for commit in ("1", "2"):
        file = tmp_path / f"{commit}.json"
        file.write_bytes(b"")
        collect([file], tmp_path / "dataset", {"commit": commit})
    assert len(sources(tmp_path / "dataset")) == 2


def write(folder: Path) -> Path:
    file = folder / "trace.json"
    file.write_bytes(TRACES[0])
    return file


def test_labels_that_clash_are_an_error(tmp_path: Path) -> None:
    file = write(tmp_path)
    dataset = tmp_path / "dataset"
    collect(file, dataset, {"commit": "1"})
    collect(file, dataset, {"branch": "main"})
    with pytest.raises(FleetError, match=r"commit=1, and now is given commit=2") as raised:
        collect(file, dataset, {"commit": "2"})
    assert raised.value.hint
    assert len(rows_of(dataset)["launches"]) == 1
    for name in ("model", "uri"):
        with pytest.raises(FleetError, match="is a column of launches") as raised:
            collect(file, dataset, {name: "1"})
        assert raised.value.hint
