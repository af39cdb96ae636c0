"""Values of a model's inputs, as files that the program reads."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from hashlib import sha256
from io import BytesIO
from typing import TYPE_CHECKING, Any, TypeAlias

from . import _files
from ._folder import TemporaryFolder
from .arguments import StrPath

if TYPE_CHECKING:
    import numpy

Inputs: TypeAlias = Mapping[str, "numpy.ndarray[Any, Any] | StrPath"]
"""Values by the names of a model's inputs: arrays, or .npy and .npz files."""


@cache
def _folder_of_inputs() -> TemporaryFolder:
    """Goes with this process, since a recording names its inputs, and is compared by them."""
    return TemporaryFolder()


def files(inputs: Inputs | None) -> dict[str, StrPath]:
    """Values of inputs as files; equal arrays are one file."""
    files: dict[str, StrPath] = {}
    for name, values in (inputs or {}).items():
        if isinstance(values, str) or hasattr(values, "__fspath__"):
            files[name] = values
            continue
        import numpy

        written = BytesIO()
        numpy.save(written, values, allow_pickle=False)
        content = written.getvalue()
        file = _folder_of_inputs().path / f"{sha256(content).hexdigest()[:16]}.npy"
        # By this name it is this content.
        if not file.exists():
            _files.write(file, content, force=True)
        files[name] = file
    return files
