"""The program's own reports of groups of launches: one job each, here or on a cluster.

Launches become files again, and the program reads these. So figures of a fleet are those of
`summary` and `compare`, and there is no second arithmetic.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..errors import Error
from .dataset import parsed
from .errors import FleetError, OwnFailure
from .reading import run
from .samples import Samples
from .selecting import Launch
from .storage import copy, schemes

Report = dict[str, Any]


@dataclass(frozen=True)
class Job:
    """A command, the launches of each side that it reads, and what is kept of its report."""

    number: int
    command: tuple[str, ...]
    sides: tuple[tuple[Launch, ...], ...]
    keep: Callable[[Report], Report]

    @property
    def launches(self) -> list[Launch]:
        """Of all sides."""
        return [launch for side in self.sides for launch in side]


@dataclass(frozen=True)
class Done:
    """What is kept of a job's report, or why there is none."""

    number: int
    report: Report | None
    error: str | None = None


def report(job: Job, samples: Samples, allowed: AbstractSet[str]) -> Done:
    """Runs a job's command; what lies elsewhere is opened by the schemes that are allowed."""
    try:
        with tempfile.TemporaryDirectory(prefix="onnxray-fleet-") as folder:
            words = write(job.sides, samples, Path(folder), allowed)
            output, ended = run([*job.command, "--format=json", *words])
    except OwnFailure:
        raise
    except FleetError as error:
        return Done(job.number, None, "; ".join(filter(None, (error.message, error.hint))))
    except (OSError, Error) as error:
        return Done(job.number, None, f"{type(error).__name__}: {error}")
    try:
        return Done(job.number, job.keep(parsed(output)))
    except ValueError:
        said = [message.text for message in ended.messages if message.kind == "error"]
        reason = said[-1] if said else f"onnxray ended with {ended.exit_code}"
        return Done(job.number, None, reason.replace(f"{folder}/", ""))


def write(
    sides: Sequence[Sequence[Launch]], samples: Samples, folder: Path, allowed: AbstractSet[str]
) -> list[str]:
    """Writes the files of each side's launches, in their order; a word for each side.

    Raises
    ------
    FleetError
        A file is not where it lay, or not what it was, or that may not be opened, and there is no
        sample of it.
    """
    words = []
    for number, launches in enumerate(sides):
        side = folder / str(number)
        side.mkdir()
        for place, launch in enumerate(launches):
            file = side / f"{place:06}.json"
            if (sample := samples.get(launch.launch_id)) is not None:
                sample.write(file)
            else:
                _copy(launch, file, allowed)
        words.append(str(side / "*.json"))
    return words


def _copy(launch: Launch, file: Path, allowed: AbstractSet[str]) -> None:
    hint = "collect it with samples, or put it back"
    # Whoever made the dataset said where the file lay.
    if asked := schemes(launch.uri) - allowed:
        raise FleetError(
            f"{launch.uri}: the dataset has no sample of it, and may not open {min(asked)}://",
            hint=f"allow it by --scheme {min(asked)} (schemes), or collect it with samples",
        )
    try:
        copied = copy(launch.uri, file)
    except OSError as error:
        reason = error.strerror or error
        raise FleetError(
            f"{launch.uri}: the dataset has no sample of it, and its file cannot be read: {reason}",
            hint=hint,
        ) from None
    if copied.sha256 != launch.launch_id:
        raise FleetError(
            f"{launch.uri}: the dataset has no sample of it, and its file was changed", hint=hint
        )
