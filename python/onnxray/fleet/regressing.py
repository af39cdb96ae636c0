"""Which layer got slower, at which commit, on which hardware."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .._messages import Subject, failure
from ..arguments import StrPath, option
from ..errors import UsageError
from ..table import Table
from . import committing
from .dataset import Dataset
from .errors import FleetError
from .findings import END_TO_END, Finding, Pair
from .jobs import reports
from .page import regressions_page, write_comparisons
from .reading import run
from .running import Job, Report
from .selecting import Series, Step, series
from .trending import trend_of

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

__all__ = ["Regressions", "regressions"]

_INFERENCE = ("figure", "baseline", "version", "a", "b", "ratio", "ratio_low", "ratio_high")
_LAYER = (
    "layer",
    "a_type",
    "b_type",
    "a_share",
    "b_share",
    "ratio",
    "ratio_low",
    "ratio_high",
    "difference_ms",
    "difference_low_ms",
    "difference_high_ms",
)
_JUDGED = ("p", "verdict", "version")


@dataclass
class Regressions:
    """What changed in a fleet, at one false discovery rate over all comparisons.

    Attributes
    ----------
    by : str
        What steps are, such as ``commit``.
    findings : list of Finding
        Layers that got slower, then those that got faster; the largest changes first.
    wholes : list of Finding
        The same of latencies end to end, whatever made them so.
    pairs : list of Pair
        All comparisons of neighbouring steps.
    report : dict
        What ``onnxray regressions`` says of them, as its JSON.
    rate : float
        False discovery rate.
    """

    by: str
    findings: list[Finding]
    wholes: list[Finding]
    pairs: list[Pair]
    report: Report
    rate: float
    dataset: Dataset
    all_series: list[Series]
    spark: SparkSession | None

    @property
    def slower(self) -> list[Finding]:
        """Latencies and layers that got slower."""
        return [one for one in (*self.wholes, *self.findings) if one.verdict == "slower"]

    @property
    def headline(self) -> str:
        """What was found, in a sentence."""
        compared = len(self.pairs) - len(self.not_compared)
        skipped = f", {len(self.not_compared)} not compared" if self.not_compared else ""
        said = (
            f"{_counted(compared, 'comparison', 'comparisons')} of neighbouring {self.by}s"
            f"{skipped}: {_differ(self.wholes, 'latency', 'latencies')}, "
            f"{_differ(self.findings, 'layer', 'layers')}."
        )
        if not self.wholes and not self.findings:
            return said
        share = f"{self.rate * 100:g} %"
        return f"{said} Of latencies and of layers, at most {share} is expected to be false."

    @property
    def table(self) -> Table:
        """Latencies and layers that changed, as a table."""
        return Table.from_rows(
            [
                {
                    **vars(finding),
                    "hardware": "; ".join(finding.hardware),
                    "pairs": str(finding.pairs),
                }
                for finding in (*self.wholes, *self.findings)
            ]
        )

    @property
    def not_compared(self) -> list[Pair]:
        """Neighbouring steps of which nothing is known, with the reason."""
        return [pair for pair in self.pairs if pair.report is None]

    def to_html(self, path: StrPath) -> None:
        """Writes the page, and beside it a folder with the comparisons that found something."""
        file = Path(path)
        trend = trend_of(self.dataset, self.by, None, self.all_series, self.spark)
        folder = file.with_name(f"{file.stem}_comparisons")
        all_findings = (*self.wholes, *self.findings)
        links = write_comparisons(self.dataset, all_findings, self.pairs, folder)
        page = regressions_page(
            self.headline, self.by, all_findings, self.pairs, trend.series, links
        )
        file.write_text(page, encoding="utf-8")


def regressions(
    dataset: StrPath,
    *,
    since: str | None = None,
    by: str = "commit",
    model: str | None = None,
    where: Mapping[str, Any] | None = None,
    hardware: Sequence[str] = ("cpu",),
    order: Sequence[str] | None = None,
    rate: float = 0.05,
    noise_threshold: float | None = None,
    spark: SparkSession | None = None,
    storage_options: Mapping[str, str] | None = None,
) -> Regressions:
    """Finds which layer got slower, at which commit, on which hardware.

    `onnxray.compare` compares each step with the one before it, on each hardware; then
    ``onnxray regressions`` keeps what holds over all of these together: of what is found, at most
    ``rate`` is expected to be false.

    Parameters
    ----------
    dataset : path or URI
        The dataset.
    since : str, optional
        Looks at this step and later ones only.
    by, model, where, hardware, order, spark, storage_options
        As for `trend`.
    rate : float
        False discovery rate.
    noise_threshold : float, optional
        As for `onnxray.compare`.

    Raises
    ------
    FleetError
        There are no such launches, or a name is no column or no step.
    """
    found = committing.opened(dataset, storage_options)
    where = {**(where or {}), **({"model": model} if model is not None else {})}
    every = series(found, by, where, hardware, order, spark)
    pairs = _pairs(every, since, tuple(option("--noise-threshold", noise_threshold)))
    jobs = [
        Job(number, pair.command, pair.sides, partial(_kept, name=pair.name))
        for number, pair in enumerate(pairs)
        if pair.error is None
    ]
    for done in reports(found, jobs, "comparing", spark):
        pairs[done.number] = replace(pairs[done.number], report=done.report, error=done.error)
    report = _over_all(pairs, rate)
    layers, wholes = (_findings(pairs, report.get(table, [])) for table in ("layers", "wholes"))
    return Regressions(by, layers, wholes, pairs, report, rate, found, every, spark)


def _counted(number: int, one: str, several: str) -> str:
    return f"{number} {one if number == 1 else several}"


def _differ(findings: Sequence[Finding], one: str, several: str) -> str:
    slower = sum(finding.verdict == "slower" for finding in findings)
    return f"{_counted(slower, one, several)} slower and {len(findings) - slower} faster"


def _pairs(every: Sequence[Series], since: str | None, options: tuple[str, ...] = ()) -> list[Pair]:
    begin = None
    if since is not None:
        places = {step.value: step.place for one in every for step in one.steps}
        if since not in places:
            raise FleetError(f"{since}: no launches of it", hint="name a step that was collected")
        begin = places[since]
    return [
        Pair(one, a, b, options, error=_too_few(a, b))
        for one in every
        for a, b in pairwise(one.steps)
        if begin is None or b.place >= begin
    ]


def _too_few(*steps: Step) -> str | None:
    for step in steps:
        if len(step.launches) < 2:
            return f"{step.value} has one launch, which tells no spread; record with --launches 5"
    return None


def _kept(report: Report, name: str) -> Report:
    def rows(key: str, names: Sequence[str]) -> list[Report]:
        return [{name: row.get(name) for name in (*names, *_JUDGED)} for row in report.get(key, [])]

    return {
        "report": report["report"],
        "schema_version": report["schema_version"],
        "comparison": name,
        "inference": rows("inference", _INFERENCE),
        "layers": rows("layers", _LAYER),
    }


def _over_all(pairs: Sequence[Pair], rate: float) -> Report:
    """What holds over all comparisons, by the program's own arithmetic."""
    compared = [pair.report for pair in pairs if pair.report is not None]
    if not compared:
        return {"layers": [], "wholes": []}
    with tempfile.NamedTemporaryFile("w", suffix=".jsonl", encoding="utf-8") as file:
        for report in compared:
            file.write(json.dumps(report) + "\n")
        file.flush()
        output, ended = run(["regressions", "--format=json", f"--alpha={rate}", file.name])
    try:
        found: Report = json.loads(output)
    except ValueError:
        raise failure(ended.exit_code or 1, ended.messages, Subject()) from None
    if ended.exit_code:
        raise UsageError("; ".join(message.text for message in ended.messages))
    return found


def _findings(pairs: Sequence[Pair], found: Sequence[Mapping[str, Any]]) -> list[Finding]:
    compared = [number for number, pair in enumerate(pairs) if pair.report is not None]
    grouped: dict[tuple[str, ...], list[tuple[int, Mapping[str, Any]]]] = {}
    for row in found:
        number = compared[row["comparison_number"]]
        pair = pairs[number]
        model = str(pair.series.subject["model"] or "unknown model")
        layer = row.get("layer", END_TO_END)
        key = (model, layer, pair.a.value, pair.b.value, row["verdict"])
        grouped.setdefault(key, []).append((number, row))
    findings = [_finding(pairs, key, rows) for key, rows in grouped.items()]
    return sorted(findings, key=lambda one: (one.verdict != "slower", -abs(one.ratio - 1)))


def _finding(
    pairs: Sequence[Pair], key: tuple[str, ...], rows: Sequence[tuple[int, Mapping[str, Any]]]
) -> Finding:
    model, layer, before, step, verdict = key
    ratios = [row["ratio"] for _, row in rows]
    mean = 1.0
    for ratio in ratios:
        mean *= ratio ** (1 / len(ratios))
    return Finding(
        model,
        layer,
        str(rows[0][1].get("type") or ""),
        step,
        before,
        verdict,
        min(row["ratio_low"] for _, row in rows),
        mean,
        max(row["ratio_high"] for _, row in rows),
        tuple(sorted({pairs[number].series.hardware_name for number, _ in rows})),
        tuple(number for number, _ in rows),
    )
