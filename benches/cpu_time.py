"""CPU time of calls, as ``record`` measures it, beside what the system counts of the processes.

    benches/cpu_time.py ONNXRAY [--recordings 10] [--only NAME] [--engine-library FILE]

The bundled encoder is called back to back (``--rate max``) for two durations, in recordings that
take turns and differ in nothing else; its calls are long, so that writing them down takes next to
nothing. The CPU time that recordings state of the longer one, less that of the shorter one, is set
beside the same difference of what ``wait4`` says of the program and all its processes, which is
what ``/usr/bin/time`` prints: user and system time.

Prints a line per configuration: both engines, one thread and two, idle threads that spin and that
do not; means over the recordings, and their ratio. It fails if a ratio is off by more than 2 %.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

MODEL = Path(__file__).parent.parent / "fixtures" / "models" / "encoder.onnx"
DURATIONS = (1, 4)
BOUND = 0.02


def configurations() -> dict[str, list[str]]:
    """Options of ``record``, by a name."""
    found = {f"tract, {threads}": [f"--threads={threads}"] for threads in (1, 2)}
    for threads in (1, 2):
        for spinning in ("yes", "no"):
            options = ["--engine=onnxruntime", f"--threads={threads}", f"--ort=spinning={spinning}"]
            found[f"onnxruntime, {threads}, spinning {spinning}"] = options
    return found


def measured(command: list[str], folder: Path, seconds: int) -> tuple[float, float]:
    """Seconds of CPU time of a recording: what it states of calls, and what the system counts."""
    out = folder / "out"
    arguments = [f"--rate-duration={seconds}s", f"--out={out}"]
    with subprocess.Popen(
        [*command, *arguments], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
    ) as process:
        said = process.stderr.read() if process.stderr else b""
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        sys.exit(said.decode())
    [trace] = (out / "profiling_trace").iterdir()
    costs = json.loads(trace.read_bytes())["costs"]
    if not costs["starts"]:
        sys.exit(costs["unknown"])
    [pace] = costs["starts"][0]["paces"]
    return pace["cpu_time"] / 1e9, used.ru_utime + used.ru_stime


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("onnxray")
    parser.add_argument("--recordings", type=int, default=10)
    parser.add_argument("--only", default="", help="configurations with this in their names")
    parser.add_argument("--engine-library")
    given = parser.parse_args()
    is_within = True
    for name, options in configurations().items():
        if given.only not in name:
            continue
        command = [given.onnxray, "record", str(MODEL), "--dim=sequence=64", *options]
        command += ["--starts=1", "--rate=max"]
        command += ["--iterations=1", "--unprofiled-iterations=0", "--warmup=0", "--no-roofs"]
        if given.engine_library and "onnxruntime" in name:
            command.append(f"--engine-library={given.engine_library}")
        stated, counted = 0.0, 0.0
        for number in range(given.recordings):
            # None is always the first.
            for seconds in DURATIONS[:: -1 if number % 2 else 1]:
                with tempfile.TemporaryDirectory() as folder:
                    own, of_system = measured(command, Path(folder), seconds)
                sign = 1 if seconds == DURATIONS[-1] else -1
                stated, counted = stated + sign * own, counted + sign * of_system
        ratio = stated / counted
        is_within &= abs(ratio - 1) <= BOUND
        each = (value / given.recordings for value in (stated, counted))
        print(f"{name:28} {' '.join(f'{value:7.3f} s' for value in each)}  {ratio:.4f}", flush=True)
    sys.exit(0 if is_within else 1)


if __name__ == "__main__":
    main()
