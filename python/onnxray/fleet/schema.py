"""The tables of a dataset, declared once: names, types and meanings of their columns."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    import pyarrow

__all__ = [
    "MONTH",
    "TABLES",
    "UNKNOWN_MONTH",
    "VERSION",
    "Column",
    "Kind",
    "TableSchema",
    "is_month",
    "month",
    "storable",
]

VERSION = 1
"""Version of the dataset: one that cannot be read as before has a higher one."""

MONTH = "month"
"""By which tables are partitioned: ``2026-11``, from when a launch began, in UTC."""

UNKNOWN_MONTH = "unknown"
"""The month of launches that do not tell when they began, and of what could not be read."""

_MONTH = re.compile(rf"\d{{4}}-(0[1-9]|1[0-2])|{UNKNOWN_MONTH}", re.ASCII)


def is_month(text: str) -> bool:
    """Whether a text is a month, which becomes part of a path."""
    return _MONTH.fullmatch(text) is not None


def month(began: datetime | None) -> str:
    """The month of a launch."""
    return UNKNOWN_MONTH if began is None else f"{began.year:04}-{began.month:02}"


Kind = Literal["text", "small", "whole", "real", "truth", "time", "labels", "bytes"]


@dataclass(frozen=True)
class Column:
    """A column: its name, what it holds, and what that means."""

    name: str
    kind: Kind
    meaning: str


@dataclass(frozen=True)
class TableSchema:
    """A table: its columns without the month, and those that tell its rows apart."""

    name: str
    meaning: str
    key: tuple[str, ...]
    columns: tuple[Column, ...]

    def arrow(self) -> pyarrow.Schema:
        """The columns, as Arrow types them; the month is not one, since it is in the path."""
        import pyarrow

        types = {
            "text": pyarrow.string(),
            # Spark reads unsigned numbers as decimals: all are signed.
            "small": pyarrow.int32(),
            "whole": pyarrow.int64(),
            "real": pyarrow.float64(),
            "truth": pyarrow.bool_(),
            "time": pyarrow.timestamp("us", tz="UTC"),
            "labels": pyarrow.map_(pyarrow.string(), pyarrow.string()),
            "bytes": pyarrow.binary(),
        }
        return pyarrow.schema([(column.name, types[column.kind]) for column in self.columns])

    def with_month(self) -> pyarrow.Schema:
        """The same with the month, as the transaction log has it."""
        import pyarrow

        return self.arrow().append(pyarrow.field(MONTH, pyarrow.string()))

    def rows(self, rows: Iterable[Mapping[str, Any]]) -> pyarrow.Table:
        """Rows as a table; what a row lacks is unknown, and what has no column is left out."""
        import pyarrow

        listed = list(rows)
        columns = [[_value(column, row) for row in listed] for column in self.columns]
        schema = self.arrow()
        arrays = [
            pyarrow.array(values, field.type) for values, field in zip(columns, schema, strict=True)
        ]
        return pyarrow.table(arrays, schema=schema)


_WHOLE = {"small": range(-(1 << 31), 1 << 31), "whole": range(-(1 << 63), 1 << 63)}


def _value(column: Column, row: Mapping[str, Any]) -> Any:
    value = row.get(column.name)
    if value is None:
        return None
    if column.kind in _WHOLE:
        number = int(value)
        return number if number in _WHOLE[column.kind] else None
    if column.kind == "text":
        return storable(value)
    if column.kind == "labels":
        return sorted((storable(name), storable(text)) for name, text in value.items())
    if column.kind == "time":
        assert isinstance(value, datetime)
    return value


def storable(value: str) -> str:
    """A text as UTF-8 has it: names of files, and JSON, may have half a character."""
    return value.encode(errors="backslashreplace").decode()


def _columns(*declared: tuple[str, Kind, str]) -> tuple[Column, ...]:
    return tuple(Column(*each) for each in declared)


_LAUNCH_ID: tuple[str, Kind, str] = ("launch_id", "text", "SHA-256 of the decompressed file")
_SOURCES = TableSchema(
    "sources",
    "One row per collected file, readable or not.",
    ("source_id",),
    _columns(
        (
            "source_id",
            "text",
            "the launch's id; for unreadable files, SHA-256 of URI and content",
        ),
        ("launch_id", "text", "launch in the file"),
        ("uri", "text", "place of the file"),
        ("labels", "labels", "labels of the collection"),
        ("size", "whole", "size of the file in bytes"),
        ("error", "text", "why it is unreadable"),
        ("collected_at", "time", "time of the collection"),
        ("collector", "text", "version of onnxray"),
    ),
)
_LAUNCHES = TableSchema(
    "launches",
    "One row per launch: what ran, where, and how long it took.",
    ("launch_id",),
    _columns(
        _LAUNCH_ID,
        ("uri", "text", "place of its file"),
        ("labels", "labels", "labels of the recording, such as `commit`"),
        ("configuration_id", "text", "equal for launches of one recording"),
        ("graph_id", "text", "its graph in `operators`"),
        ("format", "text", "format of the file"),
        ("producer", "text", "program and version that wrote it"),
        ("recording", "text", "its recording"),
        ("profile", "text", "name of the configuration"),
        ("model", "text", "model file"),
        ("model_sha256", "text", "hash of the model file"),
        ("parameters", "whole", "elements of the model's parameters"),
        ("batch_size", "whole", "size of the batch dimension"),
        ("dimensions", "text", "sizes of free dimensions: `sequence=128`"),
        ("inputs", "text", "source of the inputs"),
        ("engine", "text", "name of the engine"),
        ("engine_version", "text", "its version"),
        ("engine_options", "text", "its options, joined by `; `"),
        ("threads", "small", "threads per kernel"),
        ("instances", "small", "launches that ran side by side"),
        ("rank", "small", "number of the process in a distributed run"),
        ("world_size", "small", "processes of the distributed run"),
        ("isa", "text", "instruction sets used for kernels"),
        ("cpu", "text", "processor"),
        ("host", "text", "machine"),
        ("operating_system", "text", "its name and version"),
        ("vector_registers", "text", "their state after each operator"),
        ("started_at", "time", "start of the launch"),
        ("load_time_ns", "whole", "time to load and optimize the model"),
        ("iterations", "whole", "iterations used for the latency"),
        ("latency_mean_ms", "real", "mean latency"),
        ("latency_median_ms", "real", "median latency"),
        ("latency_p10_ms", "real", "10th percentile"),
        ("latency_p90_ms", "real", "90th percentile"),
        ("latency_p99_ms", "real", "99th percentile"),
        ("latency_min_ms", "real", "smallest"),
        ("latency_max_ms", "real", "largest"),
        ("profiled_latency_median_ms", "real", "median profiled latency"),
        ("operators_mean_ms", "real", "mean time of all operators per iteration"),
        ("overhead_mean_ms", "real", "mean framework overhead per iteration"),
        ("flops", "whole", "FLOPs per iteration; a multiply-add is two"),
        ("bytes", "whole", "bytes read and written per iteration"),
        ("warnings", "text", "losses and doubts, joined by `; `"),
    ),
)
_OPERATORS = TableSchema(
    "operators",
    "One row per operator of a graph, shared by all launches with the same facts.",
    ("graph_id", "operator"),
    _columns(
        ("graph_id", "text", "hash of the facts of all operators"),
        ("operator", "small", "number of the operator in the graph"),
        ("name", "text", "unique in the graph"),
        ("type", "text", "ONNX op type, or the producer's own"),
        ("nodes", "text", "ONNX nodes that it computes, joined by `; `"),
        ("post_ops", "text", "op types fused after it"),
        ("kernel", "text", "the engine's name for the implementation"),
        ("inputs", "text", "names of the tensors it reads, joined by `; `"),
        ("input_types", "text", "their element types"),
        ("input_shapes", "text", "their shapes: `1x64; 64x256`"),
        ("outputs", "text", "names of the tensors it writes"),
        ("output_types", "text", "their element types"),
        ("output_shapes", "text", "their shapes"),
        ("weight", "text", "name of the constant matrix"),
        ("weight_shape", "text", "its shape, outputs x inputs"),
        ("sparse_ratio_1x1", "real", "sparsity: share of zeros"),
        ("sparse_ratio_4x1", "real", "share of zero blocks of 4x1"),
        ("sparse_ratio_1x4", "real", "share of zero blocks of 1x4"),
        ("sparse_ratio_1x16", "real", "share of zero blocks of 1x16"),
        ("sparse_ratio_4x16", "real", "share of zero blocks of 4x16"),
        ("parameters", "whole", "elements of the constants it reads"),
        ("flops", "whole", "FLOPs per iteration"),
        ("bytes", "whole", "bytes read and written per iteration"),
    ),
)
_OPERATOR_TIMES: tuple[tuple[str, Kind, str], ...] = (
    ("calls", "whole", "executions in measured iterations, or in the trace"),
    ("executions", "real", "executions per iteration"),
    ("time_ms", "real", "mean time per iteration, without operators inside"),
    ("time_median_ms", "real", "median"),
)
_LAUNCH_OPERATORS = TableSchema(
    "launch_operators",
    "One row per operator and launch: its time, as in `onnxray summary`.",
    ("launch_id", "operator"),
    _columns(
        _LAUNCH_ID,
        ("operator", "small", "number of the operator in the launch's graph"),
        *_OPERATOR_TIMES,
        ("time_p10_ms", "real", "10th percentile"),
        ("time_p90_ms", "real", "90th percentile"),
        ("time_p99_ms", "real", "99th percentile"),
        ("time_min_ms", "real", "smallest"),
        ("time_max_ms", "real", "largest"),
        ("share", "real", "share of the time of all operators"),
    ),
)
_LAUNCH_TYPES = TableSchema(
    "launch_types",
    "One row per operator type and launch.",
    ("launch_id", "type"),
    _columns(
        _LAUNCH_ID,
        ("type", "text", "ONNX op type, or the producer's own"),
        ("operators", "whole", "operators of the type"),
        *_OPERATOR_TIMES,
        ("share", "real", "share of the time of all operators"),
    ),
)
_SAMPLES = TableSchema(
    "samples",
    "One row per launch collected with samples: its file.",
    ("launch_id",),
    _columns(
        _LAUNCH_ID,
        ("size", "whole", "size of the file in bytes, decompressed"),
        ("trace", "bytes", "the file, compressed by Zstandard"),
    ),
)

TABLES: Mapping[str, TableSchema] = {
    table.name: table
    for table in (_SOURCES, _LAUNCHES, _OPERATORS, _LAUNCH_OPERATORS, _LAUNCH_TYPES, _SAMPLES)
}
"""All tables by their names. ``sources`` is committed first: what it has is decided."""
