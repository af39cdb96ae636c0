"""Blocks of an x-ray beside ggml's own sums over the same nodes.

python xray_ggml.py ONNXRAY MODEL ENGINES [NAME=SIZE ...]

ENGINES is a folder that holds the packages onnxruntime (1.30 or newer) and onnxruntime-ggml, as
`pip install --target ENGINES` leaves them; the interpreter needs onnx and numpy. In ROUNDS, in
turns: an x-ray of one launch, and for the model before each of its cuts, and the whole, the times
that ggml takes of each node itself (ORT_GGML_PROFILE=1), in a process of its own. What ggml's sums
differ by between two neighbours is its time of a block. The first and the last block of an x-ray have half each of what a call of the engine
costs, too, which is in no sum: what the shortest part of the model that ggml runs takes more than its
nodes.
"""

import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

import onnx

ROUNDS = 7
RUNS = 15

RUN = """
import sys, time
sys.path.insert(0, sys.argv[2])
import numpy, onnxruntime
library = sys.argv[2] + "/onnxruntime_ggml/lib/libonnxruntime_ggml.so"
onnxruntime.register_execution_provider_library("ggml", library)
devices = [own for own in onnxruntime.get_ep_devices() if own.ep_name == "ggml"]
options = onnxruntime.SessionOptions()
options.intra_op_num_threads = 1
options.add_provider_for_devices(devices, {})
session = onnxruntime.InferenceSession(sys.argv[1], options)
sizes = dict(own.split("=") for own in sys.argv[4:])
values = {}
for own in session.get_inputs():
    shape = [size if isinstance(size, int) else int(sizes.get(size, 1)) for size in own.shape]
    whole = "int64" in own.type
    values[own.name] = (
        numpy.ones(shape, numpy.int64) if whole
        else numpy.random.default_rng(0).random(shape, dtype=numpy.float32)
    )
for _ in range(int(sys.argv[3])):
    begin = time.perf_counter()
    session.run(None, values)
    print("took", 1000 * (time.perf_counter() - begin))
"""


# Parts that are tried until ggml runs one.
SHORTEST = 12


def parts(model: Path, blocks: list[dict], folder: Path) -> tuple[list[Path], list[Path]]:
    """The model before each cut, and the whole; and its shortest parts, from the first node that computes."""
    loaded = onnx.load(model)
    graph = loaded.graph
    position = {node.name: number for number, node in enumerate(graph.node)}
    constants = {own.name for own in graph.initializer}
    inputs = [own.name for own in graph.input if own.name not in constants]
    computed = set(inputs)
    for node in graph.node:
        if computed.intersection(node.input):
            computed.update(node.output)
    extractor = onnx.utils.Extractor(onnx.shape_inference.infer_shapes(loaded))
    outputs = {own.name for own in graph.output}

    def before(end: int, file: Path) -> Path:
        read = {name for node in graph.node[end:] for name in node.input} | outputs
        written = (name for node in graph.node[:end] for name in node.output)
        across = [name for name in written if name in computed and name in read]
        onnx.save(extractor.extract_model(inputs, across), file)
        return file

    ends = [
        max(position[name] for name in block["nodes"].split("; ")) + 1 for block in blocks[:-1]
    ]
    files = [before(end, folder / f"{number}.onnx") for number, end in enumerate(ends)]
    computing = [at for at, node in enumerate(graph.node) if computed.intersection(node.output)]
    shortest = [before(at + 1, folder / f"short-{at}.onnx") for at in computing[:SHORTEST]]
    return [*files, model], shortest


def timed(model: Path, engines: str, sizes: list[str], profile: str, pattern: str) -> float | None:
    """The median of what each run prints, in milliseconds; None if the process ends."""
    environment = {**os.environ, "ORT_GGML_PROFILE": profile, "ORT_GGML_LOG": "info"}
    command = [sys.executable, "-c", RUN, str(model), engines, str(RUNS), *sizes]
    ran = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    text = re.sub(r"\x1b\[[0-9;]*m", "", ran.stdout + ran.stderr)
    times = [float(own) for own in re.findall(pattern, text)]
    return statistics.median(times[RUNS // 3 :]) if len(times) == RUNS else None


def ggml_sum(model: Path, engines: str, sizes: list[str]) -> float | None:
    """Milliseconds that ggml's nodes take."""
    return timed(model, engines, sizes, "1", r'total_ms="([0-9.]+)"')


def call(shortest: list[Path], engines: str, sizes: list[str]) -> float | None:
    """Milliseconds that a run takes more than its nodes."""
    for model in shortest:
        nodes = ggml_sum(model, engines, sizes)
        took = timed(model, engines, sizes, "0", r"took ([0-9.]+)")
        if nodes is not None and took is not None:
            return took - nodes
    return None


def xray(onnxray: str, model: Path, engines: str, options: list[str], out: Path) -> list[dict]:
    """Blocks of an x-ray of ggml, in the order of the model."""
    library = f"{engines}/onnxruntime_ggml/lib/libonnxruntime_ggml.so"
    run = [onnxray, "xray", model, "--provider", "ggml", "--provider-library", library]
    run += ["--engine-library", f"{engines}/onnxruntime", "--starts", "0", "--force", "-q"]
    run += [*options, "--out", out, "--no-roofs"]
    subprocess.run(run, check=True, capture_output=True)
    shown = [onnxray, "summary", out, "--format", "json", "--all", "--no-fold"]
    figures = json.loads(subprocess.run(shown, check=True, capture_output=True).stdout)
    blocks = sorted(figures["operators"], key=lambda own: own["number"])
    return [{**own, "nodes": own["nodes"] or own["name"]} for own in blocks]


def main() -> None:
    """Print a table of blocks."""
    onnxray, model, engines, *sizes = sys.argv[1:]
    path = Path(model)
    dimensions = [word for size in sizes for word in ("--dim", size)]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        first = xray(onnxray, path, engines, dimensions, folder / "first")
        files, shortest = parts(path, first, folder)
        calls = [call(shortest, engines, sizes) for _ in range(ROUNDS)]
        again = [*dimensions, "--cuts", str(folder / "first"), "--launches", "1"]
        measured: list[list[float]] = [[] for _ in first]
        own: list[list[float]] = [[] for _ in first]
        for number in range(ROUNDS):
            blocks = xray(onnxray, path, engines, again, folder / f"xray-{number}")
            sums = [ggml_sum(file, engines, sizes) for file in files]
            for position, block in enumerate(blocks):
                measured[position].append(block["time_ms"])
                before = sums[position - 1] if position else 0.0
                if before is not None and sums[position] is not None:
                    own[position].append(sums[position] - before)
    known_calls = [own for own in calls if own is not None]
    of_call = statistics.median(known_calls) if known_calls else None
    print(f"a call: {'unknown' if of_call is None else f'{of_call:.3f} ms'}, half of it in the first and in the last block\n")
    print("| block | x-ray, ms | ggml's nodes, ms | difference |\n| --- | --- | --- | --- |")
    for block, times, sums in zip(first, measured, own, strict=True):
        # A block that is not told from 0 has none.
        known = [own for own in times if own is not None]
        if not known:
            print(f"| {block['name']} | < {block['time_below_ms']:.3f} | | |")
            continue
        time = statistics.median(known)
        if sums and statistics.median(sums) > 0:
            beside = statistics.median(sums) + (of_call or 0.0) / 2 * (block in (first[0], first[-1]))
            print(f"| {block['name']} | {time:.3f} | {beside:.3f} | {time / beside - 1:+.1%} |")
        else:
            print(f"| {block['name']} | {time:.3f} | unknown | |")


if __name__ == "__main__":
    main()
