"""Runs a command and makes a report of what it writes."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from glob import glob
from pathlib import Path
from typing import TypeVar

from . import _files
from ._messages import Subject, failure, spoken, warn
from ._program import capture
from .arguments import option
from .results import Report, Writer

Kind = TypeVar("Kind", bound=Report)


@dataclass(frozen=True)
class Command:
    """A command, its options, and what it is about."""

    name: str
    options: Sequence[str]
    recordings: tuple[str, ...] = ()
    models: tuple[str, ...] = ()
    results: tuple[int, ...] = (0,)
    """Exit codes with which there is a report."""

    def words(self, *more: str) -> list[str]:
        # A model that tells of a trace is an option's value, and the rest stands by itself.
        subjects = self.recordings or self.models
        return [self.name, *self.options, *more, *subjects]

    @property
    def subject(self) -> Subject:
        return Subject(self.recordings, self.models)

    def writer(self) -> Writer:
        """Writes a page or a workbook by the same command, which must not measure."""

        def write(file: Path, force: bool) -> None:
            _files.check(file, force=force, inputs=self.recordings + self.models)
            written = (*option("--force", force), f"--output={file}")
            _, ended = capture(self.words(*written))
            if ended.exit_code not in self.results:
                # It was read before: what fails now is the file.
                raise failure(ended.exit_code, spoken(ended.messages, self.name), Subject())

        return write

    def shower(self) -> Callable[[], str | None]:
        """What the command shows in a terminal, unless files have changed since."""
        since = time.time()

        def show() -> str | None:
            if _newest(self.recordings + self.models) > since:
                return None
            output, ended = capture(self.words())
            shown = output.decode(errors="replace").rstrip()
            return shown if ended.exit_code in self.results else None

        return show


def _newest(words: Sequence[str]) -> float:
    """When the last file was written that these words stand for."""
    found = [0.0]
    for word in words:
        # Of a profile, the folder.
        for path in glob(word) or [word, word.rpartition(":")[0]]:
            folders = os.walk(path)
            files = [os.path.join(folder, name) for folder, _, names in folders for name in names]
            for file in files or [path]:
                with suppress(OSError):
                    found.append(os.path.getmtime(file))
    return max(found)


def run(
    command: Command, kind: type[Kind], write: Writer | None, shown: Command | None = None
) -> Kind:
    """Runs a command; its report, with a warning for each doubt.

    It is shown as the other command shows it, which must not measure.
    """
    show = None if shown is None else shown.shower()
    output, ended = capture(command.words("--format=json"))
    said = spoken(ended.messages, command.name)
    if ended.exit_code not in command.results:
        raise failure(ended.exit_code, said, command.subject)
    try:
        found = json.loads(output)
    except ValueError:
        # It ended with an error, and nothing was left to report.
        raise failure(ended.exit_code or 1, said, command.subject) from None
    report = kind(found, ended.exit_code, said, write)
    if show is not None:
        report._show = show
    warn(report.warnings)
    return report
