"""Runs onnxray and its peers on one profile, one after the other, in rounds.

Called by run.sh. Imports nothing but the standard library: on Linux the peak
memory of a child is at least that of the process that started it.
"""

import argparse
import json
import os
import platform
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from importlib import metadata
from pathlib import Path

HERE = Path(__file__).resolve().parent
# What runs longer is stopped.
LIMIT_SECONDS = 1200


def programs(onnxray, profile):
    """Name and command of each; those that print sums per type are compared."""
    version = metadata.version
    python = [sys.executable, "-B"]

    def reader(name):
        return [*python, HERE / f"read_{name}.py", profile]

    with open(profile, "rb") as file:
        is_object = file.read(64).lstrip().startswith(b"{")
    if is_object:
        # A PyTorch trace: the whole workbook against only loading the events.
        workbook = Path(tempfile.gettempdir()) / f"onnxray-peers-{os.getpid()}.xlsx"
        return [
            ("onnxray report, to a workbook", [onnxray, "report", profile, "-o", workbook], False),
            (f"pandas {version('pandas')}, loading only", reader("pytorch"), False),
        ]
    return [
        ("onnxray summary", [onnxray, "summary", profile, "--format", "json"], False),
        (
            f"profile_result_processor.py (onnxruntime {version('onnxruntime')})",
            reader("onnxruntime"),
            False,
        ),
        (f"duckdb {version('duckdb')}, read_json_auto", reader("duckdb"), True),
        (f"polars {version('polars')}, read_json", reader("polars"), True),
        (
            f"pandas {version('pandas')} on orjson {version('orjson')}",
            reader("pandas"),
            True,
        ),
    ]


def run(command):
    """Seconds, peak memory in bytes and standard output; or why there are none."""
    with tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as errors:
        start = time.perf_counter()
        child = subprocess.Popen([str(word) for word in command], stdout=output, stderr=errors)
        watch = threading.Timer(LIMIT_SECONDS, child.kill)
        watch.start()
        # The usage of this child alone, not of all that have ended.
        _, status, usage = os.wait4(child.pid, 0)
        seconds = time.perf_counter() - start
        watch.cancel()
        child.returncode = os.waitstatus_to_exitcode(status)
        errors.seek(0)
        output.seek(0)
        if child.returncode == 0:
            return seconds, usage.ru_maxrss * 1024, output.read()
        if seconds >= LIMIT_SECONDS:
            return f"stopped after {LIMIT_SECONDS} s"
        lines = errors.read().decode(errors="replace").split("\n")
        # Python names the error at the end; a query may be quoted behind it.
        named = [line.strip() for line in lines if "error" in line.lower()] or lines
        return f"failed ({child.returncode}): {named[-1][:100].replace('|', '/')}"


def measure(chosen, profile, rounds):
    """All runs of each program, in rounds, so that a slow minute hits all."""
    # So that the first program does not read from the disk alone.
    with open(profile, "rb") as file:
        while file.read(1 << 24):
            pass
    runs = {name: [] for name, _, _ in chosen}
    sums = {}
    for number in range(rounds):
        for name, command, prints_sums in chosen:
            print(f"round {number + 1}: {name}", file=sys.stderr, flush=True)
            result = run(command)
            if isinstance(result, str):
                runs[name] = result
            elif not isinstance(runs[name], str):
                runs[name].append(result[:2])
                if prints_sums:
                    sums[name] = json.loads(result[2])
    different = [name for name in sums if sums[name] != next(iter(sums.values()))]
    if different:
        print(f"warning: other sums per type: {', '.join(different)}", file=sys.stderr)
    return runs


def table(runs, size):
    """Medians, and how many times those of the first program."""
    lines = [
        "| program | time, s (least to most) | MB/s | peak memory, MB | time × | memory × |",
        "| --- | ---: | ---: | ---: | ---: | ---: |",
    ]
    base = None
    for name, found in runs.items():
        if isinstance(found, str) or not found:
            lines.append(f"| {name} | {found or 'not run'} | | | | |")
            continue
        times = [seconds for seconds, _ in found]
        seconds = statistics.median(times)
        memory = statistics.median(memory for _, memory in found)
        if name == next(iter(runs)):
            base = (seconds, memory)
        ratios = f"{seconds / base[0]:.1f} | {memory / base[1]:.1f}" if base else "| "
        lines.append(
            f"| {name} | {seconds:.2f} ({min(times):.2f} to {max(times):.2f}) | "
            f"{size / seconds / 1e6:.0f} | {memory / 1e6:.0f} | {ratios} |"
        )
    return "\n".join(lines)


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("onnxray", type=Path)
    arguments.add_argument("profile", type=Path)
    arguments.add_argument("--rounds", type=int, default=3)
    arguments = arguments.parse_args()
    chosen = programs(arguments.onnxray, arguments.profile)
    size = arguments.profile.stat().st_size
    runs = measure(chosen, arguments.profile, max(arguments.rounds, 1))
    print(
        f"{size / 1e6:.0f} MB, medians of {max(arguments.rounds, 1)} rounds, {os.cpu_count()} processors, "
        f"{platform.machine()}, Python {platform.python_version()}\n"
    )
    print(table(runs, size))


if __name__ == "__main__":
    main()
