"""Runs a command and makes a report of what it writes."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
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


def run(command: Command, kind: type[Kind], write: Writer | None) -> Kind:
    """Runs a command; its report, with a warning for each doubt."""
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
    warn(report.warnings)
    return report
