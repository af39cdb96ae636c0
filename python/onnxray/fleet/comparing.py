"""Two recordings of a fleet, compared as `onnxray.compare` compares files."""

from __future__ import annotations

import shutil
import tempfile
import weakref
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .. import reading
from ..arguments import StrPath
from ..results import Comparison
from . import committing
from .errors import in_a_sentence
from .running import write
from .samples import SampleIndex
from .selecting import one_configuration

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

__all__ = ["compare"]


@in_a_sentence
def compare(
    dataset: StrPath,
    a: Mapping[str, Any],
    b: Mapping[str, Any],
    *,
    spark: SparkSession | None = None,
    storage_options: Mapping[str, str] | None = None,
    schemes: Iterable[str] = (),
    **options: Any,
) -> Comparison:
    """Compares the launches that ``a`` chooses with those that ``b`` chooses.

    Parameters
    ----------
    dataset : path or URI
        The dataset.
    a, b : mapping of str to value
        Labels and columns of ``launches``, such as ``{"commit": "3f1c2a", "model": "cnn.onnx"}``;
        each chooses launches of one configuration.
    spark : SparkSession, optional
        Looks them up.
    storage_options : mapping of str to str, optional
        Options of deltalake for the dataset's object store.
    schemes : iterable of str
        As for `trend`.
    **options
        Those of `onnxray.compare`.

    Returns
    -------
    Comparison
        What `onnxray.compare` says of the same files.

    Raises
    ------
    FleetError
        There are no such launches, they are of several configurations, or a file is gone.
    TraceError, UsageError
        As `onnxray.compare`.
    """
    found = committing.opened(dataset, storage_options, schemes)
    sides = [one_configuration(found, where, spark) for where in (a, b)]
    samples = SampleIndex(found).of(launch.launch_id for side in sides for launch in side)
    options.setdefault("names", [", ".join(map(str, where.values())) for where in (a, b)])
    folder = tempfile.mkdtemp(prefix="onnxray-fleet-")
    try:
        comparison = reading.compare(*write(sides, samples, Path(folder), found.schemes), **options)
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise
    # A page is made of the files, so they stay as long as it can be asked for.
    weakref.finalize(comparison, shutil.rmtree, folder, ignore_errors=True)
    return comparison
