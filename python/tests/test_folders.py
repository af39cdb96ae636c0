"""What lies in the current folder is data, and a folder may have any name."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import onnxray
from conftest import MODELS, REPOSITORY
from onnxray._program import program
from onnxray.recording import _paths

MODULES = ("fsspec", "deltalake", "argparse", "json", "tempfile", "duckdb", "onnxruntime")


def ended(folder: Path, *words: str, path: str | None = None) -> None:
    environment = {**os.environ, "PYTHONPATH": str(REPOSITORY / "python")}
    if path is not None:
        environment = {**environment, "PATH": path}
        environment.pop("ONNXRAY_PROGRAM", None)
    subprocess.run(
        [sys.executable, *words], cwd=folder, env=environment, capture_output=True, check=False
    )


@pytest.mark.parametrize(
    "words",
    [
        ["-m", "onnxray.fleet", "trend", "nothing"],
        ["-m", "onnxray.fleet", "collect", ".", "nothing"],
        ["-m", "onnxray", "--version"],
        [str(REPOSITORY / "python" / "onnxray-fleet"), "trend", "nothing"],
    ],
)
def test_no_module_of_the_current_folder_is_run(words: list[str], tmp_path: Path) -> None:
    for name in MODULES:
        text = f"open({str(tmp_path / 'ran')!r}, 'a').write({name!r})"
        (tmp_path / f"{name}.py").write_text(text, encoding="utf-8")
    ended(tmp_path, *words)
    assert not (tmp_path / "ran").exists()


@pytest.mark.parametrize("path", ["", ":/usr/bin", ".:/usr/bin", "/usr/bin:", "sub"])
def test_no_program_of_the_current_folder_is_run(path: str, tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    for folder in (tmp_path, tmp_path / "sub"):
        file = folder / "onnxray"
        file.write_text(f"#!/bin/sh\ntouch {tmp_path}/ran\necho onnxray 0.1.0\n", encoding="utf-8")
        file.chmod(0o755)
    ended(tmp_path, "-c", "from onnxray._program import program; program()", path=path)
    assert not (tmp_path / "ran").exists()


def test_a_program_that_is_named_is_not_looked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine").symlink_to(program())
    monkeypatch.setenv("ONNXRAY_PROGRAM", "mine")
    assert program() == str(tmp_path / "mine")


@pytest.mark.parametrize("name", ["a\u2028b", "a\x0cb", "-dash", "a\x85b", "a\udcffb", "a b\r"])
def test_a_recording_is_found_in_a_folder_of_any_name(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    found = onnxray.record(MODELS / "cnn.onnx", iterations=2, warmup=0, out=name)
    assert os.path.exists(found.path)
    assert found.path.startswith(f"{name}/")
    assert found.figures["iterations"] == 2


def test_lines_of_paths_end_by_a_line_feed_behind_their_suffix() -> None:
    assert _paths(b"a/x_0.json\nb/x_*.json\n") == ["a/x_0.json", "b/x_*.json"]
    assert _paths("a\nb\u2028\x85/x.json\n-c/y.json\n".encode()) == [
        "a\nb\u2028\x85/x.json",
        "-c/y.json",
    ]
    assert _paths(b"\xff/x.json\n") == ["\udcff/x.json"]
