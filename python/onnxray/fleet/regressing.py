"""Which layer got slower, at which commit, on which hardware."""

from __future__ import annotations

import json
import math
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .. import _files
from .._messages import Subject, failure
from ..arguments import StrPath, option
from ..errors import UsageError
from ..table import Table
from . import committing
from .dataset import Dataset, parsed
from .drawing.page import regressions_page
from .errors import FleetError, in_a_sentence
from .findings import COSTS, END_TO_END, WORSE, Finding, Pair
from .jobs import reports
from .pages import Pages
from .reading import run
from .running import Job, Report
from .selecting import Series, Step, series
from .storage import write_here
from .trending import folder_of, trend_of

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
    costs : list of Finding
        The same of CPU time, memory and start, which got higher or lower.
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
    costs: list[Finding]
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
            f"{_differ(self.findings, 'layer', 'layers')}{self._of_costs}."
        )
        if not self.wholes and not self.findings and not self.costs:
            return said
        share, costs = f"{self.rate * 100:g} %", ", of costs" if self.costs else ""
        return f"{said} Of latencies{costs} and of layers, at most {share} is expected to be false."

    @property
    def _of_costs(self) -> str:
        if not self.costs:
            return ""
        higher = sum(one.verdict == "higher" for one in self.costs)
        lower = len(self.costs) - higher
        return f", {_counted(higher, 'cost', 'costs')} higher and {lower} lower"

    @property
    def all_findings(self) -> list[Finding]:
        """Latencies, costs and layers that changed."""
        return [*self.wholes, *self.costs, *self.findings]

    @property
    def table(self) -> Table:
        """Latencies, costs and layers that changed, as a table."""
        return Table.from_rows(
            [
                {
                    **vars(finding),
                    "hardware": "; ".join(finding.hardware),
                    "pairs": str(finding.pairs),
                }
                for finding in self.all_findings
            ]
        )

    @property
    def not_compared(self) -> list[Pair]:
        """Neighbouring steps of which nothing is known, with the reason."""
        return [pair for pair in self.pairs if pair.report is None]

    @in_a_sentence
    def to_html(self, path: StrPath, force: bool = False) -> None:
        """Writes the page, and beside it a folder with the comparisons that found something.

        Files that are there are replaced by `force` only. Of the folder's other files, those are
        deleted that an earlier page of this name brought: the folder's ``pages.json`` lists them.

        Raises
        ------
        Error
            It may not be written, or cannot be.
        """
        folder = folder_of(self.dataset)
        _files.check(path, force=force, outside=folder)
        file = Path(path)
        pages = Pages.beside(file, force)
        pages.check()
        trend = trend_of(self.dataset, self.by, None, self.all_series, self.spark)
        links = pages.write(self.dataset, self.all_findings, self.pairs)
        page = regressions_page(
            self.headline, self.by, self.all_findings, self.pairs, trend.series, links
        )
        _files.write(file, page, force=force, outside=folder)


@in_a_sentence
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
    schemes: Iterable[str] = (),
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
    by, model, where, hardware, order, spark, storage_options, schemes
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
    found = committing.opened(dataset, storage_options, schemes)
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
    layers, wholes, costs = (
        _findings(pairs, report.get(table, [])) for table in ("layers", "wholes", "costs")
    )
    return Regressions(by, layers, wholes, costs, pairs, report, rate, found, every, spark)


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
    with tempfile.TemporaryDirectory(prefix="onnxray-fleet-") as folder:
        file = Path(folder, "comparisons.jsonl")
        write_here(file, (f"{json.dumps(report)}\n".encode() for report in compared))
        output, ended = run(["regressions", "--format=json", f"--alpha={rate}", str(file)])
    try:
        found: Report = parsed(output)
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
        layer = row.get("layer") or COSTS.get(row.get("figure", ""), END_TO_END)
        key = (model, layer, pair.a.value, pair.b.value, row["verdict"])
        grouped.setdefault(key, []).append((number, row))
    findings = [_finding(pairs, key, rows) for key, rows in grouped.items()]
    return sorted(findings, key=_order)


def _order(one: Finding) -> tuple[bool, bool, float]:
    """What got slower first, and the largest changes; those of unknown size last."""
    change = 0.0 if one.ratio is None else abs(one.ratio - 1)
    return (one.verdict not in WORSE, one.ratio is None, -change)


def _all_known(ratios: Sequence[float | None]) -> list[float]:
    """The ratios of all hardware; none if any is unknown."""
    known = [ratio for ratio in ratios if ratio is not None]
    return known if len(known) == len(ratios) else []


def _finding(
    pairs: Sequence[Pair], key: tuple[str, ...], rows: Sequence[tuple[int, Mapping[str, Any]]]
) -> Finding:
    model, layer, before, step, verdict = key
    lows, ratios, highs = (
        _all_known([row.get(name) for _, row in rows])
        for name in ("ratio_low", "ratio", "ratio_high")
    )
    mean = None
    if ratios and min(ratios) > 0:
        mean = math.exp(sum(map(math.log, ratios)) / len(ratios))
    return Finding(
        model,
        layer,
        str(rows[0][1].get("type") or ""),
        step,
        before,
        verdict,
        min(lows) if lows else None,
        mean,
        max(highs) if highs else None,
        tuple(sorted({pairs[number].series.hardware_name for number, _ in rows})),
        tuple(number for number, _ in rows),
    )
