"""Records a model."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence

from ._inputs import Inputs, files
from ._messages import failure, spoken
from ._program import capture
from ._report import Command, run
from .arguments import Dimensions, StrPath, option, words
from .results import Recording

__all__ = ["record"]

_UNKNOWN = "\N{REPLACEMENT CHARACTER}"


def record(
    model: StrPath,
    *,
    iterations: int | None = None,
    duration: str | None = None,
    warmup: int | None = None,
    launches: int | None = None,
    batch_size: int | None = None,
    dimensions: Dimensions | None = None,
    inputs: Inputs | None = None,
    seed: int | None = None,
    engine: str | None = None,
    threads: int | None = None,
    instances: int | None = None,
    against: StrPath | None = None,
    out: StrPath | None = None,
    profiles: StrPath | None = None,
    name: str | None = None,
    force: bool = False,
    options: Sequence[str] = (),
) -> Recording:
    """Records a model: runs it, and times each operator.

    A KeyboardInterrupt ends the recording; what was recorded until then is kept in `out`.

    Parameters
    ----------
    model : path
        ONNX file.
    iterations, warmup, launches : int, optional
        Iterations to measure, and before that; processes, one after the other.
    duration : str, optional
        Time to measure for instead: ``90s``, ``10m``, ``1h``.
    batch_size : int, optional
        Size of the batch dimension; 1 without it.
    dimensions : mapping of str to int, optional
        Sizes of other free dimensions.
    inputs : mapping of str to numpy.ndarray or path, optional
        Values of inputs, of the shapes and types that the model declares; other inputs get random
        ones, by `seed`.
    engine : {"tract", "onnxruntime"}, optional
        What runs the model; ``tract`` without it.
    threads, instances : int, optional
        Threads that share the work of a kernel; processes at once.
    against : path, optional
        Another model that takes turns with this one; its recording is ``against`` of the result.
    out : path, optional
        Folder of the recording; ``engine_profiling`` without it.
    profiles, name : optional
        Profiles folder to keep the recording in, and the name of its profile; `force` replaces
        one.
    options : sequence of str
        Further options of ``onnxray record``.

    Raises
    ------
    ModelError, UsageError
        The model could not be loaded or run, or an argument is not taken.
    """
    command = Command(
        "record",
        [
            *option("--iterations", iterations),
            *option("--duration", duration),
            *option("--warmup", warmup),
            *option("--launches", launches),
            *option("--batch-size", batch_size),
            *option("--dim", dimensions),
            *option("--input", files(inputs)),
            *option("--seed", seed),
            *option("--engine", engine),
            *option("--threads", threads),
            *option("--instances", instances),
            *option("--against", against),
            *option("--out", out),
            *option("--profiles", profiles),
            *option("--name", name),
            *option("--force", force),
            *options,
        ],
        models=words(model) + words(against),
    )
    output, ended = capture([command.name, *command.options, *words(model)])
    if ended.exit_code != 0:
        raise failure(ended.exit_code, spoken(ended.messages, command.name), command.subject)
    paths = _paths(output)
    measured = [path for path in paths if _is_sensitivity(path)]
    first, *others = (_recording(path) for path in paths if path not in measured)
    if others:
        first.against = others[0]
    first.sensitivity = measured[0] if measured else None
    return first


def _is_sensitivity(path: str) -> bool:
    """Whether it is a sensitivity profile: beside the traces, or in a profiles folder."""
    folder, name = os.path.split(path)
    return os.path.basename(folder) == "profiling_sensitivity" or name.endswith("-sensitivity.json")


def _paths(said: bytes) -> list[str]:
    """The recordings that the program names, a line each; a folder's name may have line ends."""
    ends = re.split(rb"(?<=\.json)\r?\n", said)
    return [_there(os.fsdecode(path)) for path in ends if path]


def _there(path: str) -> str:
    """A path as the system has it.

    The program may have written U+FFFD for what is no letter in UTF-8.
    """
    found = ""
    *folders, name = path.split(os.sep)
    for folder in folders:
        place = os.path.join(found, folder) if found else folder or os.sep
        if _UNKNOWN in folder and not os.path.isdir(place):
            names = os.listdir(found or os.curdir)
            folder = next((each for each in names if _shown(each) == folder), folder)
        found = os.path.join(found, folder) if found else folder or os.sep
    return os.path.join(found, name)


def _shown(name: str) -> str:
    return os.fsencode(name).decode(errors="replace")


def _recording(path: str) -> Recording:
    reading = Command("report", [], words(path))
    command = Command("summary", [], words(path))
    summary = run(command, Recording, reading.writer(), command)
    summary.path = path
    return summary
