"""A folder for a while."""

from __future__ import annotations

import shutil
import tempfile
import weakref
from pathlib import Path


class TemporaryFolder:
    """A folder that goes with this object, or with the process."""

    def __init__(self) -> None:
        self.path = Path(tempfile.mkdtemp(prefix="onnxray-"))
        # tempfile.TemporaryDirectory would warn of that.
        weakref.finalize(self, shutil.rmtree, self.path, ignore_errors=True)
