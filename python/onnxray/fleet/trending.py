"""How a model's latency, what it costs, or a layer's time, went from commit to commit."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from .. import _files
from ..arguments import StrPath
from ..table import Table
from . import committing
from .dataset import Dataset
from .drawing.page import trend_page
from .errors import FleetError, in_a_sentence
from .findings import FIGURES, LATENCY, OF_START, Point, unit
from .jobs import reports
from .running import Done, Job, Report
from .selecting import Series, series
from .storage import is_local

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

__all__ = ["Trend", "trend"]

_FIGURES = ("value", "low", "high")


@dataclass(frozen=True)
class Trend:
    """A figure over the steps of each series.

    Attributes
    ----------
    by : str
        What steps are, such as ``commit``.
    layer : str or None
        The operator that it is of; None is the model's latency.
    series : list of (Series, list of Point)
        Each model on each hardware, with its points in their order.
    """

    by: str
    layer: str | None
    series: list[tuple[Series, list[Point]]]
    figure: str = LATENCY
    """The figure of the model, where there is no layer: its key in ``onnxray summary``."""
    outside: str | None = None
    """The dataset, if it is a folder here, which no page is written into."""

    @property
    def unit(self) -> str:
        """Of the values: ``ms`` or ``bytes``."""
        return "ms" if self.layer else unit(self.figure)

    @property
    def points(self) -> Table:
        """All points: columns of the series, the step, ``value`` and its interval."""
        return Table.from_rows(
            [
                {**one.subject, **one.hardware, self.by: point.step, **_figures(point)}
                for one, points in self.series
                for point in points
            ]
        )

    def to_html(self, path: StrPath, force: bool = False) -> None:
        """Writes the page; over a file that is there by `force` only.

        Raises
        ------
        Error
            It may not be written, or cannot be.
        """
        page = trend_page(self.by, self.layer, self.series, self.figure)
        _files.write(path, page, force=force, outside=self.outside)


def _figures(point: Point) -> dict[str, Any]:
    return {name: value for name, value in vars(point).items() if name != "step"}


@in_a_sentence
def trend(
    dataset: StrPath,
    *,
    model: str | None = None,
    by: str = "commit",
    layer: str | None = None,
    figure: str = LATENCY,
    where: Mapping[str, Any] | None = None,
    hardware: Sequence[str] = ("cpu",),
    order: Sequence[str] | None = None,
    spark: SparkSession | None = None,
    storage_options: Mapping[str, str] | None = None,
    schemes: Iterable[str] = (),
) -> Trend:
    """Shows how the latency, what an inference costs, or a layer's time, went from step to step.

    Parameters
    ----------
    dataset : path or URI
        The dataset.
    model : str, optional
        File name of the model; all without it.
    by : str
        What steps are: a label, or a column of ``launches`` such as ``engine_version``.
    layer : str, optional
        Name of an operator.
    figure : str
        Of the model, where there is no layer: what `onnxray.record` measures of it.
        ``latency_median_ms``, ``cpu_time_ms``, ``memory_peak_bytes``, ``start_ms`` (from the
        library's loading to the end of the first inference), ``session_ms`` or
        ``first_inference_ms``; ``cold_start_ms`` and ``cold_session_ms`` of a cold file.
    where : mapping of str to value, optional
        Labels and columns that launches must have.
    hardware : sequence of str
        Columns of ``launches`` that tell hardware apart: ``("cpu", "host")`` looks at each machine.
    order : sequence of str, optional
        All steps in their order; without it, from the one that was recorded first.
    spark : SparkSession, optional
        Runs on it.
    storage_options : mapping of str to str, optional
        Options of deltalake for the dataset's object store.
    schemes : iterable of str
        What may be opened because the dataset says that a file lay there, such as ``s3``, and has
        no sample of it. Files of this machine, and by the dataset's own scheme, always may.

    Raises
    ------
    FleetError
        There are no such launches, or a name is no column or no figure.
    """
    if figure not in FIGURES:
        raise FleetError(f"{figure}: no figure with a trend", hint=f"one of {', '.join(FIGURES)}")
    found = committing.opened(dataset, storage_options, schemes)
    where = {**(where or {}), **({"model": model} if model is not None else {})}
    every = series(found, by, where, hardware, order, spark)
    return trend_of(found, by, layer, every, spark, figure)


def trend_of(
    dataset: Dataset,
    by: str,
    layer: str | None,
    of: Sequence[Series],
    spark: SparkSession | None,
    figure: str = LATENCY,
) -> Trend:
    """The trend of some series."""
    steps = [step for one in of for step in one.steps]
    keep = partial(_kept, layer=layer, figure=figure)
    jobs = [
        Job(number, ("summary",), (tuple(step.launches),), keep)
        for number, step in enumerate(steps)
    ]
    done = iter(reports(dataset, jobs, "summarizing", spark))
    points = [
        (one, [_point(step.value, len(step.launches), next(done)) for step in one.steps])
        for one in of
    ]
    return Trend(by, layer, points, figure, folder_of(dataset))


def folder_of(dataset: Dataset) -> str | None:
    """The folder of a dataset of this machine."""
    return dataset.uri if is_local(dataset.uri) else None


def _kept(report: Report, layer: str | None, figure: str) -> Report:
    if layer is None:
        of: Report = report.get("model", {})
        is_cold = figure.startswith("cold_")
        figure = figure.removeprefix("cold_")
        # Those of a cold file and of one in memory are two figures, and no trend.
        if figure in OF_START and is_cold != bool(of.get("cold_starts")):
            of = {}
        name, _, of_figure = figure.rpartition("_")
        names = (figure, f"{name}_low_{of_figure}", f"{name}_high_{of_figure}")
    else:
        of = next((row for row in report.get("operators", []) if row["name"] == layer), {})
        names = ("time_ms", "time_low_ms", "time_high_ms")
    return dict(zip(_FIGURES, map(of.get, names), strict=True))


def _point(step: str, launches: int, done: Done) -> Point:
    figures = done.report or dict.fromkeys(_FIGURES)
    return Point(step, launches, **figures, error=done.error)
