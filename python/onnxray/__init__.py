"""Profile ONNX models operator by operator, from Python.

The functions run the program ``onnxray``, which is part of this package, and give tables that
polars, DuckDB, pandas and pyarrow take as they are. docs/python.md has examples.
"""

from __future__ import annotations

import sys

# `python -m onnxray` looks for modules in the current folder first, which is data, unless it is
# told not to. While it looks for this one, it is called -m itself.
if sys.argv[:1] == ["-m"] and not (sys.flags.isolated or getattr(sys.flags, "safe_path", False)):
    for _word, _module in zip(sys.orig_argv, sys.orig_argv[1:], strict=False):
        if f"{_word}{_module}".partition(".")[0] == f"-m{__name__}" or _word == f"-m{__name__}":
            del sys.path[0]
            break

from typing import TYPE_CHECKING

from . import _automatic
from .arguments import Dimensions, Paths, StrPath
from .errors import (
    Error,
    Interrupted,
    ModelError,
    ProgramMismatch,
    ProgramMissing,
    TraceError,
    TraceWarning,
    UsageError,
)
from .profiles import SessionProfile, TorchProfile, profile_session, torch_profile
from .reading import check, compare, flops, project, summary
from .recording import record
from .results import (
    Check,
    Comparison,
    Flops,
    Judgement,
    Mix,
    Projection,
    Recording,
    Report,
    Sensitivity,
    Summary,
    Sweep,
    Tuning,
)
from .searching import judge, mix, sensitivity, sweep, tune
from .table import Table
from .trace import Trace, read_trace

__all__ = [
    "Check",
    "Comparison",
    "Dimensions",
    "Error",
    "Flops",
    "Interrupted",
    "Judgement",
    "Mix",
    "ModelError",
    "Paths",
    "ProgramMismatch",
    "ProgramMissing",
    "Projection",
    "Recording",
    "Report",
    "Sensitivity",
    "SessionProfile",
    "StrPath",
    "Summary",
    "Sweep",
    "Table",
    "TorchProfile",
    "Trace",
    "TraceError",
    "TraceWarning",
    "Tuning",
    "UsageError",
    "check",
    "compare",
    "flops",
    "judge",
    "mix",
    "profile_session",
    "project",
    "read_trace",
    "record",
    "sensitivity",
    "summary",
    "sweep",
    "torch_profile",
    "tune",
]

if TYPE_CHECKING:
    __version__: str


def __getattr__(name: str) -> str | None:
    if name == "__version__":
        from ._version import version

        return version()
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*__all__, "__version__"])


if _automatic.is_asked_for():
    _automatic.begin()
