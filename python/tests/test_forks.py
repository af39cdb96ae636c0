"""``ENGINE_PROFILING=1`` in processes that are forked: each has profiles and an end of its own."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from conftest import MODELS

PROGRAM = """
import multiprocessing, os, sys
import numpy, onnxray
from onnxruntime import InferenceSession

def run():
    session = InferenceSession({model!r})
    session.run(None, {{"image": numpy.zeros((1, 3, 96, 96), numpy.float32)}})

def killed():
    run()
    os._exit(3)

{body}
"""
OS = """
if os.fork() == 0:
    run()
    sys.exit()
os.wait()
"""
WORKER = """
process = multiprocessing.get_context("fork").Process(target=run)
process.start()
process.join()
"""


@pytest.mark.parametrize(
    ("body", "count"), [(OS, 1), (WORKER, 1), (f"run(){WORKER}", 2), (f"{WORKER}run()", 2)]
)
def test_sessions_of_forked_processes_are_recorded(body: str, count: int, tmp_path: Path) -> None:
    said = profiled(body, tmp_path)
    told = [line for line in said.splitlines() if line.startswith("Recording: ")]
    found = sorted((tmp_path / "engine_profiling" / "profiling_trace").glob("*.json"))
    assert sorted(told) == [f"Recording: {file}" for file in found]
    assert len(found) == count
    assert not list((tmp_path / "temporary").glob("onnxray-*"))


def test_what_a_killed_process_leaves_is_named(tmp_path: Path) -> None:
    said = profiled(WORKER.replace("target=run", "target=killed"), tmp_path)
    (profile,) = (tmp_path / "temporary").rglob("*.json")
    assert f"error: {profile} is kept as it is: process " in said


def profiled(body: str, folder: Path) -> str:
    (folder / "temporary").mkdir()
    ended = subprocess.run(
        [sys.executable, "-c", PROGRAM.format(model=str(MODELS / "cnn.onnx"), body=body)],
        cwd=folder,
        env={**os.environ, "ENGINE_PROFILING": "1", "TMPDIR": str(folder / "temporary")},
        stderr=subprocess.PIPE,
        text=True,
        check=True,
    )
    return ended.stderr
