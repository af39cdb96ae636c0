"""The one door to files: what is opened is a regular file, and what is written is whole."""

from __future__ import annotations

import fcntl
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

import onnxray
from conftest import ENCODER, FIXTURES, MODELS
from onnxray import _files
from onnxray._files import check, opened, read, write

Error = onnxray.Error


def test_what_is_no_regular_file_is_not_waited_for(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    (tmp_path / "link").symlink_to(pipe)
    for path in (pipe, tmp_path / "link", tmp_path, Path("/dev/zero"), Path("/dev/null")):
        with pytest.raises(OSError, match=r"not a file|Is a directory"):
            opened(path)
    for gone in (tmp_path / "none", "a\0b"):
        with pytest.raises(OSError, match=r"No such file|null"):
            opened(gone)


def test_no_more_is_read_than_the_bound(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_bytes(b"1234")
    assert read(file, 4) == b"1234"
    with pytest.raises(OSError, match="is larger than"):
        read(file, 3)


def test_what_leads_out_of_a_folder_is_not_opened(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "out").write_bytes(b"x")
    (tmp_path / "in" / "link").symlink_to("../out")
    (tmp_path / "in" / "own").write_bytes(b"y")
    assert read(tmp_path / "in" / "own", 9, inside=tmp_path / "in") == b"y"
    for path in ("in/link", "in/../out", "out"):
        with pytest.raises(OSError, match="leads out of"):
            opened(tmp_path / path, inside=tmp_path / "in")


def test_a_file_that_is_there_is_replaced_by_force_only_and_a_link_never_followed(
    tmp_path: Path,
) -> None:
    target, link, dangling = (tmp_path / name for name in ("target", "link", "dangling"))
    target.write_text("mine", encoding="utf-8")
    link.symlink_to(target)
    dangling.symlink_to(tmp_path / "nowhere")
    for path in (target, link, dangling):
        with pytest.raises(Error, match="already exists") as raised:
            write(path, "x")
        assert raised.value.file == str(path)
        assert raised.value.hint
    for path in (link, dangling):
        write(path, "x", force=True)
        assert (path.is_symlink(), path.read_text(encoding="utf-8")) == (False, "x")
    assert target.read_text(encoding="utf-8") == "mine"
    assert not (tmp_path / "nowhere").exists()


def test_nothing_is_written_over_what_is_read(tmp_path: Path) -> None:
    model, same = tmp_path / "model", tmp_path / "same"
    model.write_text("mine", encoding="utf-8")
    os.link(model, same)
    for path in (model, same):
        with pytest.raises(Error, match="is what is read"):
            write(path, "x", force=True, inputs=[model])
    with pytest.raises(Error, match="is in"):
        check(tmp_path / "new", force=True, outside=tmp_path)
    for path, says in ((tmp_path, "is a folder"), (tmp_path / "a" / "b", "no folder")):
        with pytest.raises(Error, match=says):
            check(path, force=True)
    assert model.read_text(encoding="utf-8") == "mine"


def test_a_file_that_cannot_be_finished_leaves_nothing(tmp_path: Path) -> None:
    def half() -> Iterator[bytes]:
        yield b"half"
        raise ZeroDivisionError

    (tmp_path / "there").write_text("mine", encoding="utf-8")
    for name in ("there", "new"):
        with pytest.raises(ZeroDivisionError):
            write(tmp_path / name, half(), force=True)
    assert [file.name for file in tmp_path.iterdir()] == ["there"]
    assert (tmp_path / "there").read_text(encoding="utf-8") == "mine"


def test_a_file_that_appears_meanwhile_is_kept(tmp_path: Path) -> None:
    def meanwhile() -> Iterator[bytes]:
        (tmp_path / "file").write_text("theirs", encoding="utf-8")
        yield b"mine"

    with pytest.raises(Error, match="appeared in the meantime; it is kept"):
        write(tmp_path / "file", meanwhile())
    assert (tmp_path / "file").read_text(encoding="utf-8") == "theirs"
    assert len(list(tmp_path.iterdir())) == 1


KILLED = """
import os, signal, sys
from onnxray._files import write
def pieces():
    yield b"half"
    os.kill(os.getpid(), signal.SIGKILL)
write(sys.argv[1], pieces(), force=True)
"""


def test_what_a_killed_process_leaves_is_found_and_what_is_written_is_not(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("mine", encoding="utf-8")
    ended = subprocess.run([sys.executable, "-c", KILLED, str(file)], check=False)
    assert ended.returncode == -signal.SIGKILL
    assert file.read_text(encoding="utf-8") == "mine"
    (leftover,) = [path for path in tmp_path.iterdir() if path != file]
    with leftover.open("rb") as writing:
        fcntl.flock(writing, fcntl.LOCK_EX)
        _files.remove_leftovers(tmp_path)
        assert leftover.exists()
    _files.remove_leftovers(tmp_path)
    assert list(tmp_path.iterdir()) == [file]


def test_many_that_write_one_file_leave_one_of_theirs(tmp_path: Path) -> None:
    failed = []

    def put(number: int) -> None:
        try:
            write(tmp_path / "file", bytes([number]) * 100_000)
        except Error:
            failed.append(number)

    threads = [threading.Thread(target=put, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    content = (tmp_path / "file").read_bytes()
    assert len(failed) == 7
    assert (len(content), len(set(content)), len(list(tmp_path.iterdir()))) == (100_000, 1, 1)


def test_modes_are_those_of_the_user(tmp_path: Path) -> None:
    old = os.umask(0o027)
    try:
        write(tmp_path / "file", b"")
    finally:
        os.umask(old)
    assert (tmp_path / "file").stat().st_mode & 0o777 == 0o640


def test_a_report_replaces_no_input_and_no_target_of_a_link(tmp_path: Path) -> None:
    recording = tmp_path / "recording.html"
    recording.write_bytes((FIXTURES / "onnxruntime/1.31.1/encoder.json.gz").read_bytes())
    before = recording.read_bytes()
    found = onnxray.summary(recording)
    with pytest.raises(Error, match="is what is read"):
        found.to_html(recording)
    (tmp_path / "link.html").symlink_to(recording)
    with pytest.raises(Error):
        found.to_html(tmp_path / "link.html")
    assert recording.read_bytes() == before
    page = tmp_path / "page.html"
    page.write_text("mine", encoding="utf-8")
    with pytest.raises(Error, match="already exists"):
        onnxray.summary(ENCODER).to_html(page, force=False)
    assert page.read_text(encoding="utf-8") == "mine"


def test_a_page_that_was_kept_replaces_no_model(tmp_path: Path) -> None:
    from onnxray.results import copy_of

    kept, model = tmp_path / "kept.html", tmp_path / "model.html"
    kept.write_text("page", encoding="utf-8")
    model.write_bytes((MODELS / "cnn.onnx").read_bytes())
    before = model.read_bytes()
    with pytest.raises(Error, match="is what is read"):
        copy_of(kept, (str(model),))(model, True)
    copy_of(kept, (str(model),))(tmp_path / "copy.html", False)
    assert model.read_bytes() == before
    assert (tmp_path / "copy.html").read_text(encoding="utf-8") == "page"
