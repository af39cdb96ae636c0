"""``python -m onnxray PROGRAM.py`` runs a program as Python does, and records its sessions."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import onnxray
from conftest import MODELS

PROGRAM = """
import multiprocessing, os, signal, sys
from concurrent.futures import ProcessPoolExecutor
import numpy

IMAGE = {{"image": numpy.zeros((1, 3, 96, 96), numpy.float32)}}

def work(number=0):
    from onnxruntime import InferenceSession

    class Own(InferenceSession):
        pass

    session = Own({model!r}, providers=["CPUExecutionProvider"])
    assert isinstance(session, InferenceSession)
    for _ in range(3):
        session.run(None, IMAGE)
    return number

def started(method):
    context = multiprocessing.get_context(method)
    processes = [context.Process(target=work) for _ in range(2)]
    for process in processes:
        process.start()
    for process in processes:
        process.join()

def pooled(method):
    with multiprocessing.get_context(method).Pool(2) as pool:
        pool.map(work, range(2), chunksize=1)

if __name__ == "__main__":
    print(sys.argv[1:], __file__, sys.path[0], "onnxruntime" in sys.modules)
    {body}
"""


def recorded(
    body: str, folder: Path, *words: str, **environment: str
) -> subprocess.CompletedProcess[str]:
    (folder / "temporary").mkdir(exist_ok=True)
    file = folder / "program.py"
    file.write_text(PROGRAM.format(model=str(MODELS / "cnn.onnx"), body=body), encoding="utf-8")
    return subprocess.run(
        [sys.executable, "-m", "onnxray", *(words or [str(file), "-a", "--help"])],
        cwd=folder,
        env={**os.environ, **environment, "TMPDIR": str(folder / "temporary")},
        capture_output=True,
        text=True,
        check=False,
    )


def traces(folder: Path) -> list[Path]:
    return sorted((folder / "engine_profiling" / "profiling_trace").glob("*"))


def test_a_program_runs_as_it_is_and_its_recording_is_told_in_one_line(tmp_path: Path) -> None:
    ended = recorded("work()", tmp_path)
    assert ended.stdout == f"['-a', '--help'] {tmp_path / 'program.py'} {tmp_path} False\n"
    (file,) = traces(tmp_path)
    told = f"Recording: onnxray summary {file.relative_to(tmp_path)}\n"
    assert (ended.returncode, ended.stderr) == (0, told)
    assert onnxray.summary(file).figures["iterations"] == 3
    assert list((tmp_path / "temporary").iterdir()) == []


def test_a_module_runs_as_one(tmp_path: Path) -> None:
    ended = recorded("work()", tmp_path, "-m", "program", "-x")
    assert ended.stdout == f"['-x'] {tmp_path / 'program.py'} {tmp_path} False\n"
    assert len(traces(tmp_path)) == 1


ENDS = [
    ("work(); sys.exit(7)", 7, ""),
    ("work(); raise SystemExit('enough')", 1, "enough\n"),
    ("work(); 1 / 0", 1, "ZeroDivisionError: division by zero\n"),
    ("work(); os.kill(os.getpid(), signal.SIGTERM)", -15, ""),
]


@pytest.mark.parametrize(("body", "code", "said"), ENDS)
def test_a_program_ends_as_it_does(body: str, code: int, said: str, tmp_path: Path) -> None:
    ended = recorded(body, tmp_path)
    assert ended.returncode == code
    assert said in ended.stderr
    # Of a traceback, the program's own lines.
    assert "_running" not in ended.stderr
    assert "Recording: onnxray summary " in ended.stderr
    assert len(traces(tmp_path)) == 1


@pytest.mark.parametrize("method", ["fork", "spawn", "forkserver"])
@pytest.mark.parametrize("body", ["started({!r})", "pooled({!r})"])
def test_each_worker_is_a_launch(body: str, method: str, tmp_path: Path) -> None:
    ended = recorded(body.format(method), tmp_path)
    found = traces(tmp_path)
    # One worker of a pool may do the work of both, and have two recordings.
    assert len(found) == 2
    assert list((tmp_path / "temporary").iterdir()) == []
    assert len(ended.stderr.splitlines()) == 1
    if "started" in body:
        assert [file.stem[-2:] for file in found] == ["_0", "_1"]
        assert f"{found[0].stem[:-2]}_*.json'\n" in ended.stderr
        assert onnxray.summary(found).figures["launches"] == 2


def test_a_process_that_is_forked_is_a_launch_beside_its_parent(tmp_path: Path) -> None:
    body = "child = os.fork(); work(); child or sys.exit(); os.wait()"
    recorded(body, tmp_path)
    first, second = traces(tmp_path)
    assert (first.stem[:-1], first.stem[-1], second.stem[-1]) == (second.stem[:-1], "0", "1")


def test_instances_that_overlap_are_launches(tmp_path: Path) -> None:
    """Each waits until all have their sessions, by a file of each."""
    body = """
    work()
    open(f"{os.getpid()}.here", "w").close()
    import glob, time
    while len(glob.glob("*.here")) < 3:
        time.sleep(0.01)
    """
    (tmp_path / "temporary").mkdir()
    file = tmp_path / "program.py"
    file.write_text(PROGRAM.format(model=str(MODELS / "cnn.onnx"), body=body), encoding="utf-8")
    running = [
        subprocess.Popen(
            [sys.executable, "-m", "onnxray", str(file)],
            cwd=tmp_path,
            env={**os.environ, "INST_NUM": "2", "TMPDIR": str(tmp_path / "temporary")},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        for _ in range(3)
    ]
    assert [process.wait() for process in running] == [0, 0, 0]
    # Two were announced, and the third is another recording.
    assert [each.stem[-2:] for each in traces(tmp_path)].count("_0") == 2
    assert len(traces(tmp_path)) == 3
    assert sorted(each.name for each in (tmp_path / "engine_profiling").iterdir()) == [
        "profiling_csv",
        "profiling_trace",
    ]


def test_a_program_without_sessions_leaves_nothing(tmp_path: Path) -> None:
    ended = recorded("pass", tmp_path)
    assert ended.stderr == "note: no recording: no session of ONNX Runtime was made\n"
    assert sorted(each.name for each in tmp_path.iterdir()) == ["program.py", "temporary"]
    assert list((tmp_path / "temporary").iterdir()) == []


MISSING = [
    (["nothing.py"], 2, "error: nothing.py: No such file or directory\n"),
    (["-m", "nothing"], 2, "error: nothing: no module named nothing that can be run\n"),
    (["-m"], 2, "error: -m: expected the name of a module\n"),
]


@pytest.mark.parametrize(("words", "code", "said"), MISSING)
def test_what_is_no_program_is_a_sentence(
    words: list[str], code: int, said: str, tmp_path: Path
) -> None:
    ended = recorded("pass", tmp_path, *words)
    assert (ended.returncode, ended.stderr, ended.stdout) == (code, said, "")


def test_a_program_that_is_not_python_is_an_error_of_its_own(tmp_path: Path) -> None:
    ended = recorded("x = (", tmp_path)
    assert ended.returncode == 1
    assert f'File "{tmp_path / "program.py"}"' in ended.stderr
    assert "SyntaxError" in ended.stderr
