"""Pages of the comparisons that found something, in a folder beside the page of regressions."""

from __future__ import annotations

import json
import os
import re
import tempfile
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

from .. import _files
from .dataset import Dataset, parsed
from .errors import FleetError
from .findings import Finding, Pair
from .reading import run
from .running import write
from .samples import SampleIndex

_INDEX = "pages.json"
_KEY = "onnxray_comparisons"
_PAGE = re.compile(r"comparison-\d+\.html")
_MOST = 1 << 20
"""Bytes of the index."""


@dataclass(frozen=True)
class Pages:
    """A folder of pages, which lists those that were written there.

    Pages that it lists are replaced and deleted; others are replaced by ``force`` only.
    """

    folder: Path
    force: bool

    @classmethod
    def beside(cls, page: Path, force: bool) -> Pages:
        """Those that a page links to."""
        return cls(page.with_name(f"{page.stem}_comparisons"), force)

    def check(self) -> None:
        """Whether they may be written, before long work begins.

        Raises
        ------
        Error
            They may not.
        """
        if self.folder.is_symlink():
            raise FleetError(f"{self.folder}: is a link", hint="choose another name of the page")
        if self.folder.exists() and self._listed() is None:
            _files.check(self.folder / _INDEX, force=self.force)

    def write(
        self, dataset: Dataset, findings: Sequence[Finding], pairs: Sequence[Pair]
    ) -> dict[int, str]:
        """Writes the pages; their paths beside the folder, by the numbers of their comparisons."""
        self.check()
        own = self._listed() or set()
        links: dict[int, str] = {}
        index = SampleIndex(dataset)
        for number in sorted({number for finding in findings for number in finding.pairs}):
            pair = pairs[number]
            samples = index.of(launch.launch_id for side in pair.sides for launch in side)
            with tempfile.TemporaryDirectory(prefix="onnxray-fleet-") as files:
                words = write(pair.sides, samples, Path(files), dataset.schemes)
                made = Path(files, "comparison.html")
                _, ended = run([*pair.command, f"--output={made}", *words])
                if ended.exit_code:
                    continue
                name = f"comparison-{number}.html"
                if not links:
                    _files.make_folder(self.folder)
                with _files.opened(made) as page:
                    pieces = _files.pieces(page)
                    _files.write(self.folder / name, pieces, force=self.force or name in own)
                links[number] = f"{quote(self.folder.name)}/{name}"
        self._keep(own, {f"comparison-{number}.html" for number in links})
        return links

    def _listed(self) -> set[str] | None:
        """Pages that an earlier run of this wrote, as it listed them itself; None if none did."""
        try:
            listed = parsed(_files.read(self.folder / _INDEX, _MOST, inside=self.folder))[_KEY]
            return {name for name in listed if _PAGE.fullmatch(name)}
        except (OSError, ValueError, TypeError, KeyError):
            return None

    def _keep(self, own: set[str], written: set[str]) -> None:
        """Lists what was written; what an earlier run wrote would stand for others now."""
        for name in own - written:
            with suppress(FileNotFoundError):
                os.unlink(self.folder / name)
        if own or written:
            index = json.dumps({_KEY: sorted(written)})
            is_own = self._listed() is not None
            _files.write(self.folder / _INDEX, index, force=self.force or is_own)
