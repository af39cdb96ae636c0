"""Which launches a question is about: series, and the steps in them, such as commits."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timezone
from typing import TYPE_CHECKING, Any

from .cluster import frame
from .dataset import Dataset
from .errors import FleetError, library
from .schema import TABLES

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

Where = Mapping[str, Any]

SUBJECT = ("model", "engine", "threads", "instances", "batch_size", "dimensions", "rank")
"""What stays the same within a series, besides the hardware."""

_COLUMNS = {column.name for column in TABLES["launches"].columns}
_KNOWN = ("launch_id", "uri", "month", "configuration_id")
_NAMED = 4


@dataclass(frozen=True)
class Launch:
    """A launch: its id, where its file lay, its month, which is where its sample is, its start."""

    launch_id: str
    uri: str
    month: str
    started_at: datetime | None = None
    """None is unknown."""


@dataclass
class Step:
    """Launches of one value of the label, such as a commit, and of one configuration."""

    value: str
    place: tuple[Any, ...]
    """In the order of all series, of which one may lack a step."""
    launches: list[Launch]
    left_out: int = 0
    """Launches of other configurations, which are not read as one recording with these."""

    @property
    def began(self) -> datetime | None:
        """Start of the first launch in UTC, as far as starts are known."""
        known = [one.started_at for one in self.launches if one.started_at]
        return min(known).astimezone(timezone.utc) if known else None


@dataclass
class Series:
    """One model on one hardware, and its steps in their order."""

    subject: Mapping[str, Any]
    hardware: Mapping[str, Any]
    steps: list[Step] = field(default_factory=list)

    @property
    def name(self) -> str:
        """What tells it apart, for people: ``encoder.onnx, 1 thread, batch 1, AMD EPYC``."""
        return f"{self.subject_name}, {self.hardware_name}" if self.hardware else self.subject_name

    @property
    def subject_name(self) -> str:
        """The same without the hardware."""
        return ", ".join(_words(self.subject)) or "unknown model"

    @property
    def hardware_name(self) -> str:
        """The hardware, for people."""
        values = self.hardware.values()
        return ", ".join("unknown" if value is None else str(value) for value in values)


def _words(subject: Mapping[str, Any]) -> Iterator[str]:
    written = {
        "threads": "{} threads",
        "instances": "{} instances",
        "batch_size": "batch {}",
        "rank": "rank {}",
    }
    for name, value in subject.items():
        if name == "threads" and value == 1:
            yield "1 thread"
        elif value is not None:
            yield written.get(name, "{}").format(value)


def series(
    dataset: Dataset,
    by: str,
    where: Where,
    hardware: Sequence[str],
    order: Sequence[str] | None,
    spark: SparkSession | None,
) -> list[Series]:
    """All series of the launches that have a value of ``by``; steps from the earliest on.

    Raises
    ------
    FleetError
        There is no such launch, or ``order`` lacks a value.
    """
    rows = query(dataset, where, [*SUBJECT, *hardware], by, spark)
    if not rows:
        what = "".join(f", {name}={value}" for name, value in where.items())
        raise FleetError(
            f"{dataset.uri}: no launches with {by}{what}", hint="labels are given when collecting"
        )
    places = _places(rows, order)
    grouped: dict[tuple[Any, ...], dict[str, list[Mapping[str, Any]]]] = {}
    for row in rows:
        key = tuple(row[name] for name in (*SUBJECT, *hardware))
        grouped.setdefault(key, {}).setdefault(row["step"], []).append(row)
    found = []
    for key in sorted(grouped, key=_sortable):
        subject = dict(zip(SUBJECT, key, strict=False))
        one = Series(subject, dict(zip(hardware, key[len(SUBJECT) :], strict=True)))
        steps = grouped[key]
        ordered = sorted(steps, key=places.__getitem__)
        one.steps = [_step(value, places[value], steps[value]) for value in ordered]
        found.append(one)
    return found


def _places(
    rows: Sequence[Mapping[str, Any]], order: Sequence[str] | None
) -> dict[str, tuple[Any, ...]]:
    """The place of each step: as given; by the first launch; by name where that is unknown."""
    values = sorted({row["step"] for row in rows})
    if order is not None:
        places: dict[str, tuple[Any, ...]] = {value: (place,) for place, value in enumerate(order)}
        missing = [value for value in values if value not in places]
        if missing:
            raise FleetError(f"the order lacks {missing[0]}", hint="name all values, or none")
        return places
    first: dict[str, datetime] = {}
    for row in rows:
        began = row["started_at"] or datetime.max.replace(tzinfo=timezone.utc)
        first[row["step"]] = min(began, first.get(row["step"], began))
    return {value: (first[value], value) for value in values}


def _step(value: str, place: tuple[Any, ...], rows: Sequence[Mapping[str, Any]]) -> Step:
    """Launches of the configuration that has most."""
    configurations: dict[str, list[Mapping[str, Any]]] = {}
    for row in rows:
        configurations.setdefault(row["configuration_id"], []).append(row)
    chosen = min(configurations, key=lambda key: (-len(configurations[key]), key))
    of_it = configurations[chosen]
    return Step(value, place, _launches(of_it), len(rows) - len(of_it))


def _launches(rows: Sequence[Mapping[str, Any]]) -> list[Launch]:
    """In the order in which they began; figures do not depend on the order of files."""
    early = datetime.min.replace(tzinfo=timezone.utc)
    ordered = sorted(rows, key=lambda row: (row["started_at"] or early, row["launch_id"]))
    return [
        Launch(row["launch_id"], row["uri"], row["month"], row["started_at"]) for row in ordered
    ]


def one_configuration(dataset: Dataset, where: Where, spark: SparkSession | None) -> list[Launch]:
    """The launches of a recording.

    Raises
    ------
    FleetError
        There are none, or they are of several configurations.
    """
    columns = [
        *SUBJECT,
        "cpu",
        "model_sha256",
        "engine_version",
        "engine_options",
        "isa",
        "profile",
    ]
    rows = query(dataset, where, columns, None, spark)
    said = ", ".join(f"{name}={value}" for name, value in where.items())
    if not rows:
        raise FleetError(f"{dataset.uri}: no launches with {said}")
    if len({row["configuration_id"] for row in rows}) > 1:
        values = {name: sorted({str(row[name]) for row in rows}) for name in columns}
        several = {name: found for name, found in values.items() if len(found) > 1}
        name, found = next(iter(several.items()), ("configuration_id", []))
        listed = ", ".join(found[:_NAMED]) + (", …" if len(found) > _NAMED else "")
        raise FleetError(
            f"{said}: launches of several configurations, which differ in {', '.join(several)}",
            hint=f"choose one more: {name} is one of {listed}" if found else None,
        )
    return _launches(rows)


def query(
    dataset: Dataset,
    where: Where,
    columns: Sequence[str],
    by: str | None,
    spark: SparkSession | None,
) -> list[Mapping[str, Any]]:
    """Launches that fit, as rows; the value of ``by`` is called ``step``.

    Raises
    ------
    FleetError
        A column is not one of ``launches``.
    """
    for column in columns:
        if column not in _COLUMNS:
            raise FleetError(f"{column} is not a column of launches", hint="docs/fleet.md has them")
    mark = ":" if spark else "$"
    values: dict[str, Any] = {}

    def term(name: str) -> str:
        if name in _COLUMNS:
            return name
        values[f"label{len(values)}"] = name
        return f"labels[{mark}label{len(values) - 1}]"

    conditions = []
    if by is not None:
        step = f"cast({term(by)} as string)"
        conditions.append(f"{step} is not null")
    for name, value in where.items():
        left = term(name)
        values[f"value{len(values)}"] = value
        conditions.append(f"{left} = {mark}value{len(values) - 1}")
    chosen = [*_KNOWN, "started_at", *columns]
    listed = ", ".join(dict.fromkeys(chosen)) + (f", {step} as step" if by is not None else "")
    text = f"select {listed} from launches"
    if conditions:
        text += f" where {' and '.join(conditions)}"
    found = _spark(dataset, text, values, spark) if spark else _duckdb(dataset, text, values)
    rows: list[Mapping[str, Any]] = found.to_pylist()
    if any(row[name] is None for row in rows for name in _KNOWN):
        raise FleetError(
            f"{dataset.path('launches')}: a row lacks one of {', '.join(_KNOWN)}",
            hint="collect the recordings into a new dataset",
        )
    return rows


def _duckdb(dataset: Dataset, text: str, values: Mapping[str, Any]) -> Any:
    duckdb = library("duckdb", "fleet")
    with duckdb.connect() as connection:
        connection.execute("set timezone = 'UTC'")
        connection.register("launches", dataset.arrow("launches"))
        return connection.sql(text, params=dict(values)).to_arrow_table()


def _spark(dataset: Dataset, text: str, values: Mapping[str, Any], spark: SparkSession) -> Any:
    launches = frame(spark, dataset, "launches")
    return spark.sql(
        text.replace("from launches", "from {launches}"), args=dict(values), launches=launches
    ).toArrow()


def _sortable(key: Sequence[Any]) -> tuple[tuple[bool, str, float, str], ...]:
    """Values of any kind in one order: unknown ones last, numbers by size."""
    return tuple(
        (
            value is None,
            type(value).__name__,
            value if isinstance(value, (int, float)) else 0.0,
            str(value),
        )
        for value in key
    )
