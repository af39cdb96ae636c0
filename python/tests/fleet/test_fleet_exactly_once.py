"""A dataset has each launch once, whoever is killed and whoever else collects."""

from __future__ import annotations

import gzip
import random
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import fleet_recordings
from fleet_datasets import (
    Rows,
    ask,
    barrier,
    collect_in_batches,
    compact_all,
    finish,
    keys_are_unique,
    killed_at,
    rows_of,
    start,
)
from onnxray.fleet import collect, committing
from onnxray.fleet.dataset import Dataset
from onnxray.fleet.storage import Shard, expand

FLEETS = [fleet_recordings.Fleet(2, 1, 1, 1, layers=layers, seed=layers) for layers in (3, 4)]
LABELS = {"commit": "1"}


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """Four traces of two months and two graphs, and one that cannot be read."""
    folder = tmp_path_factory.mktemp("few")
    for fleet in FLEETS:
        for commit in range(2):
            for name, trace in fleet.recordings(commit):
                (folder / name.replace("/", "-")).write_bytes(trace)
    (folder / "damaged.json").write_bytes(b"{")
    return expand(folder)


@pytest.fixture(scope="module")
def undisturbed(files: list[str], tmp_path_factory: pytest.TempPathFactory) -> Rows:
    dataset = tmp_path_factory.mktemp("undisturbed") / "dataset"
    collect_in_batches(files, dataset, 3)
    rows = rows_of(dataset)
    assert {table: len(of_table) for table, of_table in rows.items()} == {
        "sources": 5,
        "launches": 4,
        "operators": 7,
        "launch_operators": 14,
        "launch_types": 14,
        "samples": 4,
    }
    return rows


def check(dataset: Path, expected: Rows) -> None:
    assert rows_of(dataset) == expected
    assert keys_are_unique(dataset)
    assert Dataset.open(str(dataset)).pending() == []


def test_a_collection_that_is_killed_between_any_two_steps_adds_nothing_twice(
    files: list[str], undisturbed: Rows, tmp_path: Path
) -> None:
    number = 0
    while killed_at(number, collect_in_batches, files, tmp_path / str(number), 3):
        dataset = tmp_path / str(number)
        collect_in_batches(files, dataset, 3)
        check(dataset, undisturbed)
        number += 1
    check(tmp_path / str(number), undisturbed)
    assert number > 20


@pytest.mark.parametrize("question", [finish, ask])
def test_who_asks_finishes_what_was_decided(
    question: Callable[[Path], None], files: list[str], undisturbed: Rows, tmp_path: Path
) -> None:
    number = decided = 0
    while killed_at(number, collect_in_batches, files, tmp_path / str(number), len(files)):
        dataset = tmp_path / str(number)
        number += 1
        if Dataset.open(str(dataset)).pending():
            question(dataset)
            check(dataset, undisturbed)
            decided += 1
        else:
            assert not rows_of(dataset)["sources"]
    assert decided > 5


def leave_a_manifest(files: list[str], dataset: Path) -> None:
    """Kills collections until one leaves a manifest."""
    number = 0
    while not (dataset / "_onnxray" / "pending").exists():
        shutil.rmtree(dataset, ignore_errors=True)
        assert killed_at(number, collect_in_batches, files, dataset, len(files))
        number += 1


def test_who_finishes_may_be_killed_as_well(
    files: list[str], undisturbed: Rows, tmp_path: Path
) -> None:
    begun = tmp_path / "begun"
    leave_a_manifest(files, begun)
    number = 0
    while True:
        dataset = tmp_path / str(number)
        shutil.copytree(begun, dataset)
        is_killed = killed_at(number, finish, dataset)
        finish(dataset)
        check(dataset, undisturbed)
        if not is_killed:
            break
        number += 1
    assert number == 6


def test_compacting_that_is_killed_between_any_two_steps_loses_nothing(
    files: list[str], undisturbed: Rows, tmp_path: Path
) -> None:
    whole = tmp_path / "whole"
    for file in files:
        collect([file], whole, LABELS, samples=True)
    number = 0
    while True:
        dataset = tmp_path / str(number)
        shutil.copytree(whole, dataset)
        is_killed = killed_at(number, compact_all, dataset)
        check(dataset, undisturbed)
        compact_all(dataset)
        check(dataset, undisturbed)
        collect_in_batches(files, dataset, 2)
        check(dataset, undisturbed)
        if not is_killed:
            break
        number += 1
    assert number > 6


@pytest.mark.parametrize("seed", range(6))
def test_many_that_collect_at_once_add_each_launch_once(
    seed: int, files: list[str], undisturbed: Rows, tmp_path: Path
) -> None:
    choose = random.Random(seed)
    dataset = tmp_path / "dataset"
    together = barrier(3)
    processes = []
    for number in range(3):
        some = list(files) if seed % 2 else [*choose.sample(files, 3), files[number]]
        choose.shuffle(some)
        arguments = (some, dataset, choose.randint(1, 3), together)
        processes.append(start(collect_in_batches, *arguments))
    for process in processes:
        process.join()
    assert [process.exitcode for process in processes] == [0, 0, 0]
    assert keys_are_unique(dataset)
    collect_in_batches(files, dataset, 3)
    check(dataset, undisturbed)


def test_compacting_while_others_collect_loses_nothing(
    files: list[str], undisturbed: Rows, tmp_path: Path
) -> None:
    dataset = tmp_path / "dataset"
    collect(files[:1], dataset, LABELS, samples=True)
    processes = [start(collect_in_batches, files[begin::2], dataset, 1) for begin in range(2)]
    processes += [start(_compact_often, dataset)]
    for process in processes:
        process.join()
    assert [process.exitcode for process in processes] == [0, 0, 0]
    check(dataset, undisturbed)


def _compact_often(dataset: Path) -> None:
    from onnxray.fleet import compact

    for _ in range(5):
        compact(dataset)


def test_a_batch_that_somebody_else_decides_meanwhile_is_still_finished(
    files: list[str], undisturbed: Rows, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The other one dies as soon as it decided, while this one looks up what is known."""
    dataset = tmp_path / "dataset"
    leave_a_manifest(files, dataset)
    found = Dataset.open(str(dataset))
    known = found.known
    was_killed: list[bool] = []

    def interrupted(table: str, column: str) -> set[str]:
        if not was_killed:
            was_killed.append(killed_at(0, finish, dataset))
        return known(table, column)

    monkeypatch.setattr(found, "known", interrupted)
    committing.finish(found)
    assert was_killed == [True]
    check(dataset, undisturbed)


def test_what_a_dead_process_staged_is_committed_without_what_is_known(
    files: list[str], undisturbed: Rows, tmp_path: Path
) -> None:
    dataset = tmp_path / "dataset"
    leave_a_manifest(files, dataset)
    kept = tmp_path / "kept"
    shutil.move(dataset / "_onnxray" / "pending", kept)
    collect(files[1:3], dataset, LABELS, samples=True)
    shutil.copytree(kept, dataset / "_onnxray" / "pending", dirs_exist_ok=True)
    finish(dataset)
    check(dataset, undisturbed)
    shutil.copytree(kept, dataset / "_onnxray" / "pending", dirs_exist_ok=True)
    finish(dataset)
    check(dataset, undisturbed)


def test_the_same_content_is_one_launch_by_any_name(
    files: list[str], undisturbed: Rows, tmp_path: Path
) -> None:
    import pyarrow

    dataset = tmp_path / "dataset"
    assert str(collect(files, dataset, LABELS, samples=True)) == (
        "5 files: 5 added, 0 known, 1 unreadable"
    )
    assert str(collect(files, dataset, LABELS, samples=True)) == (
        "5 files: 0 added, 5 known, 0 unreadable"
    )
    others = tmp_path / "others"
    others.mkdir()
    readable = [file for file in files if not file.endswith("damaged.json")]
    for number, file in enumerate(readable):
        content = Path(file).read_bytes()
        (others / f"{number}.json").write_bytes(content)
        (others / f"{number}.json.gz").write_bytes(gzip.compress(content))
        packed: Any = pyarrow.compress(content, codec="zstd", asbytes=True)
        (others / f"{number}.json.zst").write_bytes(packed)
        (others / f"{number}-wrong.json").write_bytes(packed)
    added = collect(others, dataset, LABELS)
    assert (added.files, added.added, added.known) == (16, 0, 16)
    check(dataset, undisturbed)
    into = tmp_path / "new"
    added = collect(others, into, LABELS)
    assert (added.files, added.added, added.known, added.unreadable) == (16, 4, 12, 0)
    assert keys_are_unique(into)


def test_shards_have_nothing_in_common_and_are_everything(
    files: list[str], undisturbed: Rows, tmp_path: Path
) -> None:
    dataset = tmp_path / "dataset"
    counts = [
        collect(files, dataset, LABELS, shard=f"{number}/5", samples=True).added
        for number in range(1, 6)
    ]
    assert sum(counts) == len(files)
    check(dataset, undisturbed)
    choose = random.Random(7)
    letters = "aé/\n\udcff:%?#漢 "
    for _ in range(200):
        uris = ["".join(choose.choices(letters, k=choose.randint(0, 9))) for _ in range(30)]
        count = choose.randint(1, 9)
        shards = [Shard(number, count).of_uris(uris) for number in range(1, count + 1)]
        assert sorted(uri for shard in shards for uri in shard) == sorted(uris)
        assert sum(len(set(shard)) for shard in shards) == len(set(uris))
