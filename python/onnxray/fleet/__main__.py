"""The command line: ``onnxray-fleet COMMAND``, or ``python -m onnxray.fleet COMMAND``."""

from __future__ import annotations

import argparse
import sys
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .. import _files
from .._printing import NotWritten, finish, say, say_json, say_lines, tell
from ..errors import Error, Interrupted, TraceWarning
from . import collect, compact, compare, regressions, trend
from .findings import FIGURES, LATENCY
from .pages import Pages
from .storage import is_local, local_path

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

_EXAMPLES = {
    "collect": "collect engine_profiling s3://perf/fleet --label commit=3f1c2a --samples",
    "trend": "trend fleet --model cnn.onnx --report trend.html",
    "regressions": "regressions fleet --since 3f1c2a --report fleet.html",
    "compare": "compare fleet commit=3f1c2a,model=cnn.onnx commit=9bd001,model=cnn.onnx",
    "compact": "compact fleet",
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs a command; its exit code."""
    with warnings.catch_warnings():
        warnings.simplefilter("always", TraceWarning)
        warnings.showwarning = _warned
        try:
            given = _parser().parse_args(arguments)
            exit_code: int = given.run(given)
            finish()
        except Interrupted as error:
            tell(f"error: {error}")
            return 130
        except Error as error:
            tell(f"error: {error}")
            return error.exit_code if error.exit_code and error.exit_code > 0 else 1
        except NotWritten as error:
            tell(f"error: {error.strerror}")
            return 1
        except KeyboardInterrupt:
            tell("interrupted; what was collected is kept")
            return 130
    return exit_code


def _warned(message: Warning | str, *_: object, **__: object) -> None:
    tell(f"warning: {message}")


class _Parser(argparse.ArgumentParser):
    """Says what is wrong with arguments, which may be names of files, as all else is said."""

    def _print_message(self, message: str, file: Any = None) -> None:
        if not message:
            return
        if file is sys.stdout:
            say_lines(message.rstrip("\n"))
            finish()
        else:
            tell(message.rstrip("\n"))


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(
        prog="onnxray-fleet",
        description="Recordings of a whole fleet in one dataset: which commit made which layer "
        "slower, on which hardware.",
        epilog=_example(*_EXAMPLES.values()),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    def command(name: str, run: Any, says: str) -> argparse.ArgumentParser:
        made = commands.add_parser(
            name,
            help=says,
            description=says,
            epilog=_example(_EXAMPLES[name]),
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        made.set_defaults(run=run)
        return made

    made = command(
        "collect", _collect, "Add recordings, and traces of other runtimes, to a dataset"
    )
    made.add_argument("uris", nargs="+", metavar="URI", help="Files, folders and patterns")
    made.add_argument("dataset", help="Dataset, or a folder that is not there yet")
    made.add_argument(
        "--label",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="What they are of; repeat it",
    )
    made.add_argument(
        "--shard", metavar="N/COUNT", help="Collect the Nth of COUNT parts of the URIs"
    )
    made.add_argument("--samples", action="store_true", help="Keep the files themselves")
    _spark(made)

    made = command("trend", _trend, "Show how the latency, CPU time, or a layer's time, went")
    made.add_argument("dataset", help="Dataset")
    of = made.add_mutually_exclusive_group()
    of.add_argument("--layer", help="Time of this operator instead of the latency")
    of.add_argument(
        "--figure", choices=FIGURES, default=LATENCY, help="Figure of the model [%(default)s]"
    )
    _questions(made)

    made = command(
        "regressions",
        _regressions,
        "Find which layer got slower, at which commit, on which hardware",
    )
    made.add_argument("dataset", help="Dataset")
    made.add_argument("--since", metavar="STEP", help="Look at this commit and later ones")
    made.add_argument(
        "--rate", type=float, default=0.05, help="False discovery rate (default: 0.05)"
    )
    made.add_argument(
        "--noise-threshold", type=float, metavar="SHARE", help="Difference that does not matter"
    )
    made.add_argument("--fail", action="store_true", help="Exit with 3 if anything got slower")
    _questions(made)

    made = command("compare", _compare, "Compare two recordings, as onnxray compare does")
    made.add_argument("dataset", help="Dataset")
    made.add_argument("a", metavar="A", help="Labels and columns: commit=3f1c2a,model=cnn.onnx")
    made.add_argument("b", metavar="B", help="The same for what is compared with it")
    made.add_argument("--report", metavar="FILE", help="Write a page or a workbook")
    _outputs(made)

    made = command("compact", _compact, "Join small files, and delete what no table has any more")
    made.add_argument("dataset", help="Dataset")
    return parser


def _example(*lines: str) -> str:
    return "\n".join(["examples:", *(f"  onnxray-fleet {line}" for line in lines)])


def _questions(made: argparse.ArgumentParser) -> None:
    made.add_argument("--by", default="commit", help="Label or column of steps (default: commit)")
    made.add_argument("--model", help="File name of the model")
    made.add_argument(
        "--where",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="Label or column; repeat it",
    )
    made.add_argument(
        "--hardware", default="cpu", metavar="COLUMNS", help="What tells it apart (default: cpu)"
    )
    made.add_argument("--order", metavar="STEPS", help="All steps in order (default: by time)")
    made.add_argument("--report", metavar="FILE", help="Write a page")
    _outputs(made)


def _outputs(made: argparse.ArgumentParser) -> None:
    made.add_argument("--force", action="store_true", help="Replace files that are there")
    made.add_argument(
        "--scheme",
        action="append",
        default=[],
        metavar="NAME",
        help="Open files that the dataset names by it, such as s3; repeat it",
    )
    made.add_argument(
        "--format", choices=("text", "json"), default="text", help="On standard output"
    )
    _spark(made)


def _spark(made: argparse.ArgumentParser) -> None:
    made.add_argument("--spark", metavar="MASTER", help="Run on Spark: local[*], spark://host:7077")


def _session(given: argparse.Namespace) -> SparkSession | None:
    if given.spark is None:
        return None
    from .cluster import session

    return session(given.spark)


def _pairs(words: Sequence[str]) -> dict[str, str]:
    pairs = {}
    for word in words:
        name, is_there, value = word.partition("=")
        if not name or not is_there:
            raise Error(f"{word}: is not NAME=VALUE", exit_code=2)
        pairs[name] = value
    return pairs


def _where(words: Sequence[str]) -> dict[str, Any]:
    """Values of columns that hold numbers are numbers."""
    from .schema import TABLES

    kinds = {column.name: column.kind for column in TABLES["launches"].columns}
    where: dict[str, Any] = dict(_pairs(words))
    for name, value in where.items():
        if kinds.get(name) in ("small", "whole"):
            try:
                where[name] = int(value)
            except ValueError:
                raise Error(f"{name}={value}: is not a number", exit_code=2) from None
    return where


def _asked(given: argparse.Namespace) -> dict[str, Any]:
    return {
        "by": given.by,
        "model": given.model,
        "where": _where(given.where),
        "hardware": given.hardware.split(","),
        "order": given.order.split(",") if given.order else None,
        "spark": _session(given),
        "schemes": given.scheme,
    }


def _check_report(given: argparse.Namespace) -> None:
    """Sees to it that nothing is computed in vain."""
    if given.report:
        dataset = local_path(given.dataset) if is_local(given.dataset) else None
        _files.check(given.report, force=given.force, outside=dataset)


def _collect(given: argparse.Namespace) -> int:
    added = collect(
        given.uris,
        given.dataset,
        _pairs(given.label),
        shard=given.shard,
        samples=given.samples,
        spark=_session(given),
    )
    say(str(added))
    return 0


def _trend(given: argparse.Namespace) -> int:
    _check_report(given)
    found = trend(given.dataset, layer=given.layer, figure=given.figure, **_asked(given))
    if given.report:
        found.to_html(given.report, given.force)
    if given.format == "json":
        say_json([dict(row) for row in found.points.rows()])
        return 0
    for one, points in found.series:
        say(one.name)
        width = max(len(point.step) for point in points)
        for point in points:
            if point.value is None:
                say(f"  {point.step:{width}}  unknown{f': {point.error}' if point.error else ''}")
                continue
            interval = ""
            if point.low is not None and point.high is not None:
                interval = f"  ({point.low:.4g} to {point.high:.4g})"
            count = f"{point.launches} launch{'' if point.launches == 1 else 'es'}"
            say(f"  {point.step:{width}}  {point.value:8.4g} {found.unit}{interval}  {count}")
    return 0


def _regressions(given: argparse.Namespace) -> int:
    _check_report(given)
    if given.report:
        Pages.beside(Path(given.report), given.force).check()
    found = regressions(
        given.dataset,
        since=given.since,
        rate=given.rate,
        noise_threshold=given.noise_threshold,
        **_asked(given),
    )
    if given.report:
        found.to_html(given.report, given.force)
    if given.format == "json":
        wholes, costs, rows = (
            [{**vars(one), "hardware": list(one.hardware)} for one in some]
            for some in (found.wholes, found.costs, found.findings)
        )
        skipped = [{"pair": pair.name, "error": pair.error} for pair in found.not_compared]
        say_json(
            {
                "wholes": wholes,
                "costs": costs,
                "findings": rows,
                "comparisons": len(found.pairs),
                "not_compared": skipped,
            }
        )
    else:
        for one in (*found.wholes, *found.costs, *found.findings):
            say(str(one))
        say(found.headline)
    return 3 if given.fail and found.slower else 0


def _compare(given: argparse.Namespace) -> int:
    a, b = (_where(text.split(",")) for text in (given.a, given.b))
    _check_report(given)
    found = compare(given.dataset, a, b, spark=_session(given), schemes=given.scheme)
    if given.report:
        write = found.to_xlsx if given.report.endswith(".xlsx") else found.to_html
        write(given.report, given.force)
    if given.format == "json":
        say_json(found.json)
    else:
        for sentence in found.headline:
            say(sentence)
    return found.exit_code


def _compact(given: argparse.Namespace) -> int:
    say(str(compact(given.dataset)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
