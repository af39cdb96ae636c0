"""Manifests and logs that are changed at random: a sentence or an answer, and nothing outside.

``ONNXRAY_MUTATIONS`` sets how many of each kind are tried.
"""

from __future__ import annotations

import json
import os
import random
import shutil
import warnings
from pathlib import Path
from typing import Any

import pytest

import fleet_recordings
import onnxray
from fleet_datasets import keys_are_unique, manifest_of
from onnxray.fleet import FleetError, collect, committing
from onnxray.fleet.dataset import Dataset
from onnxray.fleet.schema import TABLES

COUNT = int(os.environ.get("ONNXRAY_MUTATIONS", "10"))
FLEET = fleet_recordings.Fleet(1, 1, 1, 3, layers=3)
VALUES: tuple[Any, ...] = (
    None,
    True,
    -1,
    0,
    1 << 63,
    1e308,
    "",
    "..",
    "../../outside",
    "/etc/passwd",
    "s3://bucket/x",
    "month=2026-11/../../x.parquet",
    "\0",
    "\u202e\n",
    "f" * 64,
    [],
    {},
    [[[]]],
)


@pytest.fixture(scope="module")
def dataset(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two launches that are committed, and one that is staged."""
    folder = tmp_path_factory.mktemp("fuzz")
    for number, (_, trace) in enumerate(FLEET.recordings(0)):
        (folder / f"{number}.json").write_bytes(trace)
    files = sorted(str(file) for file in folder.glob("*.json"))
    collect(files[:2], folder / "dataset", {"commit": "1"}, samples=True)
    manifest_of(folder / "dataset", files[2])
    return folder / "dataset"


def places(value: Any) -> list[tuple[Any, Any]]:
    """What has members or elements, with the key of each."""
    own: list[tuple[Any, Any]]
    if isinstance(value, dict):
        own = [(value, key) for key in value]
        return own + [place for each in value.values() for place in places(each)]
    if isinstance(value, list):
        own = [(value, number) for number in range(len(value))]
        return own + [place for each in value for place in places(each)]
    return []


def changed(choose: random.Random, content: bytes) -> bytes:
    """A line of JSON in which a value, a member or a byte is another one."""
    if choose.random() < 0.2:
        damaged = bytearray(content)
        for _ in range(choose.randint(1, 4)):
            damaged[choose.randrange(len(damaged))] = choose.randrange(256)
        return bytes(damaged)
    if choose.random() < 0.05:
        return choose.choice([b"", b"[" * 50_000, content[: choose.randrange(len(content))]])
    lines = [json.loads(line) for line in content.splitlines()]
    for _ in range(choose.randint(1, 3)):
        found = places(choose.choice(lines))
        if not found:
            continue
        holder, key = choose.choice(found)
        kind = choose.random()
        if kind < 0.7:
            holder[key] = choose.choice(VALUES)
        elif kind < 0.9 and isinstance(holder, dict):
            del holder[key]
        elif isinstance(holder, list):
            holder.append(holder[key])
    return "".join(f"{json.dumps(line)}\n" for line in lines).encode()


def outside(folder: Path) -> list[str]:
    return sorted(
        str(file) for file in folder.rglob("*") if folder / "dataset" not in (file, *file.parents)
    )


def ask(dataset: Path) -> None:
    """Finishes what is pending, and reads all that there is."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", onnxray.TraceWarning)
        found = committing.opened(dataset, None)
        for table in TABLES:
            found.arrow(table).to_table()


@pytest.mark.parametrize("kind", ["manifest", "launches", "sources", "samples"])
def test_nothing_but_a_sentence_comes_of_it(kind: str, dataset: Path, tmp_path: Path) -> None:
    from onnxray.fleet.errors import in_a_sentence

    choose = random.Random(kind)
    answered = 0
    for _ in range(COUNT):
        shutil.rmtree(tmp_path / "dataset", ignore_errors=True)
        copied = Path(shutil.copytree(dataset, tmp_path / "dataset"))
        if kind == "manifest":
            (file,) = (copied / "_onnxray" / "pending").glob("*.json")
        else:
            file = choose.choice(sorted((copied / kind / "_delta_log").glob("*.json")))
        before = outside(tmp_path)
        file.write_bytes(changed(choose, file.read_bytes()))
        try:
            in_a_sentence(ask)(copied)
        except FleetError as error:
            said = error.message
            assert "\n" not in said
        else:
            answered += 1
            if kind == "manifest":
                assert keys_are_unique(copied)
                assert len(Dataset.open(str(copied)).known("sources", "source_id")) in (2, 3)
        assert outside(tmp_path) == before
    assert answered <= COUNT
