"""Tables are held once."""

from __future__ import annotations

import gzip
import json
import subprocess
import sys
from pathlib import Path

from conftest import TRACE

SIZE = 100_000_000

READ = """
import resource, sys
import nanoarrow
import onnxray
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
trace = onnxray.read_trace(sys.argv[1])
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
tables = (trace.events, trace.iterations, trace.operators, trace.launches)
print((peak - before) * 1024, sum(table.nbytes for table in tables))
"""


def large_trace(file: Path) -> None:
    """A profile of ONNX Runtime whose three iterations go on and on."""
    events = json.loads(gzip.decompress(TRACE.read_bytes()))
    runs = [event for event in events if event["name"] == "model_run"]
    begin, end = runs[0]["ts"], runs[-1]["ts"] + runs[-1]["dur"]
    with file.open("w") as out:
        out.write("[")
        out.write(",".join(json.dumps(event) for event in events if event["ts"] < begin))
        turn = [event for event in events if event["ts"] >= begin]
        shift = 0
        while out.tell() < SIZE:
            moved = ({**event, "ts": event["ts"] + shift} for event in turn)
            out.write("".join("," + json.dumps(event) for event in moved))
            shift += end - begin + 100
        out.write("]")


def test_a_large_trace_takes_little_more_than_its_tables(tmp_path: Path) -> None:
    file = tmp_path / "large.json"
    large_trace(file)
    said = subprocess.run(
        [sys.executable, "-c", READ, str(file)], capture_output=True, text=True, check=True
    )
    peak, size = map(int, said.stdout.split())
    assert size > 20_000_000
    assert peak <= 1.2 * size
