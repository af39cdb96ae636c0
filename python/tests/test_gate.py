"""The fixture `onnxray`: the gate's verdict is what an assertion says."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import onnxray
from conftest import ENCODER, ENCODER_INT8, MODELS, REPOSITORY
from onnxray.pytest import Gate, Settings

CNN = MODELS / "cnn.onnx"


@pytest.fixture
def gate(tmp_path: Path) -> Gate:
    return Gate(tmp_path / "recordings")


def test_what_is_slower_fails_with_figure_interval_and_what_to_do(gate: Gate) -> None:
    with pytest.raises(AssertionError) as caught:
        gate.check(ENCODER_INT8, against=ENCODER, fail_above="5%")
    verdict, headline, shown = str(caught.value).split("\n")
    assert verdict.startswith("encoder-int8 is slower by more than 5 %: +66.2 % (95 % CI +65.0")
    assert headline.startswith("encoder-int8 is 66.2 % slower than encoder: 6.742 ms vs 4.055 ms")
    assert shown.startswith(f"onnxray compare {ENCODER} {ENCODER_INT8} -o ")
    found = gate.check(ENCODER_INT8, against=ENCODER, fail_above=0.9)
    assert found.passed
    assert gate.check(ENCODER, against=ENCODER_INT8).passed


@pytest.mark.filterwarnings("ignore::onnxray.TraceWarning")
def test_what_is_not_comparable_fails(gate: Gate) -> None:
    with pytest.raises(AssertionError, match="is not comparable"):
        gate.check(ENCODER, against=ENCODER)
    with pytest.raises(onnxray.UsageError, match="compared to another recording"):
        gate.check(ENCODER, against=CNN)


@pytest.mark.filterwarnings("ignore::onnxray.TraceWarning")
def test_a_model_takes_turns_with_another_one(gate: Gate, tmp_path: Path) -> None:
    found = gate.check(CNN, against=CNN, fail_above="100%", launches=2, iterations=2)
    assert found.exit_code == 0
    assert len(list(tmp_path.rglob("profiling_*.json"))) == 4


@pytest.mark.filterwarnings("ignore::onnxray.TraceWarning")
def test_a_model_is_recorded_as_its_baseline_was(gate: Gate, tmp_path: Path) -> None:
    base = onnxray.record(CNN, batch_size=2, launches=2, iterations=2, out=tmp_path / "base")
    settings = Settings(None, 2, None, None, None, None, None).like(base)
    assert (settings.engine, settings.threads, settings.launches) == ("tract", 1, 10)
    found = gate.check(CNN, against=base, fail_above="100%", launches=2, iterations=2)
    assert found.exit_code == 0


def test_the_word_is_what_the_assertion_says(gate: Gate) -> None:
    with pytest.raises(AssertionError, match=r"^SLOWER  B is 66.2 % slower than A"):
        gate.check(ENCODER_INT8, against=ENCODER, expect="not-slower")
    found = gate.check(ENCODER, against=ENCODER_INT8, expect="faster")
    assert isinstance(found, onnxray.Judgement)
    assert (found.verdict, found.passed, found.exit_code) == ("faster", True, 0)
    with pytest.raises(AssertionError, match=r"^NOT COMPARABLE  A and B are the same recording"):
        gate.check(ENCODER, against=ENCODER, expect="same")
    with pytest.raises(onnxray.UsageError, match="two models or two recordings"):
        gate.check(CNN, against=ENCODER, expect="same")


def test_other_outputs_fail(gate: Gate, tmp_path: Path) -> None:
    other = MODELS / "cnn-int8.onnx"
    with pytest.raises(AssertionError, match=r"^DIFFERENT  outputs differ by"):
        gate.check(other, against=CNN, expect="not-slower", options=["--max-loss", "0"])
    assert (tmp_path / "recordings" / "judge").is_dir()


@pytest.mark.filterwarnings("ignore:the time limit ended")
def test_what_is_not_decided_is_a_warning(gate: Gate) -> None:
    with pytest.warns(onnxray.TraceWarning, match=r"^INCONCLUSIVE  too few launches"):
        found = gate.check(CNN, against=CNN, expect="faster", options=["--time-limit", "1ms"])
    assert found.passed is None


TEST = """
def test_speed(onnxray):
    onnxray.check({b!r}, against={a!r}, fail_above="5%")
"""


def test_the_fixture_is_a_plugin(tmp_path: Path) -> None:
    project = (REPOSITORY / "pyproject.toml").read_text(encoding="utf-8")
    assert '[project.entry-points.pytest11]\nonnxray = "onnxray.pytest"\n' in project
    file = tmp_path / "test_speed.py"
    file.write_text(TEST.format(a=str(ENCODER), b=str(ENCODER_INT8)), encoding="utf-8")
    ended = subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "onnxray.pytest", str(file)],
        cwd=tmp_path,
        env={**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.returncode == 1
    assert "AssertionError: encoder-int8 is slower by more than 5 %: +66.2 %" in ended.stdout
    # Where it was called, and nothing of the fixture itself.
    assert "raise AssertionError" not in ended.stdout
