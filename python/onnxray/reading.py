"""Commands that read: recordings, traces and models, without measuring."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Literal, TypeAlias

from ._report import Command, run
from .arguments import Dimensions, Paths, StrPath, listed, option, reading, words
from .results import Check, Comparison, Flops, Projection, Recording, Summary

__all__ = ["check", "compare", "flops", "project", "summary"]

Verdict: TypeAlias = Literal["slower", "faster", "inconclusive", "not-tested"]


def summary(
    recording: Paths,
    *,
    model: StrPath | None = None,
    dimensions: Dimensions | None = None,
    format: str | None = None,
    warmup: int | None = None,
    strict: bool = False,
    phase: str | None = None,
    levels: Sequence[str] | None = None,
    group: str | None = None,
    options: Sequence[str] = (),
) -> Summary:
    """Shows where the time goes.

    Parameters
    ----------
    recording : path or sequence of paths
        A recording, or the trace of another runtime; several files are its launches.
    model, dimensions, format, warmup, strict, phase
        How it is read; see `onnxray.read_trace`. Without `phase`, a decoder's is ``decode``.
    levels : sequence of str, optional
        Which tables: ``model``, ``launch``, ``iteration``, ``type``, ``operator``, ``kernel``,
        ``resource``, ``provider``.
    group : str, optional
        Sums up operators by this part of the paths in their names, such as ``layer.*``.
    options : sequence of str
        Further options of ``onnxray summary``.

    Raises
    ------
    TraceError, ModelError, UsageError
        The recording or the model could not be read, or an argument is not taken.
    """
    as_read = reading(model, dimensions, format, warmup, strict, phase)
    command = Command(
        "summary",
        [
            *as_read,
            *option("--level", listed(levels)),
            *option("--group", group),
            *options,
        ],
        recordings=words(recording),
        models=words(model),
    )
    return run(command, Summary, Command("report", as_read, command.recordings).writer(), command)


def flops(
    model: StrPath,
    *,
    batch_size: int | None = None,
    dimensions: Dimensions | None = None,
    engine: str | None = None,
    budget: float | None = None,
    options: Sequence[str] = (),
) -> Flops:
    """Counts a model's operations without running it.

    Parameters
    ----------
    model : path
        ONNX file.
    batch_size : int, optional
        Size of the batch dimension; 1 without it.
    dimensions : mapping of str to int, optional
        Sizes of other free dimensions.
    engine : {"tract", "onnxruntime"}, optional
        What tells the shapes; ``onnxruntime`` runs the model once.
    budget : float, optional
        Plans which layers to prune, so that this share of the prunable parameters goes.
    options : sequence of str
        Further options of ``onnxray flops``.

    Raises
    ------
    ModelError, UsageError
        The model could not be read, or an argument is not taken.
    """
    command = Command(
        "flops",
        [
            *option("--batch-size", batch_size),
            *option("--dim", dimensions),
            *option("--engine", engine),
            *option("--budget", budget),
            *options,
        ],
        models=words(model),
    )
    return run(command, Flops, command.writer(), command)


def project(
    recording: Paths,
    *,
    model: StrPath | None = None,
    dimensions: Dimensions | None = None,
    format: str | None = None,
    warmup: int | None = None,
    strict: bool = False,
    phase: str | None = None,
    target: float | None = None,
    target_types: Mapping[str, float] | None = None,
    target_operators: Mapping[str, float] | None = None,
    ratios: Paths | None = None,
    block: str | None = None,
    budget: float | None = None,
    sensitivity: StrPath | None = None,
    options: Sequence[str] = (),
) -> Projection:
    """Projects the latency with sparse weights.

    Parameters
    ----------
    recording : path or sequence of paths
        A recording, or the trace of another runtime; several files are its launches.
    model, dimensions, format, warmup, strict, phase
        How it is read; see `onnxray.read_trace`.
    target : float, optional
        Sparsity to aim at, of all operators, from 0 to 1; 0.9 without it.
    target_types, target_operators : mapping of str to float, optional
        The same by operator type, and by the name of the operator.
    ratios : path or sequence of paths, optional
        Perf ratios and targets: edited workbooks, or files of ``--save-settings``.
    block : str, optional
        Shape of zero blocks, outputs by inputs; ``4x1`` without it.
    budget : float, optional
        Plans which layers to prune, so that this share of the prunable parameters goes.
    sensitivity : path, optional
        What `onnxray.sensitivity` saved, for that plan.
    options : sequence of str
        Further options of ``onnxray project``.

    Raises
    ------
    TraceError, ModelError, UsageError
        The recording or the model could not be read, or an argument is not taken.
    """
    command = Command(
        "project",
        [
            *reading(model, dimensions, format, warmup, strict, phase),
            *option("--target", target),
            *option("--target-type", target_types),
            *option("--target-op", target_operators),
            *option("--ratios", words(ratios)),
            *option("--block", block),
            *option("--budget", budget),
            *option("--sensitivity", sensitivity),
            *options,
        ],
        recordings=words(recording),
        models=words(model),
    )
    return run(command, Projection, command.writer(), command)


def compare(
    a: StrPath,
    *versions: StrPath,
    names: Sequence[str] | None = None,
    format: str | None = None,
    warmup: int | None = None,
    strict: bool = False,
    phase: str | None = None,
    noise_threshold: float | None = None,
    expect_different: Sequence[str] = (),
    allow_model_mismatch: bool = False,
    fail_on: Sequence[Verdict] | None = None,
    fail_above: float | str | None = None,
    fail_layers_on: Sequence[Verdict] | None = None,
    fail_layers_above: float | str | None = None,
    options: Sequence[str] = (),
) -> Comparison:
    """Compares recordings layer by layer, and tests whether differences are significant.

    Parameters
    ----------
    a : path
        The baseline.
    *versions : path
        What to compare to it. Files of several launches are a folder or a pattern.
    names : sequence of str, optional
        What reports call the baseline and the versions, in this order. Recordings that
        `onnxray.record` gave are called after their models.
    format, warmup, strict, phase
        How they are read; see `onnxray.read_trace`.
    noise_threshold : float, optional
        Share of the baseline's time up to which differences do not matter; 0.03 without it.
    expect_different : sequence of str
        Differences between the configurations that are intended, such as ``threads``.
    allow_model_mismatch : bool
        Whether to compare what seems to be of different models.
    fail_on, fail_layers_on : sequence of str, optional
        Verdicts of the latency, and of a layer, that are failures.
    fail_above, fail_layers_above : float or str, optional
        By how much, as a share, the latency or a layer may surely be slower: ``0.05`` or ``"5%"``.
    options : sequence of str
        Further options of ``onnxray compare``.

    Returns
    -------
    Comparison
        With ``passed`` false if something failed: that is no exception.

    Raises
    ------
    TraceError, UsageError
        A recording could not be read, or an argument is not taken.
    """
    names = _names((a, *versions)) if names is None else names
    command = Command(
        "compare",
        [
            *reading(None, None, format, warmup, strict, phase),
            *option("--name-a", names[0] if names else None),
            *option("--name-b", names[1:]),
            *option("--noise-threshold", noise_threshold),
            *option("--expect-different", expect_different),
            *option("--allow-model-mismatch", allow_model_mismatch),
            *option("--fail-on", fail_on),
            *option("--fail-above", fail_above),
            *option("--fail-layers-on", fail_layers_on),
            *option("--fail-layers-above", fail_layers_above),
            *options,
        ],
        recordings=words((a, *versions)),
        results=(0, 3, 4),
    )
    return run(command, Comparison, command.writer(), command)


def check(
    recordings: Paths,
    *,
    format: str | None = None,
    warmup: int | None = None,
    strict: bool = False,
    phase: str | None = None,
    options: Sequence[str] = (),
) -> Check:
    """Checks recordings for noise, drift and too few samples.

    Parameters
    ----------
    recordings : path or sequence of paths
        Recordings; each is checked by itself.
    format, warmup, strict, phase
        How they are read; see `onnxray.read_trace`.
    options : sequence of str
        Further options of ``onnxray check``.

    Raises
    ------
    TraceError, UsageError
        A recording could not be read, or an argument is not taken.
    """
    as_read = reading(None, None, format, warmup, strict, phase)
    command = Command("check", [*as_read, *options], recordings=words(recordings))
    return run(command, Check, None, command)


def _names(recordings: Sequence[StrPath]) -> list[str]:
    """Recordings by their models, if all were made here, and of models with different names."""
    made = [recording for recording in recordings if isinstance(recording, Recording)]
    models = [os.path.splitext(str(recording.figures["model"]))[0] for recording in made]
    is_clear = len(set(models)) == len(recordings)
    return models if is_clear else []
