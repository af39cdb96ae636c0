"""The fixture ``onnxray`` of pytest: a test fails when a model is slower than its baseline."""

from __future__ import annotations

import os
import shlex
from collections.abc import Sequence
from pathlib import Path

import pytest

from ._inputs import Inputs
from ._messages import warn
from .arguments import Dimensions, StrPath
from .errors import UsageError
from .reading import Verdict, compare, summary
from .recording import record
from .results import Comparison, Judgement, Recording
from .searching import judge

__all__ = ["Gate"]


class Gate:
    """What the fixture ``onnxray`` is.

    Examples
    --------
    >>> def test_speed(onnxray):  # doctest: +SKIP
    ...     onnxray.check("model.onnx", against="baseline.json", fail_above="5%")
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def check(
        self,
        model: StrPath,
        *,
        against: StrPath,
        fail_above: float | str | None = 0.05,
        fail_on: Sequence[Verdict] | None = None,
        launches: int | None = None,
        iterations: int | None = None,
        batch_size: int | None = None,
        dimensions: Dimensions | None = None,
        inputs: Inputs | None = None,
        engine: str | None = None,
        threads: int | None = None,
        expect: str | None = None,
        options: Sequence[str] = (),
    ) -> Comparison | Judgement:
        """Fails the test if a model is slower than its baseline, or not as expected.

        Two models take turns, which tells most. If the baseline is a recording, the model is
        recorded as that was, on this machine. With `expect`, `onnxray.judge` measures two models
        until its word is sure.

        Parameters
        ----------
        model : path
            ONNX file, or a recording of it.
        against : path
            The baseline: an ONNX file, or a recording.
        fail_above : float or str, optional
            By how much the latency may surely be slower, as a share: ``0.05`` or ``"5%"``.
        fail_on : sequence of str, optional
            Verdicts that are failures as well: ``["slower", "inconclusive"]``.
        launches, iterations, batch_size, dimensions, inputs, engine, threads
            How models are recorded; see `onnxray.record`. Without them, as the baseline was.
        expect : {"faster", "not-slower", "same"}, optional
            What the model has to be; `fail_above`, `fail_on`, `launches` and `iterations` are not
            used then, and ``options`` are of ``onnxray judge``.
        options : sequence of str
            Further options of ``onnxray compare``.

        Returns
        -------
        Comparison or Judgement
            What was found, if that is no failure.

        Raises
        ------
        AssertionError
            The model is slower or not as expected, its outputs are others, or both are not
            comparable.

        Warns
        -----
        TraceWarning
            The difference is undecided.
        """
        __tracebackhide__ = True
        if expect is not None:
            is_measured = _is_model(model) and _is_model(against)
            judged = judge(
                against,
                model,
                expect=expect,
                batch_size=batch_size,
                dimensions=dimensions,
                inputs=inputs,
                engine=engine,
                threads=threads,
                out=self._folder / "judge" if is_measured else None,
                options=options,
            )
            word = judged.headline[0]
            if judged.verdict in ("inconclusive", "harness"):
                warn((word,))
            elif not judged.passed:
                raise AssertionError(word)
            return judged
        a, b = self._recordings(
            model,
            against,
            Settings(launches, iterations, batch_size, dimensions, inputs, engine, threads),
        )
        found = compare(a, b, fail_above=fail_above, fail_on=fail_on, options=options)
        if not found.passed:
            raise AssertionError(_why(found, a, b))
        warn(found.undecided)
        return found

    def _recordings(
        self, model: StrPath, against: StrPath, settings: Settings
    ) -> tuple[StrPath, StrPath]:
        if not _is_model(model):
            if _is_model(against):
                raise UsageError(f"{against}: a recording is compared to another recording")
            return against, model
        if _is_model(against):
            first = settings.record(against, self._folder, against=model)
            assert first.against is not None
            return first, first.against
        return against, settings.like(against).record(model, self._folder)


class Settings:
    """How a model is recorded."""

    def __init__(
        self,
        launches: int | None,
        iterations: int | None,
        batch_size: int | None,
        dimensions: Dimensions | None,
        inputs: Inputs | None,
        engine: str | None,
        threads: int | None,
    ) -> None:
        self.launches = launches
        self.iterations = iterations
        self.batch_size = batch_size
        self.dimensions = dimensions
        self.inputs = inputs
        self.engine = engine
        self.threads = threads

    def like(self, recording: StrPath) -> Settings:
        """These, and what they leave open as a recording was made."""
        known = summary(recording, levels=["model"]).figures
        engines = {"tract": "tract", "ONNX": "onnxruntime"}
        its = engines.get(str(known.get("engine")).split(" ")[0])
        sizes = self.dimensions
        if sizes is None and self.batch_size is None:
            given = [size.rpartition("=") for size in (known.get("dimensions") or "").split(", ")]
            sizes = {name: int(size) for name, _, size in given if size.isdecimal()}
        return Settings(
            # What one launch says is not enough to tell a difference.
            self.launches or max(known.get("launches") or 0, 10),
            self.iterations,
            self.batch_size,
            sizes,
            self.inputs,
            self.engine or its,
            self.threads or known.get("threads"),
        )

    def record(self, model: StrPath, out: Path, against: StrPath | None = None) -> Recording:
        """Records a model, in turns with another one."""
        return record(
            model,
            against=against,
            out=out,
            launches=self.launches,
            iterations=self.iterations,
            batch_size=self.batch_size,
            dimensions=self.dimensions,
            inputs=self.inputs,
            engine=self.engine,
            threads=self.threads,
        )


def _is_model(path: StrPath) -> bool:
    return os.fspath(path).lower().endswith(".onnx")


def _why(found: Comparison, a: StrPath, b: StrPath) -> str:
    """The gate's verdict, what was found, and how to see more."""
    words = shlex.join(os.fspath(each) for each in (a, b))
    shown = f"onnxray compare {words} -o comparison.html shows each layer"
    return "\n".join([*found.failures, *found.headline, shown])


@pytest.fixture(name="onnxray")
def _gate(tmp_path: Path) -> Gate:
    """Records models, and fails a test when one is slower than its baseline."""
    return Gate(tmp_path / "onnxray")
