"""Where things are, and programs that stand in for onnxray."""

from __future__ import annotations

import stat
import sys
from pathlib import Path
from typing import Protocol

import pytest

from onnxray._program import program

REPOSITORY = Path(__file__).parents[2]
FIXTURES = REPOSITORY / "fixtures"
MODELS = FIXTURES / "models"
ENCODER = FIXTURES / "guide" / "encoder"
ENCODER_INT8 = FIXTURES / "guide" / "encoder-int8"
TRACE = FIXTURES / "onnxruntime" / "1.31.1" / "encoder.json.gz"


class StandIn(Protocol):
    """Makes a program that stands in for onnxray, of the body of a Python script."""

    def __call__(self, body: str, version: str | None = None) -> Path: ...


@pytest.fixture
def stand_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> StandIn:
    """A script in the place of the program; it says `--version` as the program does."""
    import subprocess

    said = subprocess.run([program(), "--version"], capture_output=True, text=True, check=True)
    ours = said.stdout.strip()

    def make(body: str, version: str | None = None) -> Path:
        file = tmp_path / f"stand-in-{len(list(tmp_path.iterdir()))}"
        lines = [
            f"#!{sys.executable}",
            "import os, signal, subprocess, sys, time",
            "if sys.argv[1:] == ['--version']:",
            f"    print({version or ours!r})",
            "    sys.exit()",
            f"PROGRAM = {program()!r}",
            body,
        ]
        file.write_text("\n".join(lines), encoding="utf-8")
        file.chmod(file.stat().st_mode | stat.S_IXUSR)
        monkeypatch.setenv("ONNXRAY_PROGRAM", str(file))
        return file

    return make
