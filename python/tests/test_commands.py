"""Commands give what the program writes as JSON, and their files."""

from __future__ import annotations

import json
import os
import subprocess
import time
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import get_type_hints

import polars
import pyarrow
import pytest

import onnxray
from conftest import ENCODER, ENCODER_INT8, FIXTURES, MODELS, TRACE, StandIn
from onnxray._program import program
from onnxray.arguments import option, words

CNN = MODELS / "cnn.onnx"
UNCLOSED = FIXTURES / "malformed" / "unclosed-object.json"


def test_a_report_is_the_json_of_the_program() -> None:
    found = onnxray.summary(ENCODER)
    said = subprocess.run(
        [program(), "summary", str(ENCODER), "--format", "json"], capture_output=True, check=True
    )
    assert found.json == json.loads(said.stdout)
    assert found.exit_code == 0
    assert found.figures["iterations"] == 100
    assert found.figures is not None
    rows = found.json["operators"]
    table = pyarrow.table(found.operators)
    assert table["name"].to_pylist() == [row["name"] for row in rows]
    assert table["time_ms"].to_pylist() == [row["time_ms"] for row in rows]
    assert found["operators"] is found.operators
    assert pyarrow.table(found.patterns)["name"].to_pylist() == [
        row["name"] for row in found.json["patterns"]
    ]


REPORTS: list[tuple[str, Callable[[], onnxray.Report]]] = [
    ("summary", lambda: onnxray.summary(ENCODER)),
    ("recording", lambda: onnxray.summary(TRACE, model=MODELS / "encoder.onnx")),
    ("flops", lambda: onnxray.flops(CNN)),
    ("project", lambda: onnxray.project(ENCODER, target=0.8, target_types={"Gemm": 0})),
    ("compare", lambda: onnxray.compare(ENCODER, ENCODER_INT8)),
]


@pytest.mark.filterwarnings("ignore::onnxray.TraceWarning")
@pytest.mark.parametrize(("name", "make"), REPORTS)
def test_a_report_has_its_tables_a_page_and_a_workbook(
    name: str, make: Callable[[], onnxray.Report], tmp_path: Path
) -> None:
    report = make()
    declared = [key for key, kind in get_type_hints(type(report)).items() if kind is onnxray.Table]
    assert declared
    for key in declared:
        assert polars.DataFrame(getattr(report, key)).height == len(report.json[key])
    # Twice, since a notebook's cell runs again.
    for _ in range(2):
        report.to_html(tmp_path / "größe 1.html")
        report.to_xlsx(str(tmp_path / "größe 1.xlsx"))
    assert (tmp_path / "größe 1.html").read_text().startswith("<!")
    assert zipfile.is_zipfile(tmp_path / "größe 1.xlsx")
    assert "<table>" in report._repr_html_()
    assert f"onnxray.{type(report).__name__}" in repr(report)


def test_a_check_says_what_to_doubt() -> None:
    found = onnxray.check(ENCODER)
    assert found.headline == ("Trust in encoder: moderate.",)
    assert set(polars.DataFrame(found.checks)["grade"]) >= {"good", "doubtful"}
    with pytest.raises(onnxray.UsageError, match=r"has no \.html file"):
        found.to_html("check.html")


def test_a_comparison_that_fails_is_no_exception() -> None:
    for above, passed, code in ((0.03, False, 3), (0.9, True, 0)):
        found = onnxray.compare(ENCODER, ENCODER_INT8, fail_above=above)
        assert (found.passed, found.exit_code) == (passed, code)
        assert bool(found.failures) is not passed
        assert len(found.layers) > 10
    assert onnxray.compare(ENCODER, ENCODER_INT8).passed


@pytest.mark.filterwarnings("ignore::onnxray.TraceWarning")
def test_what_is_not_comparable_is_told_from_what_is_slower() -> None:
    found = onnxray.compare(ENCODER, ENCODER, fail_on=["slower"])
    assert (found.passed, found.exit_code) == (False, 4)
    assert "not comparable" in found.failures[0]


def test_the_names_of_a_comparison_are_those_that_are_given() -> None:
    found = onnxray.compare(ENCODER, ENCODER_INT8, names=["dense", "int8"])
    assert found.headline[0].startswith("int8 is ")


def test_a_table_that_is_not_there_is_named_with_those_that_are() -> None:
    found = onnxray.summary(ENCODER, levels=["type"])
    with pytest.raises(AttributeError, match="has no operators; it has operator_types"):
        _ = found.operators


def test_further_options_go_to_the_program() -> None:
    assert len(onnxray.summary(ENCODER, options=["--top", "2"]).operators) == 2
    assert len(onnxray.read_trace(TRACE, options=["--warmup=1"]).iterations) == 3


def test_what_was_lost_is_a_warning_of_the_caller() -> None:
    with pytest.warns(onnxray.TraceWarning, match="line 8, byte 824") as told:
        trace = onnxray.read_trace(UNCLOSED)
    assert [str(each.message) for each in told] == list(trace.warnings)
    assert [each.filename for each in told] == [__file__]
    with pytest.warns(onnxray.TraceWarning, match="line 8, byte 824") as told:
        report = onnxray.summary(UNCLOSED)
    assert [str(each.message) for each in told] == list(report.warnings)
    assert [each.filename for each in told] == [__file__]
    assert any("only 3 iterations" in note for note in report.notes)


def test_a_loss_is_an_error_with_its_place() -> None:
    with pytest.raises(onnxray.TraceError) as caught:
        onnxray.read_trace(UNCLOSED, strict=True)
    error = caught.value
    assert (error.file, error.position, error.exit_code) == (str(UNCLOSED), "line 8, byte 824", 1)
    assert error.hint == "without strict=True the rest is read"
    assert "hint" not in error.message
    assert str(error) == f"{error.message}\nhint: {error.hint}"


ERRORS: list[tuple[type[onnxray.Error], str, Callable[[], object]]] = [
    (onnxray.TraceError, "nothing", lambda: onnxray.read_trace("nothing")),
    (onnxray.TraceError, str(CNN), lambda: onnxray.summary(CNN)),
    (onnxray.TraceError, "nothing", lambda: onnxray.compare(ENCODER, "nothing")),
    (onnxray.TraceError, "nothing", lambda: onnxray.project("nothing")),
    (onnxray.TraceError, "nothing", lambda: onnxray.check("nothing")),
    (onnxray.ModelError, str(TRACE), lambda: onnxray.flops(TRACE)),
    (onnxray.ModelError, str(TRACE), lambda: onnxray.record(TRACE)),
    (onnxray.ModelError, str(TRACE), lambda: onnxray.sensitivity(TRACE)),
    (onnxray.ModelError, str(UNCLOSED), lambda: onnxray.read_trace(TRACE, model=UNCLOSED)),
]


@pytest.mark.parametrize(("kind", "file", "call"), ERRORS)
def test_an_error_is_of_what_is_wrong(
    kind: type[onnxray.Error], file: str, call: Callable[[], object]
) -> None:
    with pytest.raises(onnxray.Error) as caught:
        call()
    assert (type(caught.value), caught.value.file) == (kind, file)
    assert caught.value.exit_code == 1


def test_a_dimension_without_a_size_is_an_error_of_the_model() -> None:
    with pytest.raises(onnxray.ModelError) as caught:
        onnxray.flops(MODELS / "encoder.onnx")
    assert caught.value.hint == 'give it with dimensions={"sequence": SIZE}'


def test_wrong_arguments_are_told_from_wrong_files() -> None:
    for call in (
        lambda: onnxray.summary(ENCODER, format="unheard-of"),
        lambda: onnxray.read_trace(ENCODER, options=["--unheard-of"]),
        lambda: onnxray.summary(ENCODER).to_html("page.xlsx"),
    ):
        with pytest.raises(onnxray.UsageError) as caught:
            call()
        assert "Usage:" not in str(caught.value)
        assert caught.value.exit_code in (2, None)


def test_a_file_that_cannot_be_written_is_no_error_of_the_trace(tmp_path: Path) -> None:
    with pytest.raises(onnxray.Error, match="cannot write there") as caught:
        onnxray.project(ENCODER).to_html(tmp_path / "nothing" / "page.html")
    assert type(caught.value) is onnxray.Error


def test_an_interrupt_by_somebody_else_is_an_error(stand_in: StandIn) -> None:
    stand_in("print('interrupted; what was recorded is kept', file=sys.stderr); sys.exit(130)")
    with pytest.raises(onnxray.Interrupted) as caught:
        onnxray.record(CNN)
    assert caught.value.exit_code == 130


def test_a_report_of_a_part_is_a_report_with_a_warning(stand_in: StandIn) -> None:
    stand_in(
        "print('error: point 3 failed', file=sys.stderr)\n"
        'print(\'{"report": "sweep", "points": [{"batch_size": 1}]}\')\n'
        "sys.exit(1)"
    )
    with pytest.warns(onnxray.TraceWarning, match="point 3 failed"):
        found = onnxray.sweep(CNN)
    assert (found.exit_code, len(found.points)) == (1, 1)


def test_words_are_no_options() -> None:
    assert words("-a") == ("./-a",)
    assert words([Path("a"), "b"]) == ("a", "b")
    assert option("--a", None) == option("--a", False) == []
    assert option("--a", True) == ["--a"]
    assert option("--a", 0) == ["--a=0"]
    assert option("--a", {"x": 1, "y": 2}) == ["--a=x=1", "--a=y=2"]
    assert option("--a", ["x", Path("y")]) == ["--a=x", "--a=y"]


def test_a_report_shows_the_first_screen_of_the_program(tmp_path: Path) -> None:
    # pytest imports readline, which sets a width that Python does not know of.
    said = subprocess.run(
        [program(), "summary", str(ENCODER)],
        env=dict(os.environ),
        capture_output=True,
        text=True,
        check=True,
    )
    found = onnxray.summary(ENCODER)
    assert repr(found) == f"<onnxray.Summary>\n{said.stdout.rstrip()}"
    html = found._repr_html_()
    assert "Where the time goes" in html.partition("</pre>")[0]
    assert html.count("<details>") == 1 + len(found.tables)
    compared = repr(onnxray.compare(ENCODER, ENCODER_INT8))
    assert "encoder-int8 is 66.2 % slower" in compared
    assert len(compared.split("\n")) <= 42


def test_a_report_of_files_that_changed_shows_what_it_found(tmp_path: Path) -> None:
    file = tmp_path / TRACE.name
    file.write_bytes(TRACE.read_bytes())
    found, again = onnxray.summary(file), onnxray.summary(file)
    assert repr(found).startswith("<onnxray.Summary>\n")
    os.utime(file, (time.time() + 60, time.time() + 60))
    assert repr(again) == f"<onnxray.Summary: {', '.join(again.tables)}>"
    third = onnxray.summary(TRACE)
    third._show = lambda: "<b>&\x1b[31m"
    assert "&lt;b&gt;&amp;\\u{1b}[31m" in third._repr_html_()
    assert repr(third) == "<onnxray.Summary>\n<b>&\\u{1b}[31m"
