"""What Python prints commands no terminal, as what the program prints."""

from __future__ import annotations

import io
import json
import os
import re
import subprocess
import sys
import warnings
from collections.abc import Sequence
from pathlib import Path

import pytest

import onnxray
from conftest import ENCODER
from fleet_datasets import by_a_stranger
from onnxray import _printing
from onnxray._messages import warn
from onnxray._printing import printable, say, say_json, tell
from onnxray._program import program
from onnxray.fleet import Finding, FleetError
from onnxray.fleet.__main__ import main

HIDDEN = re.compile(
    "[\0-\x09\x0b-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]"
)
NAME = "\x1b]0;x\x07\x9b31m\u202e\u2028\u200b\ufeff\U000e0041\r\n::add-mask::x"


def test_the_rule_is_that_of_the_program(tmp_path: Path) -> None:
    """The program says that files are not there, whose names have all letters that matter."""
    numbers = [*range(1, 0x300), *range(0x600, 0x700), *range(0x2000, 0x2100)]
    numbers += [*range(0xFEF0, 0xFF00), *range(0xDFFF0, 0xE0100)]
    letters = [chr(number) for number in numbers if chr(number) not in "/\\'\"*?[]:,"]
    for begin in range(0, len(letters), 60):
        name = f"a{''.join(letters[begin : begin + 60])}z"
        said = subprocess.run(
            [program(), "summary", name],
            cwd=tmp_path,
            stderr=subprocess.PIPE,
            check=False,
        ).stderr.decode()
        assert said.startswith(f"error: {printable(name)}: "), ascii(said)


def test_halves_of_letters_are_shown() -> None:
    assert printable("a\udcff\ud800é漢") == "a\\u{dcff}\\u{d800}é漢"


def test_lines_json_and_messages_hide_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    say(NAME)
    say_json({NAME: [NAME, 1.5]})
    tell(f"error: {NAME}")
    said, told = capsys.readouterr()
    assert not HIDDEN.search(said + told)
    line, _, rest = said.partition("\n")
    assert line == printable(NAME)
    assert json.loads(rest) == {NAME: [NAME, 1.5]}


@pytest.mark.parametrize("kind", [onnxray.Error, onnxray.TraceError, FleetError])
def test_exceptions_show_names(kind: type[onnxray.Error]) -> None:
    error = kind(f"{NAME}: is wrong", hint=f"leave {NAME}")
    for text in (str(error), error.message, str(error.hint)):
        assert not HIDDEN.search(text)
    assert "\n" not in FleetError(NAME).message


def test_warnings_and_findings_show_names() -> None:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        warn([NAME])
    assert not HIDDEN.search(str(caught[0].message))
    found = Finding(NAME, NAME, NAME, NAME, NAME, "slower", None, None, None, (NAME,), ())
    assert str(found) == printable(str(found))
    table = onnxray.Table.from_rows([{NAME: 1}])
    assert repr(table) == printable(repr(table))


@pytest.mark.parametrize("format", ["text", "json"])
@pytest.mark.parametrize("command", ["trend", "regressions"])
def test_commands_show_names(
    command: str, format: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    launches = [
        {"model": NAME, "cpu": NAME, "uri": NAME, "labels": {"commit": f"{number // 2}{NAME}"}}
        for number in range(4)
    ]
    by_a_stranger(tmp_path / "dataset", *launches)
    main([command, str(tmp_path / "dataset"), f"--format={format}"])
    said, told = capsys.readouterr()
    assert said
    assert not HIDDEN.search(said + told)
    assert main([command, NAME]) == 1
    assert main([command, str(tmp_path / "dataset"), "--where", f"threads={NAME}"]) == 2
    with pytest.raises(SystemExit):
        main([command, str(tmp_path / "dataset"), NAME])
    said, told = capsys.readouterr()
    assert "unrecognized arguments" in told
    assert not HIDDEN.search(said + told)


def command(words: Sequence[str | Path], **how: object) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(  # type: ignore[call-overload,no-any-return]
        [sys.executable, "-m", "onnxray.fleet", *map(str, words)], check=False, **how
    )


@pytest.fixture(scope="module")
def dataset(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("printing") / "dataset"
    assert main(["collect", str(ENCODER), str(path), "--label=commit=1"]) == 0
    return path


@pytest.mark.parametrize(
    "words", [["trend", "DATASET"], ["trend", "DATASET", "--format=json"], ["--help"]]
)
def test_standard_output_that_is_full_is_one_sentence(words: list[str], dataset: Path) -> None:
    given = [str(dataset) if word == "DATASET" else word for word in words]
    with open("/dev/full", "wb") as full:
        ended = command(given, stdout=full, stderr=subprocess.PIPE)
    assert ended.returncode == 1
    assert ended.stderr == b"error: cannot write to standard output: No space left on device\n"


def test_a_reader_that_has_seen_enough_is_no_failure(dataset: Path) -> None:
    read, write = os.pipe()
    os.close(read)
    ended = command(["trend", dataset], stdout=write, stderr=subprocess.PIPE)
    os.close(write)
    assert (ended.returncode, ended.stderr) == (0, b"")


def test_standard_error_that_is_full_or_closed_fails_nothing(dataset: Path) -> None:
    with open("/dev/full", "wb") as full:
        assert command(["trend", dataset / "none"], stderr=full).returncode == 1
    ended = subprocess.run(
        f"exec {sys.executable} -m onnxray.fleet trend '{dataset}' >&- 2>&-",
        shell=True,
        check=False,
    )
    assert ended.returncode == 0


def test_letters_that_a_stream_has_none_for_are_escapes(monkeypatch: pytest.MonkeyPatch) -> None:
    raw = io.BytesIO()
    stream = io.TextIOWrapper(raw, encoding="ascii")
    monkeypatch.setattr("sys.stdout", stream)
    say("é → b")
    _printing.finish()
    assert raw.getvalue() == b"\\xe9 \\u2192 b\n"


def test_a_report_that_cannot_be_written_is_a_sentence(dataset: Path, tmp_path: Path) -> None:
    for report in (tmp_path / "nothing" / "page.html", tmp_path, dataset / "page.html"):
        ended = command(
            ["trend", dataset, "--report", report], stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )
        assert (ended.returncode, ended.stdout) == (1, b"")
        assert ended.stderr.startswith(f"error: {report}: ".encode())
        assert b"Traceback" not in ended.stderr
