"""One file as rows of all tables: what the program says of it."""

from __future__ import annotations

import hashlib
import json
import signal
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

from .._columns import EndedEarly
from .._messages import Subject, failure
from .._program import Ended, Run
from ..errors import Error, Interrupted, ProgramMismatch, ProgramMissing
from ..table import Table
from . import schema
from .dataset import parsed
from .errors import FleetError, OwnFailure
from .samples import MOST, Sample, packed
from .storage import DAMAGED, copy, decompressed, plain

Row = dict[str, Any]
Labels = Mapping[str, str]

_FACTS = tuple(
    column.name
    for column in schema.TABLES["operators"].columns
    if column.name not in ("graph_id", "operator")
)
_CONFIGURATION = (
    "profile",
    "model",
    "model_sha256",
    "batch_size",
    "dimensions",
    "threads",
    "instances",
    "isa",
    "vector_registers",
    "cpu",
    "engine",
    "engine_version",
    "engine_options",
)
"""What must be equal for launches to be read as one recording."""

_MOST_OF_OUTPUT = 256 << 20
"""Bytes of a report, which lies in memory as a whole."""


@dataclass
class Collected:
    """A file's rows by table; of one that could not be read, a row of ``sources`` alone."""

    source_id: str
    month: str
    rows: dict[str, list[Row]] = field(default_factory=dict)

    @property
    def error(self) -> str | None:
        """Why it could not be read."""
        found: str | None = self.rows["sources"][0].get("error")
        return found


def collect(uri: str, labels: Labels, samples: bool, known: set[str], collector: str) -> Collected:
    """Reads one file; one whose id is known has no rows."""
    with tempfile.TemporaryDirectory(prefix="onnxray-fleet-") as folder:
        source: Row = {
            "uri": uri,
            "labels": labels,
            "collected_at": datetime.now(timezone.utc),
            "collector": collector,
        }
        try:
            copied = copy(uri, Path(folder, "trace.json"))
        except OwnFailure:
            raise
        except (OSError, Error) as error:
            reason = error.strerror if isinstance(error, OSError) else error.message
            return _unread(source, "", f"cannot be read: {reason or error}", known)
        source |= {"source_id": copied.sha256, "size": copied.size}
        if copied.sha256 in known:
            return Collected(copied.sha256, schema.UNKNOWN_MONTH)
        try:
            rows = _rows(copied.path, copied.sha256)
        except Error as error:
            _check_own(error, uri)
            reason = error.message.replace(str(copied.path), uri)
            return _unread(source, copied.sha256, reason, known)
        launch = rows["launches"][0]
        launch |= {"uri": uri, "labels": labels}
        warnings = [launch["warnings"].replace(str(copied.path), uri)] if launch["warnings"] else []
        source["launch_id"] = copied.sha256
        rows["sources"] = [source]
        if samples and (sample := _sample(copied.path, copied.sha256)) is not None:
            rows["samples"] = [vars(sample)]
        elif samples:
            warnings.append(
                f"{uri}: no sample is kept, since it would be of more than {MOST >> 20:,} MiB"
            )
        launch["warnings"] = "; ".join(warnings) or None
        return Collected(copied.sha256, schema.month(launch["started_at"]), rows)


_FROM_OUTSIDE = ("SIGHUP", "SIGINT", "SIGKILL", "SIGTERM", "SIGXCPU", "SIGXFSZ")
"""Signals that end the program, whatever it reads."""


def _check_own(error: Error, uri: str) -> None:
    """Sees to it that only what is wrong with a file is said of it.

    Raises
    ------
    OwnFailure
        It would happen with any file.
    """
    if isinstance(error, (Interrupted, ProgramMismatch, ProgramMissing)):
        raise error
    code = error.exit_code or 0
    if code < 0 and any(code == -getattr(signal, name, 0) for name in _FROM_OUTSIDE):
        raise OwnFailure(
            f"{uri}: {error.message}",
            hint="collect again; if it is this file that takes all memory, leave it out",
        )


def _unread(source: Row, content: str, error: str, known: set[str]) -> Collected:
    """What is no launch is one file: of its URI and its content, since many may be empty."""
    source_id = _hash([source["uri"], content])
    if source_id in known:
        return Collected(source_id, schema.UNKNOWN_MONTH)
    source |= {"source_id": source_id, "error": error}
    return Collected(source_id, schema.UNKNOWN_MONTH, {"sources": [source]})


def _rows(file: Path, launch_id: str) -> dict[str, list[Row]]:
    launches = _launches(file)
    report = _summary(file)
    # Reports list what takes longest first; here, launches of one graph have one order.
    operators = sorted(report.get("operators", []), key=lambda operator: operator["number"])
    facts = [{key: operator.get(key) for key in _FACTS} for operator in operators]
    graph_id = _hash(facts)
    launch: Row = {**report.get("model", {}), **launches[0]}
    launch |= {
        "launch_id": launch_id,
        "graph_id": graph_id,
        "configuration_id": _hash([launch.get(key) for key in _CONFIGURATION]),
        "started_at": _time(launch["started_at"]),
    }
    return {
        "launches": [launch],
        "operators": [
            {"graph_id": graph_id, "operator": operator["number"], **fact}
            for operator, fact in zip(operators, facts, strict=True)
        ],
        "launch_operators": [
            {**operator, "launch_id": launch_id, "operator": operator["number"]}
            for operator in operators
        ],
        "launch_types": [
            {**row, "launch_id": launch_id} for row in report.get("operator_types", [])
        ],
    }


def _launches(file: Path) -> Sequence[Row]:
    """Rows of the program's own table of launches."""
    with Run(["convert", "--table=launches", "--output=-", str(file)]) as run:
        try:
            table = Table.from_stream(run.output)
        except EndedEarly:
            table = None
        ended = run.end()
    rows = [dict(row) for row in table.rows()] if table else []
    if not rows:
        raise _failure(ended, file)
    return rows


def _summary(file: Path) -> dict[str, Any]:
    output, ended = run(["summary", "--format=json", str(file)])
    try:
        report: dict[str, Any] = parsed(output)
    except ValueError:
        raise _failure(ended, file) from None
    return report


def run(arguments: Sequence[str]) -> tuple[str, Ended]:
    """Runs the program without a word to people: it is one of many."""
    # Names, which become options, may have what no word of a command line can.
    with Run([word.replace("\0", "\N{REPLACEMENT CHARACTER}") for word in arguments]) as process:
        output = process.output.read(_MOST_OF_OUTPUT)
        if process.output.read(1):
            raise FleetError(f"its report is larger than {_MOST_OF_OUTPUT >> 20} MiB")
        return output.decode(errors="replace"), process.end()


def _failure(ended: Ended, file: Path) -> Error:
    return failure(ended.exit_code or 1, ended.messages, Subject(recordings=(str(file),)))


def _sample(file: Path, launch_id: str) -> Sample | None:
    try:
        return packed(launch_id, decompressed(file))
    except DAMAGED:
        # What is damaged is kept as it is, and read as it was.
        return packed(launch_id, plain(file))


def _time(text: str | None) -> datetime | None:
    try:
        found = datetime.fromisoformat(text or "")
        # Without a zone it is some local time, and nobody knows where.
        return found.astimezone(timezone.utc) if found.tzinfo else None
    except (ValueError, OverflowError):
        return None


def _hash(value: object) -> str:
    text = json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode(errors="surrogatepass")).hexdigest()
