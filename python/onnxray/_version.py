"""The version of this package, which stands once: in the program's Cargo.toml."""

from __future__ import annotations

from functools import cache


@cache
def version() -> str | None:
    """The version that is installed; None in a checkout."""
    # It takes longer to import than all else together.
    from importlib.metadata import PackageNotFoundError
    from importlib.metadata import version as installed

    try:
        return installed("onnxray")
    except PackageNotFoundError:
        return None
