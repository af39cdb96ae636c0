"""What commands find, as figures and tables."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property
from html import escape
from os import fspath
from pathlib import Path
from typing import TYPE_CHECKING, Any

from . import _files
from ._messages import Message, spoken, texts
from ._printing import printable, printable_lines
from .arguments import StrPath
from .errors import Error, UsageError
from .table import Table
from .trace import Kind, Trace, read_trace

__all__ = [
    "Check",
    "Comparison",
    "Flops",
    "Judgement",
    "Mix",
    "Projection",
    "Recording",
    "Report",
    "Sensitivity",
    "Summary",
    "Sweep",
    "Tuning",
]

_LINES_SHOWN = 40

Writer = Callable[[Path, bool], None]
"""Writes a file, over one that is there if it may."""


class Report:
    """A report: sentences, figures and tables.

    Tables are attributes by their keys, and members: ``report.operators`` and
    ``report["operators"]`` are the same `Table`. A table that was not asked for, or that there is
    nothing to say in, is missing. docs/columns.md lists the columns; times end in their unit.

    Attributes
    ----------
    json : dict
        The whole report, as the program writes it with ``--format json``.
    exit_code : int
        Exit code of the program: 0, or 1 if not all was done that was asked for.
    warnings, notes : tuple of str
        What to doubt, and what else there is to know.
    """

    def __init__(
        self, json: dict[str, Any], exit_code: int, said: list[Message], write: Writer | None
    ) -> None:
        self.json = json
        self.exit_code = exit_code
        found = [Message(note["kind"], note["text"]) for note in json.get("notes", [])]
        found = spoken(found, "")
        # What was asked for and failed is an error on the way, where the report is there.
        self.warnings = (
            *texts("error", said),
            *texts("warning", said),
            *texts("warning", found),
        )
        self.notes = (*texts("note", said), *texts("note", found))
        self._write = write
        self._show: Callable[[], str | None] = _nothing
        self._kept: object = None
        self._made: dict[str, Table] = {}

    @property
    def headline(self) -> tuple[str, ...]:
        """What matters most, in sentences; empty for reports that have none."""
        return tuple(self.json.get("headline", ()))

    @cached_property
    def figures(self) -> Mapping[str, Any]:
        """Figures by their keys; None is unknown."""
        groups = [value for value in self.json.values() if isinstance(value, dict)]
        return {key: value for group in groups for key, value in group.items()}

    @cached_property
    def tables(self) -> Mapping[str, Table]:
        """All tables by their keys."""
        return {key: self[key] for key in self._rows}

    @cached_property
    def _rows(self) -> Mapping[str, list[dict[str, Any]]]:
        lists = {key: value for key, value in self.json.items() if isinstance(value, list)}
        return {key: rows for key, rows in lists.items() if key not in ("headline", "notes")}

    def __getitem__(self, key: str) -> Table:
        if key not in self._made:
            self._made[key] = Table.from_rows(self._rows[key])
        return self._made[key]

    if not TYPE_CHECKING:  # what is declared below is all that there is

        def __getattr__(self, name: str) -> Table:
            if name.startswith("_") or name == "json":
                raise AttributeError(name)
            if name in self._rows:
                return self[name]
            raise AttributeError(
                f"this {type(self).__name__} has no {name}; it has {', '.join(self._rows)}"
            )

    def to_html(self, path: StrPath, force: bool = True) -> None:
        """Writes a page for a browser, over a file that is there unless `force` is False.

        Raises
        ------
        UsageError
            The report has no page.
        Error
            It may not be written, or cannot be.
        """
        self._save(path, ".html", force)

    def to_xlsx(self, path: StrPath, force: bool = True) -> None:
        """Writes a workbook, over a file that is there unless `force` is False.

        Raises
        ------
        UsageError
            The report has no workbook.
        Error
            It may not be written, or cannot be.
        """
        self._save(path, ".xlsx", force)

    def _save(self, path: StrPath, suffix: str, force: bool) -> None:
        file = Path(path)
        if file.suffix.lower() != suffix:
            raise UsageError(f"{file}: expected a name that ends in {suffix}", file=fspath(path))
        if self._write is None:
            raise UsageError(f"a {type(self).__name__} has no {suffix} file", file=fspath(path))
        self._write(file, force)

    @cached_property
    def _screen(self) -> str | None:
        """What the program shows of this at first, in whole paragraphs; None if it cannot."""
        try:
            shown = self._show()
        except Error:
            return None
        if not shown:
            return None
        kept: list[str] = []
        for paragraph in shown.split("\n\n"):
            lines = paragraph.split("\n")
            if kept and len(kept) + 1 + len(lines) > _LINES_SHOWN:
                return "\n".join([*kept, "", "… more in its tables"])
            kept += ["", *lines] if kept else lines
        return "\n".join(kept)

    def __repr__(self) -> str:
        name = f"onnxray.{type(self).__name__}"
        if self._screen is not None:
            return f"<{name}>\n{printable_lines(self._screen)}"
        first = self.headline[0] if self.headline else ", ".join(self._rows)
        return printable(f"<{name}: {first}>")

    def _repr_html_(self) -> str:
        head = "".join(f"<p><b>{escape(sentence)}</b></p>" for sentence in self.headline)
        if self._screen is not None:
            text = escape(printable_lines(self._screen))
            head = f'<pre style="line-height: 1.25; overflow-x: auto">{text}</pre>'
        known = [(key, value) for key, value in self.figures.items() if value is not None]
        figures = "".join(
            f"<tr><th>{escape(key)}</th><td>{escape(str(value))}</td></tr>" for key, value in known
        )
        folded = f"<details><summary>figures</summary><table>{figures}</table></details>"
        is_open = " open" if self._screen is None else ""
        tables = "".join(
            f"<details{is_open}><summary>{escape(key)}</summary>{table._repr_html_()}</details>"
            for key, table in self.tables.items()
        )
        return head + (folded if known else "") + tables


class Summary(Report):
    """Where the time goes, by operator type and operator.

    `patterns` has operators that repeat under one name but for numbers as one row each; the column
    ``pattern`` of `operators` holds its number.
    """

    operator_types: Table
    patterns: Table
    operators: Table

    @cached_property
    def costs(self) -> Table:
        """What an inference costs beside its latency, measured in fresh processes.

        A row per figure, by its key in the JSON without its unit: ``figure``, ``value``, ``unit``
        and, if they are known, ``low`` and ``high``, the ends of its 95 % interval. No row if
        nothing was measured (``options=["--starts", "0"]``).
        """
        return Table.from_rows(_costs(self.figures))

    @cached_property
    def pace(self) -> Table:
        """Calls at a pace, a row per rate; no row without ``options=["--rate", "20"]``."""
        return Table.from_rows(self._rows.get("pace", []))


class Recording(Summary):
    """A recording that was made, and its summary.

    It stands for its files wherever a path of a recording is taken.

    Attributes
    ----------
    path : str
        Its file, or a pattern of the files of its launches.
    against : Recording or None
        The recording that took turns with this one.
    sensitivity : str or None
        File of the sensitivity profile that was measured with it (``options=["--sensitivity"]``).
    """

    path: str
    against: Recording | None = None
    sensitivity: str | None = None

    def __fspath__(self) -> str:
        return self.path

    def trace(self, *, kind: Kind = "measured") -> Trace:
        """Every execution of every operator, in iterations of a kind; see `onnxray.read_trace`."""
        return read_trace(self.path, kind=kind)


class Flops(Report):
    """What a model costs in theory, by operator type and operator."""

    operator_types: Table
    operators: Table


class Projection(Report):
    """What sparse weights would bring."""

    projection: Table
    projected_types: Table
    projected_operators: Table
    perf_ratios: Table


class Comparison(Report):
    """Two or more recordings, layer by layer.

    ``exit_code`` is 3 if something is slower than the ``fail_…`` arguments allow, and 4 if these
    were given and the recordings are not comparable.

    Attributes
    ----------
    passed : bool
        Whether neither of these is so.
    failures : tuple of str
        Why they are.
    undecided : tuple of str
        What passed, and may be slower all the same.
    """

    inference: Table
    causes: Table
    compared_types: Table
    layers: Table
    conservation: Table

    @cached_property
    def costs(self) -> Table:
        """What an inference costs beside its latency, compared: these rows of `inference`.

        No row if it was not measured on both sides.
        """
        rows = self._rows.get("inference", [])
        return Table.from_rows([row for row in rows if row["figure"] in _COMPARED_COSTS])

    @cached_property
    def pace(self) -> Table:
        """Calls at a pace, compared, a row per rate that both sides have; else no row."""
        return Table.from_rows(self._rows.get("pace", []))

    passed: bool
    failures: tuple[str, ...]
    undecided: tuple[str, ...]

    def __init__(
        self, json: dict[str, Any], exit_code: int, said: list[Message], write: Writer | None
    ) -> None:
        super().__init__(json, exit_code, said, write)
        self.passed = exit_code == 0
        self.failures = texts("failed", said)
        self.undecided = texts("undecided, passes", said)


class Check(Report):
    """Whether recordings can be trusted. It has neither a page nor a workbook of its own."""

    checks: Table
    false_alarms: Table


class Sweep(Report):
    """Configurations of a model, and which of them are worth having."""

    best_points: Table
    points: Table


class Sensitivity(Report):
    """How far pruning moves the outputs of a model, layer by layer."""

    loss_outputs: Table
    loss_layers: Table
    loss_points: Table


class Tuning(Report):
    """Options of ONNX Runtime that make a model faster."""

    tune_changes: Table


class Judgement(Report):
    """One word on a candidate, next to its baseline.

    Attributes
    ----------
    verdict : str
        ``faster``, ``slower``, ``same``, ``inconclusive``, ``different``, ``harness`` or ``not
        comparable``.
    passed : bool or None
        Whether it is as expected; None if the word says neither yes nor no.
    """

    judge_sides: Table
    causes: Table
    layers: Table

    verdict: str
    passed: bool | None

    def __init__(
        self, json: dict[str, Any], exit_code: int, said: list[Message], write: Writer | None
    ) -> None:
        super().__init__(json, exit_code, said, write)
        self.verdict = json["judge"]["verdict"]
        self.passed = {0: True, 3: False}.get(exit_code)


class Mix(Report):
    """Mixes of a model and another version of it, by time and loss."""

    mix_models: Table
    mix_changes: Table
    mix_front: Table
    mixes: Table


_COSTS = {
    "cpu_time": "ms",
    "busy_cores": "",
    "memory_peak": "bytes",
    "memory_beside_model": "bytes",
    "memory_retained": "bytes",
    "memory_growth": "bytes",
    "idle_session_cores": "",
    "library_load": "ms",
    "session": "ms",
    "first_inference": "ms",
}
"""Figures of a summary and their units, which end their keys."""

_COMPARED_COSTS = (
    "cpu_time_ms",
    "memory_peak_mb",
    "memory_retained_mb",
    "start_ms",
    "paced_latency_ms",
    "paced_cpu_time_ms",
)
"""Figures of a comparison."""


def _costs(figures: Mapping[str, Any]) -> list[dict[str, Any]]:
    def key(*parts: str) -> str:
        return "_".join(part for part in parts if part)

    return [
        {
            "figure": name,
            "value": figures[key(name, unit)],
            "low": figures.get(key(name, "low", unit)),
            "high": figures.get(key(name, "high", unit)),
            "unit": unit or "cores",
        }
        for name, unit in _COSTS.items()
        if key(name, unit) in figures
    ]


def _nothing() -> None:
    return None


def copy_of(kept: Path, inputs: tuple[str, ...]) -> Writer:
    """Writes what was made when it was measured, since measuring again would say another thing."""

    def write(file: Path, force: bool) -> None:
        if file.suffix.lower() != kept.suffix.lower():
            raise UsageError(
                f"only a {kept.suffix} file was made when this was measured",
                file=str(file),
                hint=f"measure with report={str(file)!r}",
            )
        try:
            made = _files.opened(kept)
        except OSError as error:
            raise Error(f"{kept}: {error.strerror}", file=str(kept)) from None
        with made:
            _files.write(file, _files.pieces(made), force=force, inputs=inputs)

    return write
