"""CPU time of calls, as ``record`` measures it, beside what the system counts of the processes.

    benches/cpu_time.py ONNXRAY [--recordings 10] [--only NAME] [--engine-library FILE]

The bundled encoder is called back to back (``--rate max``) for two durations, in recordings that
take turns and differ in nothing else; its calls are long, so that writing them down takes next to
nothing. The CPU time that recordings state of the longer one, less that of the shorter one, is set
beside the same difference of what ``wait4`` says of the program and all its processes, which is
what ``/usr/bin/time`` prints: user and system time; and, where a control group may be made, as root,
of what the group of these processes counts (``cpu.stat``, or ``cpuacct.usage`` of version 1).

Prints a line per configuration: both engines, one thread and two, idle threads that spin and that
do not; means over the recordings, and ratios of what is stated. It fails if a ratio is off by more
than 2 %.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
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


class Group:
    """A control group that counts CPU time, if one may be made."""

    HIERARCHIES = (Path("/sys/fs/cgroup"), Path("/sys/fs/cgroup/cpuacct"))

    def __init__(self, folder: Path | None) -> None:
        self.folder = folder

    @classmethod
    @contextmanager
    def made(cls) -> Iterator[Group]:
        for hierarchy in cls.HIERARCHIES:
            folder = hierarchy / f"onnxray-cpu-time-{os.getpid()}"
            try:
                folder.mkdir()
            except OSError:
                continue
            group = cls(folder)
            if group.seconds() is not None:
                yield group
                folder.rmdir()
                return
            folder.rmdir()
        yield cls(None)

    def seconds(self) -> float | None:
        """CPU time of all processes that were in it."""
        if self.folder is None:
            return None
        if (own := self.folder / "cpuacct.usage").is_file():
            return int(own.read_text()) / 1e9
        if (own := self.folder / "cpu.stat").is_file():
            return int(dict(map(str.split, own.read_text().splitlines()))["usage_usec"]) / 1e6
        return None

    def enter(self) -> None:
        """Puts this process and its children in."""
        if self.folder is not None:
            (self.folder / "cgroup.procs").write_text(str(os.getpid()))


def measured(
    command: list[str], folder: Path, seconds: int, group: Group
) -> tuple[float, float, float]:
    """Seconds of CPU time of a recording: what it states of calls, what the system counts of the
    processes, and what it counts of their group."""
    before = group.seconds() or 0.0
    out = folder / "out"
    arguments = [f"--rate-duration={seconds}s", f"--out={out}"]
    with subprocess.Popen(
        [*command, *arguments],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        preexec_fn=group.enter,
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
    of_group = (group.seconds() or 0.0) - before
    return pace["cpu_time"] / 1e9, used.ru_utime + used.ru_stime, of_group


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
        sums = [0.0, 0.0, 0.0]
        with Group.made() as group:
            for number in range(given.recordings):
                # None is always the first.
                for seconds in DURATIONS[:: -1 if number % 2 else 1]:
                    with tempfile.TemporaryDirectory() as folder:
                        own = measured(command, Path(folder), seconds, group)
                    sign = 1 if seconds == DURATIONS[-1] else -1
                    sums = [value + sign * more for value, more in zip(sums, own, strict=True)]
            kinds = 3 if group.folder else 2
        stated, *counted = sums[:kinds]
        ratios = [stated / value for value in counted]
        is_within &= all(abs(ratio - 1) <= BOUND for ratio in ratios)
        each = " ".join(f"{value / given.recordings:7.3f} s" for value in sums[:kinds])
        print(f"{name:28} {each}  {' '.join(f'{ratio:.4f}' for ratio in ratios)}", flush=True)
    sys.exit(0 if is_within else 1)


if __name__ == "__main__":
    main()
