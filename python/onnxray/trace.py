"""Traces of any runtime, as tables."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from ._columns import EndedEarly
from ._messages import Subject, failure, spoken, texts, warn
from ._program import Run
from ._status import status
from .arguments import Dimensions, Paths, StrPath, option, reading, words
from .errors import TraceError
from .table import Table

__all__ = ["Trace", "read_trace"]

# The largest comes last, so that nothing waits for it to be made.
_TABLES = ("launches", "iterations", "operators", "events")

Kind: TypeAlias = Literal["measured", "warm-up", "all"]
"""Which iterations events are of."""


@dataclass(frozen=True, repr=False)
class Trace:
    """What a trace holds; times are in nanoseconds, and null is unknown.

    Attributes
    ----------
    events : Table
        One row for each execution of an operator, in measured iterations unless others were
        asked for.
    iterations : Table
        One row for each iteration; ``kind`` tells the measured ones.
    operators : Table
        One row for each operator of each launch.
    launches : Table
        One row for each launch: model, engine, machine.
    warnings : tuple of str
        What was lost, and what to doubt. Each was also an `onnxray.TraceWarning`.
    notes : tuple of str
        What else there is to know.
    """

    events: Table
    iterations: Table
    operators: Table
    launches: Table
    warnings: tuple[str, ...]
    notes: tuple[str, ...]

    def __repr__(self) -> str:
        return (
            f"<onnxray.Trace: {len(self.events)} events, {len(self.iterations)} iterations, "
            f"{len(self.operators)} operators, {len(self.launches)} launches>"
        )

    def _repr_html_(self) -> str:
        tables = {"Launches": self.launches, "Operators": self.operators, "Events": self.events}
        parts = [f"<h4>{title}</h4>{table._repr_html_()}" for title, table in tables.items()]
        return "".join(parts)


def read_trace(
    paths: Paths,
    model: StrPath | None = None,
    format: str | None = None,
    strict: bool = False,
    *,
    dimensions: Dimensions | None = None,
    warmup: int | None = None,
    phase: str | None = None,
    kind: Kind = "measured",
    options: Sequence[str] = (),
) -> Trace:
    """Reads a recording, or the trace of another runtime.

    Parameters
    ----------
    paths : path or sequence of paths
        Trace files, plain or compressed, a folder of them, or a pattern; several are the
        launches of one recording.
    model : path, optional
        ONNX file to take weights, FLOPs and types of nodes from.
    format : str, optional
        Format of the files; without it, their content decides. ``onnxray inspect --list`` names
        them.
    strict : bool
        Whether what is lost is an error instead of a warning.
    dimensions : mapping of str to int, optional
        Sizes of free dimensions of `model`.
    warmup : int, optional
        How many first iterations of each launch are warm-up.
    phase : {"prefill", "decode"}, optional
        Phase of a decoder that generated; both without it.
    kind : {"measured", "warm-up", "all"}
        Iterations that ``events`` are of; ``all`` has those outside of iterations as well. Where a
        trace tells no iterations, all are measured. The other tables are always whole.
    options : sequence of str
        Further options of ``onnxray convert``.

    Returns
    -------
    Trace
        Its tables, read in one go.

    Raises
    ------
    TraceError
        The trace could not be read, or not as a whole.
    ModelError
        The model could not be read.
    UsageError
        An argument is not one that the program takes.

    Warns
    -----
    TraceWarning
        Something was lost, or is in doubt.
    """
    subject = Subject(words(paths), words(model))
    arguments = [
        "convert",
        f"--table={','.join(_TABLES)}",
        "--output=-",
        *reading(model, dimensions, format, warmup, strict, phase),
        *option("--kind", kind),
        *options,
        *subject.recordings,
    ]
    tables: dict[str, Table] = {}
    early: EndedEarly | None = None
    with status(arguments), Run(arguments) as run:
        try:
            for name in _TABLES:
                tables[name] = Table.from_stream(run.output)
        except EndedEarly as error:
            early = error
        ended = run.end()
    said = spoken(ended.messages, "convert")
    if ended.exit_code != 0:
        raise failure(ended.exit_code, said, subject)
    if early is not None:
        file = subject.recordings[0] if len(subject.recordings) == 1 else None
        raise TraceError(f"the tables of the trace are cut off: {early}", exit_code=0, file=file)
    warnings = texts("warning", said)
    warn(warnings)
    return Trace(**tables, warnings=warnings, notes=texts("note", said))
