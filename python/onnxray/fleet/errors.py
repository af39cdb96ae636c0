"""What goes wrong with datasets, and libraries that are missing."""

from __future__ import annotations

import importlib
from types import ModuleType

from ..errors import Error

__all__ = ["FleetError"]


class FleetError(Error):
    """A dataset cannot be used as it was asked for; one sentence, and the way out."""


def library(name: str, extra: str) -> ModuleType:
    """A library of one of the package's extras.

    Raises
    ------
    FleetError
        It is not installed.
    """
    try:
        return importlib.import_module(name)
    except ImportError:
        raise FleetError(
            f"{name.split('.')[0]} is not installed", hint=f"pip install 'onnxray[{extra}]'"
        ) from None
