"""The program is found, and what goes wrong with it is said once."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

import onnxray
from conftest import TRACE, StandIn
from onnxray import _program
from onnxray._program import _candidates, program

TABLES = ["--table=launches,iterations,operators,events", "--output=-"]


def test_a_program_that_is_missing_is_one_message(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ONNXRAY_PROGRAM", str(tmp_path / "nothing"))
    with pytest.raises(onnxray.ProgramMissing) as caught:
        onnxray.read_trace(TRACE)
    assert "is not there" in caught.value.message
    assert caught.value.hint == "install it again: pip install --force-reinstall onnxray"
    ended = subprocess.run(
        [sys.executable, "-m", "onnxray", "--version"], capture_output=True, text=True, check=False
    )
    assert ended.returncode == 1
    assert ended.stderr.startswith("error: the program onnxray")
    assert "Traceback" not in ended.stderr


def test_a_program_of_another_version_is_refused(
    stand_in: StandIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("onnxray._program.version", lambda: "0.1.0")
    stand_in("", version="onnxray 9.9.9 (of tomorrow)")
    with pytest.raises(onnxray.ProgramMismatch, match=r"version 9\.9\.9, .* version 0\.1\.0"):
        onnxray.read_trace(TRACE)


def test_a_program_of_a_pre_release_is_the_one_of_the_package(
    stand_in: StandIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("onnxray._program.version", lambda: "0.2.0rc1")
    file = stand_in("", version="onnxray 0.2.0-rc.1")
    assert program() == str(file)


def test_something_else_is_not_the_program(stand_in: StandIn) -> None:
    stand_in("", version="sed 4.9")
    with pytest.raises(onnxray.ProgramMissing, match="is not onnxray"):
        onnxray.read_trace(TRACE)


def test_the_program_of_the_environment_comes_before_that_of_the_path(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    scripts, beside, path = (tmp_path / name for name in ("scripts", "beside", "path"))
    for folder in (scripts, beside, path):
        folder.mkdir()
        (folder / "onnxray").touch(mode=0o755)
    monkeypatch.delenv("ONNXRAY_PROGRAM", raising=False)
    monkeypatch.setattr("sysconfig.get_path", lambda *_: str(scripts))
    monkeypatch.setattr("sys.executable", str(beside / "python"))
    monkeypatch.setenv("PATH", str(path))
    found = [Path(file).parent.name for file in _candidates()]
    assert list(dict.fromkeys(found)) == ["scripts", "beside", "path"]


def test_one_thread_at_a_time_looks_for_the_program(monkeypatch: pytest.MonkeyPatch) -> None:
    """Python's own places are made when they are first asked for, and are half made until then."""
    there = program()
    alone = threading.Lock()
    found_alone: list[bool] = []

    def candidates() -> Iterator[str]:
        is_alone = alone.acquire(blocking=False)
        found_alone.append(is_alone)
        time.sleep(0.002)
        if is_alone:
            alone.release()
        yield there

    def look() -> str:
        begin.wait()
        return program()

    monkeypatch.setattr(_program, "_candidates", candidates)
    begin = threading.Barrier(8)
    with ThreadPoolExecutor(8) as pool:
        assert {looking.result() for looking in [pool.submit(look) for _ in range(8)]} == {there}
    assert found_alone == [True] * 8


@pytest.mark.parametrize("size", [0, 1, 5000])
def test_tables_that_are_cut_off_are_an_error(stand_in: StandIn, size: int) -> None:
    arguments = ["convert", *TABLES, str(TRACE)]
    stand_in(
        f"whole = subprocess.run([PROGRAM, *{arguments!r}], capture_output=True).stdout\n"
        f"sys.stdout.buffer.write(whole[:{size}])"
    )
    with pytest.raises(onnxray.TraceError, match="cut off") as caught:
        onnxray.read_trace(TRACE)
    assert caught.value.file == str(TRACE)


def test_tables_without_the_mark_of_their_end_are_an_error(stand_in: StandIn) -> None:
    arguments = ["convert", *TABLES, str(TRACE)]
    stand_in(
        f"whole = subprocess.run([PROGRAM, *{arguments!r}], capture_output=True).stdout\n"
        "sys.stdout.buffer.write(whole[:-8])"
    )
    with pytest.raises(onnxray.TraceError, match="end is marked"):
        onnxray.read_trace(TRACE)


def test_whole_tables_of_a_program_that_fails_are_an_error(stand_in: StandIn) -> None:
    arguments = ["convert", *TABLES, str(TRACE)]
    stand_in(
        f"subprocess.run([PROGRAM, *{arguments!r}])\n"
        "print('error: disk on fire\\nhint: leave', file=sys.stderr)\n"
        "sys.exit(1)"
    )
    with pytest.raises(onnxray.TraceError) as caught:
        onnxray.read_trace(TRACE)
    assert (caught.value.message, caught.value.hint) == ("disk on fire", "leave")


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGSEGV, signal.SIGABRT])
def test_a_program_that_is_killed_says_by_which_signal(
    stand_in: StandIn, number: signal.Signals
) -> None:
    stand_in(f"os.kill(os.getpid(), {int(number)})")
    for call in (onnxray.read_trace, onnxray.summary):
        with pytest.raises(onnxray.Error, match=f"ended by {number.name}") as caught:
            call(TRACE)
        assert caught.value.exit_code == -number


def test_much_that_is_said_does_not_stop_the_tables(stand_in: StandIn) -> None:
    arguments = ["convert", *TABLES, str(TRACE)]
    stand_in(
        "sys.stderr.write('note: as always\\n' * 100000)\n"
        f"os.execv(PROGRAM, [PROGRAM, *{arguments!r}])"
    )
    trace = onnxray.read_trace(TRACE)
    assert trace.notes == ("as always",) * 100000
    assert len(trace.iterations) == 3


def test_the_module_is_the_program() -> None:
    def ended(*words: str) -> tuple[int, bytes]:
        run = subprocess.run([*words, "inspect", "--list"], capture_output=True, check=False)
        return run.returncode, run.stdout

    assert ended(sys.executable, "-m", "onnxray") == ended(program())
    failed = subprocess.run(
        [sys.executable, "-m", "onnxray", "unknown"], capture_output=True, check=False
    )
    assert failed.returncode == 2


def test_importing_it_imports_little() -> None:
    said = subprocess.run(
        [sys.executable, "-c", "import onnxray, sys; print(*sys.modules)"],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "ENGINE_PROFILING": "0"},
    )
    modules = said.stdout.split()
    heavy = ("nanoarrow", "numpy", "onnxruntime", "torch", "pyarrow", "importlib.metadata")
    assert [name for name in heavy if name in modules] == []
    assert len(modules) < 200


def test_an_interrupt_reaches_a_program_that_writes_tables(
    stand_in: StandIn, tmp_path: Path
) -> None:
    told = tmp_path / "told"
    stand_in(
        "def interrupted(*_):\n"
        f"    open({str(told)!r}, 'w').close()\n"
        "    os._exit(130)\n"
        "signal.signal(signal.SIGINT, interrupted)\n"
        "os.kill(os.getppid(), signal.SIGINT)\n"
        # A signal that comes just before a wait does not end it: there is a next one.
        "while True:\n"
        "    time.sleep(0.1)"
    )
    with pytest.raises(KeyboardInterrupt):
        onnxray.read_trace(TRACE)
    assert told.exists()
