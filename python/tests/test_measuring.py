"""What runs a model: recordings, their inputs and their interrupts."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import zipfile
from pathlib import Path

import numpy
import polars
import pytest

import onnxray
from conftest import MODELS

CNN = MODELS / "cnn.onnx"
pytestmark = pytest.mark.filterwarnings("ignore::onnxray.TraceWarning")


def test_a_recording_is_a_summary_that_stands_for_its_files(tmp_path: Path) -> None:
    image = numpy.ones((1, 3, 96, 96), numpy.float32)
    made = onnxray.record(
        CNN, iterations=3, warmup=1, inputs={"image": image}, out=tmp_path / "mit Größe"
    )
    assert Path(made.path).is_file()
    assert made.figures["profiled_iterations"] == 3
    assert "image=" in made.figures["inputs"]
    kinds = polars.DataFrame(made.trace().iterations)["kind"].to_list()
    assert (kinds.count("measured"), kinds.count("warm-up"), kinds.count("plain")) == (3, 1, 3)
    assert onnxray.summary(made).json == made.json
    made.to_html(tmp_path / "page.html")
    made.to_xlsx(tmp_path / "book.xlsx")
    assert zipfile.is_zipfile(tmp_path / "book.xlsx")
    assert len(list((tmp_path / "mit Größe").rglob("*.json"))) == 1


def test_equal_arrays_are_equal_inputs(tmp_path: Path) -> None:
    image = numpy.ones((1, 3, 96, 96), numpy.float32)
    inputs = [
        onnxray.record(CNN, iterations=1, inputs={"image": each}, out=tmp_path).figures["inputs"]
        for each in (image, image.copy(), image * 2)
    ]
    assert inputs[0] == inputs[1] != inputs[2]


def test_an_array_of_another_shape_is_an_error_of_the_model(tmp_path: Path) -> None:
    with pytest.raises(onnxray.ModelError, match="input `image` should be"):
        onnxray.record(CNN, inputs={"image": numpy.zeros(3)}, out=tmp_path)


def test_two_models_take_turns(tmp_path: Path) -> None:
    out = tmp_path / "of [two]*"
    a = onnxray.record(CNN, against=MODELS / "cnn-int8.onnx", iterations=2, launches=2, out=out)
    assert a.against is not None
    assert [len(each.trace().launches) for each in (a, a.against)] == [2, 2]
    found = onnxray.compare(a, a.against)
    assert "cnn-int8" in found.headline[0]


def test_a_recording_tells_what_an_inference_costs(tmp_path: Path) -> None:
    paced = ["--starts", "2", "--rate", "50,max", "--rate-duration", "0.5s", "--no-roofs"]
    a = onnxray.record(CNN, iterations=2, launches=2, out=tmp_path / "a", options=paced)
    costs = {row["figure"]: row for row in a.costs.rows()}
    for name, unit in (("cpu_time", "ms"), ("session", "ms")):
        row = costs[name]
        assert (row["value"], row["unit"]) == (a.json["model"][f"{name}_{unit}"], unit)
        assert row["low"] == a.json["model"][f"{name}_low_{unit}"] < row["value"] < row["high"]
    assert costs["busy_cores"]["unit"] == costs["idle_session_cores"]["unit"] == "cores"
    assert costs["first_inference"]["low"] is None
    assert polars.DataFrame(a.pace)["rate"].to_list() == ["50", "max"]
    found = onnxray.compare(a, a)
    compared = {row["figure"]: row for row in found.costs.rows()}
    assert compared["cpu_time_ms"]["a"] == costs["cpu_time"]["value"]
    assert (
        {"start_ms", "paced_latency_ms"}
        <= compared.keys()
        < {row["figure"] for row in found.inference.rows()}
    )
    assert polars.DataFrame(found.pace)["rate"].to_list() == ["50", "max"]
    without = onnxray.record(CNN, iterations=2, out=tmp_path / "b", options=["--starts", "0"])
    assert (len(without.costs), len(without.pace)) == (0, 0)
    assert len(onnxray.compare(without, without).costs) == 0


def test_a_sweep_is_shown_again_without_measuring(tmp_path: Path) -> None:
    profiles = tmp_path / "sweep"
    found = onnxray.sweep(CNN, batch_sizes=[1, 2], rounds=1, profiles=profiles)
    assert sorted(polars.DataFrame(found.points)["batch_size"]) == [1, 2]
    # Beside what was measured, it keeps which report is its own.
    before = sorted(profiles.rglob("[!.]*"))
    found.to_html(tmp_path / "page.html")
    found.to_xlsx(tmp_path / "book.xlsx")
    assert sorted(profiles.rglob("[!.]*")) == before
    assert onnxray.sweep(profiles=profiles).json["points"] == found.json["points"]


def test_the_page_of_what_was_measured_is_not_measured_again(tmp_path: Path) -> None:
    loss = tmp_path / "loss.json"
    found = onnxray.sensitivity(
        CNN, sparsities=[0.9], layers=["/classifier/Gemm"], save=loss, batch_size=1
    )
    assert len(found.loss_points) == 1
    assert json.loads(loss.read_text())["format"] == "onnxray loss profile"
    found.to_html(tmp_path / "page.html")
    assert (tmp_path / "page.html").stat().st_size > 10000
    with pytest.raises(onnxray.UsageError, match="when this was measured") as caught:
        found.to_xlsx(tmp_path / "book.xlsx")
    assert "report=" in (caught.value.hint or "")
    again = onnxray.sensitivity(
        CNN, sparsities=[0.9], layers=["/classifier/Gemm"], report=tmp_path / "report.xlsx"
    )
    again.to_xlsx(tmp_path / "book.xlsx")
    assert (tmp_path / "book.xlsx").read_bytes() == (tmp_path / "report.xlsx").read_bytes()


def test_a_search_for_options_of_onnx_runtime(tmp_path: Path) -> None:
    found = onnxray.tune(CNN, only=["levels"], time_limit="2s", out=tmp_path / "tune")
    assert len(found.tune_changes) > 0
    found.to_html(tmp_path / "page.html")


def test_a_search_for_a_mix(tmp_path: Path) -> None:
    found = onnxray.mix(
        CNN,
        MODELS / "cnn-int8.onnx",
        output=tmp_path / "mixed.onnx",
        engine="onnxruntime",
        time_limit="1s",
        out=tmp_path / "mix",
    )
    assert len(found.mix_models) >= 2
    found.to_html(tmp_path / "page.html")


INTERRUPTED = """
import onnxray, sys
try:
    onnxray.record({model!r}, duration="10m", out={out!r})
except KeyboardInterrupt:
    print("interrupted")
"""


def iterations(folder: Path) -> int:
    """Iterations that are in a recording so far."""
    texts = (file.read_text() for file in folder.rglob("*profiling_*.json"))
    return sum(text.count('"cat":"iteration"') for text in texts)


def test_an_interrupt_keeps_what_was_recorded(tmp_path: Path) -> None:
    script = INTERRUPTED.format(model=str(CNN), out=str(tmp_path))
    with subprocess.Popen(
        [sys.executable, "-c", script], stdout=subprocess.PIPE, text=True, start_new_session=True
    ) as child:
        # Ten of them warm up.
        while iterations(tmp_path) < 12:
            assert child.poll() is None
        # As a terminal does, to the whole group.
        os.killpg(child.pid, signal.SIGINT)
        output, _ = child.communicate()
    assert (child.returncode, output) == (0, "interrupted\n")
    trace = onnxray.read_trace(tmp_path)
    assert len(trace.launches) == 1
    files = list(tmp_path.rglob("*.json"))
    assert [file.name for file in files if file.name.startswith(".")] == []
    assert '"completed"' in files[0].read_text()
