"""Profiles of one's own program."""

from __future__ import annotations

import os
import subprocess
import sys
import types
from pathlib import Path
from typing import Any

import numpy
import onnxruntime
import polars
import pytest

import onnxray
from conftest import FIXTURES, MODELS

CNN = str(MODELS / "cnn.onnx")
IMAGE = {"image": numpy.zeros((1, 3, 96, 96), numpy.float32)}


def session(options: Any = None, model: str = CNN) -> Any:
    return onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])


def measured(trace: onnxray.Trace) -> int:
    return polars.DataFrame(trace.iterations)["kind"].to_list().count("measured")


def test_sessions_of_a_block_are_profiled() -> None:
    options = onnxruntime.SessionOptions()
    before = options.profile_file_prefix
    with onnxray.profile_session(options) as profile:
        kept = session(options)
        for _ in range(3):
            kept.run(None, IMAGE)
        with pytest.raises(onnxray.Error, match="once the `with` block has ended"):
            profile.trace()
    trace = profile.trace()
    assert measured(trace) == 3
    assert "Conv" in polars.DataFrame(trace.operators)["type"].to_list()
    assert (options.enable_profiling, options.profile_file_prefix) == (False, before)
    # It goes on without the profiler.
    kept.run(None, IMAGE)
    assert measured(profile.trace()) == 3


def test_a_session_that_is_gone_has_left_its_profile(tmp_path: Path) -> None:
    options = onnxruntime.SessionOptions()
    with onnxray.profile_session(options, tmp_path / "größe 1") as profile:
        session(sess_options := options).run(None, IMAGE)
        del sess_options
        session(options, str(MODELS / "lstm.onnx"))
    assert len(profile.paths) == 2
    assert measured(onnxray.read_trace(profile.paths[0])) == 1
    assert all(Path(path).parent == tmp_path / "größe 1" for path in profile.paths)


def test_a_block_without_its_sessions_is_an_error() -> None:
    options = onnxruntime.SessionOptions()
    early = session(options)
    profile = onnxray.profile_session(options)
    with pytest.raises(onnxray.Error, match="no session was made with these options"), profile:
        early.run(None, IMAGE)
    assert not options.enable_profiling


def test_a_session_that_never_ran_is_an_error() -> None:
    options = onnxruntime.SessionOptions()
    with onnxray.profile_session(options) as profile:
        kept = session(options)
    del kept
    with (
        pytest.warns(onnxray.TraceWarning, match="no run is in it"),
        pytest.raises(onnxray.Error, match="nothing ran"),
    ):
        profile.trace()


def test_an_exception_in_the_block_comes_through() -> None:
    options = onnxruntime.SessionOptions()
    with pytest.raises(ZeroDivisionError), onnxray.profile_session(options):
        _ = 1 / 0
    assert not options.enable_profiling


def test_profiling_that_is_on_already_is_left_alone() -> None:
    options = onnxruntime.SessionOptions()
    options.enable_profiling = True
    with (
        pytest.raises(onnxray.Error, match="profiling on already"),
        onnxray.profile_session(options),
    ):
        pass
    assert options.enable_profiling


@pytest.mark.filterwarnings("ignore::onnxray.TraceWarning")
def test_pytorch_is_profiled_by_its_own_profiler(monkeypatch: pytest.MonkeyPatch) -> None:
    trace = FIXTURES / "pytorch" / "2.5.1" / "steps.json"
    calls: list[object] = []

    class profile:  # noqa: N801, its name in PyTorch
        def __init__(self, **options: object) -> None:
            calls.append(options)

        def __enter__(self) -> None:
            calls.append("enter")

        def __exit__(self, *how: object) -> None:
            calls.append("exit")

        def step(self) -> None:
            calls.append("step")

        def export_chrome_trace(self, path: str) -> None:
            Path(path).write_bytes(trace.read_bytes())

    torch, profiler = types.ModuleType("torch"), types.ModuleType("torch.profiler")
    profiler.profile = profile  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "torch", torch)
    monkeypatch.setitem(sys.modules, "torch.profiler", profiler)
    with onnxray.torch_profile(with_stack=True) as block:
        block.step()
    assert calls == [{"record_shapes": True, "with_stack": True}, "enter", "step", "exit"]
    assert len(block.trace().events) == len(onnxray.read_trace(trace).events) > 0


PROGRAM = """
{first}
import numpy
from onnxruntime import InferenceSession, SessionOptions
{last}
image = {{"image": numpy.zeros((1, 3, 96, 96), numpy.float32)}}
kept = InferenceSession({model!r})
for _ in range(3):
    kept.run(None, image)
options = SessionOptions()
with open({model!r}, "rb") as model:
    InferenceSession(model.read(), sess_options=options).run(None, image)
InferenceSession({model!r}, options).run(None, image)
assert not options.enable_profiling
"""


@pytest.mark.parametrize("is_first", [True, False])
@pytest.mark.parametrize("value", ["1", "0", "FALSE", ""])
def test_engine_profiling_records_all_sessions(is_first: bool, value: str, tmp_path: Path) -> None:
    imports = ("import onnxray", "") if is_first else ("", "import onnxray")
    script = PROGRAM.format(first=imports[0], last=imports[1], model=CNN)
    ended = subprocess.run(
        [sys.executable, "-c", script],
        cwd=tmp_path,
        env={**os.environ, "ENGINE_PROFILING": value},
        capture_output=True,
        text=True,
        check=True,
    )
    if value != "1":
        assert (list(tmp_path.rglob("*.*")), ended.stderr) == ([], "")
        return
    found = sorted(tmp_path.rglob("*.json"))
    assert [file.parent for file in found] == [tmp_path / "engine_profiling/profiling_trace"] * 3
    tables = sorted((tmp_path / "engine_profiling/profiling_csv").iterdir())
    assert [file.name for file in tables] == sorted(f"{file.stem}.csv" for file in found)
    assert all("operator latency (ms)" in file.read_text(encoding="utf-8") for file in tables)
    told = [line for line in ended.stderr.splitlines() if line.startswith("Recording: ")]
    assert sorted(told) == [f"Recording: {file}" for file in found]
    # Each session is a recording of its own.
    assert len({file.name[:-6] for file in found}) == 3
    first, second, third = (onnxray.summary(file) for file in found)
    assert [each.figures["iterations"] for each in (first, second, third)] == [3, 1, 1]
    assert first.figures["model"] == "cnn.onnx"
    # The weights are those of the model's file.
    assert first.figures["flops"] == third.figures["flops"] > 0
