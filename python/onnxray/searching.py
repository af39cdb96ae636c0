"""Measures many configurations, layers or mixes of a model, and searches the best."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TypeVar

from ._folder import TemporaryFolder
from ._inputs import Inputs, files
from ._report import Command, run
from .arguments import Dimensions, StrPath, listed, option, words
from .results import Judgement, Mix, Report, Sensitivity, Sweep, Tuning, copy_of

__all__ = ["judge", "mix", "sensitivity", "sweep", "tune"]

Kind = TypeVar("Kind", bound=Report)


def sweep(
    *models: StrPath,
    batch_sizes: Sequence[int] | None = None,
    dimensions: Mapping[str, int | Sequence[int]] | None = None,
    threads: Sequence[int] | None = None,
    instances: Sequence[int] | None = None,
    engines: Sequence[str] | None = None,
    profiles: StrPath = "sweep",
    rounds: int | None = None,
    precision: float | None = None,
    time_limit: str | None = None,
    latency_threshold: float | None = None,
    percentile: str | None = None,
    restart: bool = False,
    options: Sequence[str] = (),
) -> Sweep:
    """Measures every combination of batch sizes, threads, instances and engines.

    Without models, the sweep in `profiles` is shown again. The same call goes on with one that was
    interrupted.

    Parameters
    ----------
    *models : path
        ONNX files.
    batch_sizes, threads, instances, engines : sequence, optional
        What to combine.
    dimensions : mapping of str to int or sequence of int, optional
        Sizes of free dimensions.
    profiles : path
        Folder that keeps what is measured.
    rounds : int, optional
        Most launches of each configuration.
    precision : float, optional
        Share to which latency and throughput are to be known; 0.02 without it.
    time_limit : str, optional
        Time after which no launch begins: ``90s``, ``10m``, ``1h``; ten minutes without it.
    latency_threshold : float, optional
        Largest latency of the sweet spot, in milliseconds.
    percentile : {"p50", "p90", "p99"}, optional
        Percentile of the latency that counts.
    restart : bool
        Whether to replace the sweep in `profiles`.
    options : sequence of str
        Further options of ``onnxray sweep``.

    Returns
    -------
    Sweep
        With ``exit_code`` 1 and a warning if a configuration failed.

    Raises
    ------
    ModelError, UsageError
        Nothing could be measured, or an argument is not taken.
    """
    sizes = {name: listed(each) for name, each in (dimensions or {}).items()}
    shown = [
        *option("--profiles", profiles),
        *option("--latency-threshold", latency_threshold),
        *option("--percentile", percentile),
    ]
    command = Command(
        "sweep",
        [
            *shown,
            *option("--batch-sizes", listed(batch_sizes)),
            *option("--dim", sizes),
            *option("--threads", listed(threads)),
            *option("--instances", listed(instances)),
            *option("--engine", listed(engines)),
            *option("--rounds", rounds),
            *option("--precision", precision),
            *option("--time-limit", time_limit),
            *option("--restart", restart),
            *options,
        ],
        models=words(models),
        results=(0, 1),
    )
    # Without models, it shows what was measured.
    again = Command("sweep", shown, results=(0, 1))
    return run(command, Sweep, again.writer(), again)


def sensitivity(
    model: StrPath,
    *,
    batch_size: int | None = None,
    dimensions: Dimensions | None = None,
    data: StrPath | None = None,
    labels: StrPath | None = None,
    engine: str | None = None,
    sparsities: Sequence[float] | None = None,
    block: str | None = None,
    layers: Sequence[str] | None = None,
    plan: StrPath | None = None,
    measure: str | None = None,
    save: StrPath | None = None,
    report: StrPath | None = None,
    force: bool = False,
    options: Sequence[str] = (),
) -> Sensitivity:
    """Measures how far pruning each layer moves a model's outputs, and how much faster it is.

    Parameters
    ----------
    model : path
        ONNX file.
    batch_size : int, optional
        Size of the batch dimension; 1 without it.
    dimensions : mapping of str to int, optional
        Sizes of other free dimensions.
    data, labels : path, optional
        Batches to run the model on, a .npz file or a folder of them, and the class of each item,
        a .npy file. Without data, inputs are random.
    engine : {"tract", "onnxruntime"}, optional
        What runs the model; ``tract`` without it.
    sparsities : sequence of float, optional
        Shares of the blocks to prune, from 0 to 1.
    block : str, optional
        Shape of the blocks, outputs by inputs; ``4x1`` without it.
    layers : sequence of str, optional
        Names of the layers to prune; all without it.
    plan : path, optional
        A projection's settings, to whose targets all layers are pruned at once as well.
    measure : {"auto", "kl", "l2"}, optional
        How outputs are compared.
    save : path, optional
        File for `onnxray.project`; `force` writes over one, and measures anew.
    report : path, optional
        Page (.html) or workbook (.xlsx) to write. Without it, a page is kept for ``to_html``.
    options : sequence of str
        Further options of ``onnxray sensitivity``.

    Returns
    -------
    Sensitivity
        With ``exit_code`` 1 and a warning if a layer failed.

    Raises
    ------
    ModelError, UsageError
        The model could not be loaded or run, or an argument is not taken.
    """
    arguments = [
        *option("--batch-size", batch_size),
        *option("--dim", dimensions),
        *option("--data", data),
        *option("--labels", labels),
        *option("--engine", engine),
        *option("--sparsities", listed(sparsities)),
        *option("--block", block),
        *option("--layer", layers),
        *option("--plan", plan),
        *option("--measure", measure),
        *option("--save", save),
        *option("--force", force),
        *options,
    ]
    command = Command("sensitivity", arguments, models=words(model), results=(0, 1))
    return _with_report(command, Sensitivity, "--output", report)


def tune(
    model: StrPath,
    *,
    batch_size: int | None = None,
    dimensions: Dimensions | None = None,
    inputs: Inputs | None = None,
    threads: int | None = None,
    only: Sequence[str] | None = None,
    config: Mapping[str, str] | None = None,
    made_lower: Sequence[str] | None = None,
    rate: float | None = None,
    smallest_gain: float | None = None,
    tolerance: float | None = None,
    max_loss: float | None = None,
    latency_limit: float | None = None,
    time_limit: str | None = None,
    restart: bool = False,
    write: StrPath | None = None,
    out: StrPath | None = None,
    report: StrPath | None = None,
    force: bool = False,
    options: Sequence[str] = (),
) -> Tuning:
    """Finds options of ONNX Runtime that make a model faster, or what it costs lower.

    The same call goes on with a search that was interrupted.

    Parameters
    ----------
    model : path
        ONNX file.
    batch_size : int, optional
        Size of the batch dimension; 1 without it.
    dimensions : mapping of str to int, optional
        Sizes of other free dimensions.
    inputs : mapping of str to numpy.ndarray or path, optional
        Values of inputs, of the shapes and types that the model declares.
    threads : int, optional
        Threads of the base; 1 without it.
    only : sequence of str, optional
        Kinds of changes: ``optimizers``, ``levels``, ``memory``, ``threads``, ``config``.
    config : mapping of str to str, optional
        Entries of the session's configuration to try as well.
    made_lower : sequence of str, optional
        What to make lower: ``latency``, ``cpu``, ``memory``, ``start``; the first decides.
    rate : float, optional
        Calls per second at which latency and CPU time are measured.
    smallest_gain, tolerance : float, optional
        Smallest gain that matters, as a share of what is made lower; how far outputs may be off,
        as a share of the largest value.
    max_loss : float, optional
        Largest loss of outputs where ``MatMulNBits`` computes in other numbers, as a relative L2
        norm; the program's own without it.
    latency_limit : float, optional
        How much worse the latency may get, where something else decides; 0.05 without it.
    time_limit : str, optional
        Time after which no launch begins: ``90s``, ``10m``, ``1h``; five minutes without it.
    restart : bool
        Whether to replace what was measured in `out`.
    write : path, optional
        Where to write the model, if a change of its attributes pays; `force` writes over one.
    out : path, optional
        Folder that keeps what is measured; ``tune`` without it.
    report : path, optional
        Page (.html) or workbook (.xlsx) to write; `force` writes over one. Without it, a page is
        kept for ``to_html``.
    options : sequence of str
        Further options of ``onnxray tune``.

    Raises
    ------
    ModelError, UsageError
        The model could not be loaded or run, or an argument is not taken.
    """
    arguments = [
        *option("--batch-size", batch_size),
        *option("--dim", dimensions),
        *option("--input", files(inputs)),
        *option("--threads", threads),
        *option("--only", listed(only)),
        *option("--config", config),
        *option("--for", listed(made_lower)),
        *option("--rate", rate),
        *option("--smallest-gain", smallest_gain),
        *option("--max-loss", max_loss),
        *option("--write", write),
        *option("--tolerance", tolerance),
        *option("--latency-limit", latency_limit),
        *option("--time-limit", time_limit),
        *option("--restart", restart),
        *option("--out", out),
        *option("--force", force),
        *options,
    ]
    command = Command("tune", arguments, models=words(model), results=(0, 1))
    return _with_report(command, Tuning, "--output", report)


def judge(
    baseline: StrPath,
    candidate: StrPath | None = None,
    *,
    expect: str | None = None,
    threshold: float | str | None = None,
    batch_size: int | None = None,
    dimensions: Dimensions | None = None,
    inputs: Inputs | None = None,
    engine: str | None = None,
    threads: int | None = None,
    max_loss: float | None = None,
    time_limit: str | None = None,
    restart: bool = False,
    out: StrPath | None = None,
    bundle: StrPath | None = None,
    report: StrPath | None = None,
    force: bool = False,
    options: Sequence[str] = (),
) -> Judgement:
    """Judges a candidate next to its baseline, launch after launch, until one word is sure.

    The same call goes on with a judgement that was not decided.

    Parameters
    ----------
    baseline, candidate : path
        ONNX files; or recordings, which are judged as they are. A bundle alone is shown again.
        With ``options=["--against-options", "--threads 2"]``, one model in two configurations.
    expect : {"faster", "not-slower", "same"}, optional
        What the candidate has to be; ``not-slower`` without it.
    threshold : float or str, optional
        Share of the latency up to which differences do not matter; 0.01 without it.
    batch_size : int, optional
        Size of the batch dimension; 1 without it.
    dimensions : mapping of str to int, optional
        Sizes of other free dimensions.
    inputs : mapping of str to numpy.ndarray or path, optional
        Values of inputs, of the shapes and types that the model declares.
    engine : {"tract", "onnxruntime"}, optional
        What runs the models; ``tract`` without it.
    threads : int, optional
        Threads of each model; 1 without it.
    max_loss : float, optional
        Largest distance of outputs, in the measure of the output; 0.01 without it.
    time_limit : str, optional
        Time after which no launch begins: ``90s``, ``10m``, ``1h``; a minute without it.
    restart : bool
        Whether to replace what was measured in `out`.
    out : path, optional
        Folder that keeps what is measured; ``judge`` without it.
    bundle : path, optional
        Archive (.zip) to write, which shows the judgement again.
    report : path, optional
        Page (.html) or workbook (.xlsx) to write; `force` writes over it and over `bundle`.
        Without it, a page is kept for ``to_html``.
    options : sequence of str
        Further options of ``onnxray judge``.

    Returns
    -------
    Judgement
        With its ``verdict``, and ``passed``; a word that was not expected raises nothing.

    Raises
    ------
    ModelError, UsageError
        A model could not be loaded or run, or an argument is not taken.
    """
    arguments = [
        *option("--expect", expect),
        *option("--threshold", threshold),
        *option("--batch-size", batch_size),
        *option("--dim", dimensions),
        *option("--input", files(inputs)),
        *option("--engine", engine),
        *option("--threads", threads),
        *option("--max-loss", max_loss),
        *option("--time-limit", time_limit),
        *option("--restart", restart),
        *option("--out", out),
        *option("--bundle", bundle),
        *option("--force", force),
        *options,
    ]
    both = words(baseline if candidate is None else (baseline, candidate))
    command = Command("judge", arguments, models=both, results=(0, 3, 4, 5, 6, 7))
    return _with_report(command, Judgement, "--output", report)


def mix(
    a: StrPath,
    b: StrPath,
    *,
    output: StrPath,
    batch_size: int | None = None,
    dimensions: Dimensions | None = None,
    inputs: Inputs | None = None,
    engine: str | None = None,
    threads: int | None = None,
    max_loss: float | None = None,
    measure: str | None = None,
    smallest_gain: float | None = None,
    time_limit: str | None = None,
    restart: bool = False,
    out: StrPath | None = None,
    report: StrPath | None = None,
    force: bool = False,
    options: Sequence[str] = (),
) -> Mix:
    """Finds the fastest mix of a model and its quantized or converted version.

    The same call goes on with a search that was interrupted.

    Parameters
    ----------
    a, b : path
        ONNX files: the model, and its other version.
    output : path
        ONNX file to write the mix to, if it is faster than both.
    batch_size : int, optional
        Size of the batch dimension; 1 without it.
    dimensions : mapping of str to int, optional
        Sizes of other free dimensions.
    inputs : mapping of str to numpy.ndarray or path, optional
        Values of inputs, of the shapes and types that the model declares.
    engine : {"tract", "onnxruntime"}, optional
        What runs the models; ``tract`` without it.
    threads : int, optional
        Threads of each model; 1 without it.
    max_loss : float, optional
        Largest loss, in the measure of the output; that of `b` without it.
    measure : {"auto", "kl", "l2"}, optional
        How outputs are compared.
    smallest_gain : float, optional
        Smallest gain that matters, as a share of the latency.
    time_limit : str, optional
        Time after which no launch begins: ``90s``, ``10m``, ``1h``; two minutes without it.
    restart : bool
        Whether to replace what was measured in `out`.
    out : path, optional
        Folder that keeps what is measured; ``mix`` without it.
    report : path, optional
        Page (.html) or workbook (.xlsx) to write; `force` writes over it and over `output`.
        Without it, a page is kept for ``to_html``.
    options : sequence of str
        Further options of ``onnxray mix``.

    Raises
    ------
    ModelError, UsageError
        A model could not be loaded or run, or an argument is not taken.
    """
    arguments = [
        *option("--write", output),
        *option("--batch-size", batch_size),
        *option("--dim", dimensions),
        *option("--input", files(inputs)),
        *option("--engine", engine),
        *option("--threads", threads),
        *option("--max-loss", max_loss),
        *option("--measure", measure),
        *option("--smallest-gain", smallest_gain),
        *option("--time-limit", time_limit),
        *option("--restart", restart),
        *option("--out", out),
        *option("--force", force),
        *options,
    ]
    command = Command("mix", arguments, models=words((a, b)), results=(0, 1))
    return _with_report(command, Mix, "--output", report)


def _with_report(command: Command, kind: type[Kind], name: str, report: StrPath | None) -> Kind:
    """Runs a command that measures, and has it write the report at once."""
    folder = None
    if report is None:
        folder = TemporaryFolder()
        report = folder.path / "report.html"
    options = [*command.options, *option(name, report)]
    measured = Command(command.name, options, models=command.models, results=command.results)
    found = run(measured, kind, copy_of(Path(report), command.models))
    # The folder goes with the report.
    found._kept = folder
    return found
