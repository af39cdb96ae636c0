"""A Spark cluster on this machine that collects a fleet, while one of its executors is killed.

Starts a standalone master and two workers on the loopback, with one executor each, and reads the
same files here: both datasets must have the same rows. See README.md.
"""

from __future__ import annotations

import argparse
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

REPOSITORY = Path(__file__).parents[2]
sys.path += [str(REPOSITORY / "python"), str(REPOSITORY / "python/tests/fleet")]

from fleet_datasets import keys_are_unique, rows_of  # noqa: E402
from fleet_recordings import Fleet, write  # noqa: E402
from onnxray.fleet import collect, committing, trend  # noqa: E402
from onnxray.fleet.dataset import Dataset  # noqa: E402
from onnxray.fleet.schema import TABLES  # noqa: E402
from onnxray.fleet.storage import expand  # noqa: E402

LABELS = {"branch": "main"}
_SPARK = "org.apache.spark.deploy"
_EXECUTOR = "CoarseGrainedExecutorBackend"


def main() -> None:
    """Starts the cluster, and says what became of the files."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--files", type=int, default=640, help="Recordings (default: 640)")
    count = parser.parse_args().files
    with tempfile.TemporaryDirectory(prefix="onnxray-fleet-cluster-") as name:
        folder = Path(name)
        fleet = Fleet(commits=4, machines=4, models=4, launches=max(1, count // 64), seed=3)
        for commit in range(fleet.commits):
            write(fleet, folder / "files", commit)
        files = expand(folder / "files")
        print(f"{len(files)} files; collected here first")
        collect(files, folder / "here", LABELS, samples=True)
        expected = rows_of(folder / "here")
        with _cluster(folder) as master:
            _undisturbed(folder, master, files, expected)
            _killed(folder, master, files, expected)
            _at_once(folder, master, files, expected)


def _undisturbed(folder: Path, master: str, files: list[str], expected: Any) -> None:
    with _spark(master, "undisturbed") as spark:
        began = time.monotonic()
        added = collect(files, folder / "undisturbed", LABELS, samples=True, spark=spark)
        print(f"undisturbed: {added}, in {time.monotonic() - began:.1f} s")
        _check(folder / "undisturbed", expected)
        here = trend(folder / "here", by="model").points
        there = trend(folder / "undisturbed", by="model", spark=spark).points
        is_same = [dict(row) for row in here.rows()] == [dict(row) for row in there.rows()]
        _say("figures of a trend on the executors are those made here", is_same)


def _killed(folder: Path, master: str, files: list[str], expected: Any) -> None:
    dataset = folder / "killed"
    with _spark(master, "killed") as spark:
        killed: list[int] = []
        killer = threading.Thread(target=_kill_one, args=(dataset, killed))
        killer.start()
        added = collect(files, dataset, LABELS, samples=True, spark=spark)
        killer.join()
        print(f"executor {killed[0]} was killed after some parts were written: {added}")
    found = Dataset.open(str(dataset))
    written = len(list(dataset.glob("*/month=*/*.parquet")))
    told = sum(len(found.parts(table)) for table in TABLES)
    print(f"{written} parts were written, and {told} committed; {len(found.pending())} pending")
    committing.finish(found)
    _check(dataset, expected)
    added = collect(files, dataset, LABELS, samples=True)
    _say(f"collected again, here: {added}", added.added == 0)


def _kill_one(dataset: Path, killed: list[int]) -> None:
    """Ends an executor as soon as the first part is written, and tells which."""
    while not (written := list(dataset.glob("samples/month=*/*.parquet*"))):
        time.sleep(0.01)
    executors = [
        int(process.name)
        for process in Path("/proc").iterdir()
        if process.name.isdigit() and _is_executor(process, str(dataset.parent))
    ]
    killed.append(min(executors))
    os.kill(killed[0], signal.SIGKILL)
    print(f"{len(written)} parts of samples were there, of {len(executors)} executors")


def _is_executor(process: Path, folder: str) -> bool:
    try:
        said = (process / "cmdline").read_bytes().decode(errors="replace")
        return _EXECUTOR in said and os.readlink(process / "cwd").startswith(folder)
    except OSError:
        return False


def _at_once(folder: Path, master: str, files: list[str], expected: Any) -> None:
    """Two drivers on files that overlap: one on the cluster, one here."""
    dataset = folder / "at_once"
    third = len(files) // 3
    with _spark(master, "at_once") as spark:
        arguments = (files[third:], dataset, LABELS)
        other = threading.Thread(target=lambda: print(collect(*arguments, samples=True)))
        other.start()
        print(collect(files[: 2 * third], dataset, LABELS, samples=True, spark=spark))
        other.join()
    committing.finish(Dataset.open(str(dataset)))
    print(f"two that collected at once, {third} of {len(files)} files both of them")
    _check(dataset, expected)


def _check(dataset: Path, expected: Any) -> None:
    _say("rows are those of the dataset collected here", rows_of(dataset) == expected)
    _say("no table has a key twice", keys_are_unique(dataset))
    _say("nothing is pending", not Dataset.open(str(dataset)).pending())


def _say(what: str, is_so: bool) -> None:
    print(f"  {'yes' if is_so else 'NO'}: {what}", flush=True)
    if not is_so:
        sys.exit(1)


@contextmanager
def _spark(master: str, name: str) -> Iterator[Any]:
    from pyspark.sql import SparkSession

    made = (
        SparkSession.builder.master(master)
        .appName(name)
        .config("spark.driver.host", "127.0.0.1")
        .config("spark.executor.memory", "512m")
        .config("spark.executor.cores", "1")
        .config("spark.ui.enabled", "false")
        .config("spark.ui.showConsoleProgress", "false")
        .getOrCreate()
    )
    made.sparkContext.setLogLevel("OFF")
    while made.sparkContext._jsc.sc().getExecutorMemoryStatus().size() < 3:
        time.sleep(0.1)
    try:
        yield made
    finally:
        made.stop()


@contextmanager
def _cluster(folder: Path) -> Iterator[str]:
    """A master and two workers; their address."""
    import pyspark

    home = str(Path(pyspark.__file__).parent)
    paths = [str(REPOSITORY / "python"), str(REPOSITORY / "python/tests/fleet")]
    environment = {
        **os.environ,
        "SPARK_HOME": home,
        "SPARK_LOCAL_IP": "127.0.0.1",
        "SPARK_WORKER_DIR": str(folder / "work"),
        "SPARK_DAEMON_MEMORY": "256m",
        "PYTHONPATH": os.pathsep.join([*paths, os.environ.get("PYTHONPATH", "")]),
    }
    os.environ.update(PYSPARK_PYTHON=sys.executable, PYTHONPATH=environment["PYTHONPATH"])
    address = "spark://127.0.0.1:17077"
    options = ["--host", "127.0.0.1", "--webui-port", "0"]
    logs = folder / "cluster.log"
    with logs.open("wb") as log:
        started = [
            _daemon(home, ["master.Master", *options, "--port", "17077"], environment, log),
            *(
                _daemon(
                    home,
                    ["worker.Worker", *options, "--cores", "1", "--memory", "1g", address],
                    environment,
                    log,
                )
                for _ in range(2)
            ),
        ]
        try:
            yield address
        finally:
            for process in reversed(started):
                process.terminate()
                process.wait()


def _daemon(
    home: str, words: list[str], environment: Mapping[str, str], log: Any
) -> subprocess.Popen[bytes]:
    name, *rest = words
    command = [f"{home}/bin/spark-class", f"{_SPARK}.{name}", *rest]
    return subprocess.Popen(command, env=dict(environment), stdout=log, stderr=log)


if __name__ == "__main__":
    main()
