"""What runs is shown where somebody watches."""

from __future__ import annotations

import io
import threading

import pytest

import onnxray
from conftest import TRACE
from onnxray import _status


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


class ThreeSeconds(threading.Event):
    """An event that comes behind three waits."""

    waits = 0

    def wait(self, timeout: float | None = None) -> bool:
        self.waits += 1
        return self.waits > 3


def test_a_terminal_shows_one_line_that_goes(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = Terminal()
    monkeypatch.setattr("sys.stderr", terminal)
    _status._show("onnxray record model.onnx", ThreeSeconds())
    *shown, blank, end = terminal.getvalue().split("\r")[1:]
    assert shown == ["onnxray record model.onnx: 0 s"] * 3
    assert (blank.strip(), end) == ("", "")


def test_what_is_redirected_shows_nothing(capfd: pytest.CaptureFixture[str]) -> None:
    onnxray.read_trace(TRACE)
    assert capfd.readouterr() == ("", "")
