"""Blocks of an x-ray beside ggml's own sums over the same nodes.

python xray_ggml.py ONNXRAY MODEL ENGINES [NAME=SIZE ...]

ENGINES is a folder that holds the packages onnxruntime (1.31 or newer) and onnxruntime-ggml, as
`pip install --target ENGINES` leaves them; the interpreter needs onnx and numpy. In ROUNDS, in
turns: an x-ray of one launch, and for the model before each of its cuts, and the whole, the times
that ggml takes of each node itself (ORT_GGML_PROFILE=1), in a process of its own. What ggml's sums
differ by between two neighbours is its time of a block.
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
import sys
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
    session.run(None, values)
"""


def parts(model: Path, blocks: list[dict], folder: Path) -> list[Path]:
    """The model before each cut, and the whole."""
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
    files = []
    for number, block in enumerate(blocks[:-1]):
        end = max(position[name] for name in block["nodes"].split("; ")) + 1
        read = {name for node in graph.node[end:] for name in node.input} | outputs
        before = (name for node in graph.node[:end] for name in node.output)
        across = [name for name in before if name in computed and name in read]
        files.append(folder / f"{number}.onnx")
        onnx.save(extractor.extract_model(inputs, across), files[-1])
    return [*files, model]


def ggml_sum(model: Path, engines: str, sizes: list[str]) -> float | None:
    """Milliseconds that ggml's nodes take; None if its process ends."""
    environment = {**os.environ, "ORT_GGML_PROFILE": "1", "ORT_GGML_LOG": "info"}
    command = [sys.executable, "-c", RUN, str(model), engines, str(RUNS), *sizes]
    ran = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    text = re.sub(r"\x1b\[[0-9;]*m", "", ran.stdout + ran.stderr)
    sums = [float(own) for own in re.findall(r'total_ms="([0-9.]+)"', text)]
    return statistics.median(sums[RUNS // 3 :]) if len(sums) == RUNS else None


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
        files = parts(path, first, folder)
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
    print("| block | x-ray, ms | ggml's nodes, ms | difference |\n| --- | --- | --- | --- |")
    for block, times, sums in zip(first, measured, own, strict=True):
        # A block that is not told from 0 has none.
        known = [own for own in times if own is not None]
        if not known:
            print(f"| {block['name']} | < {block['time_below_ms']:.3f} | | |")
            continue
        time = statistics.median(known)
        if sums and statistics.median(sums) > 0:
            beside = statistics.median(sums)
            print(f"| {block['name']} | {time:.3f} | {beside:.3f} | {time / beside - 1:+.1%} |")
        else:
            print(f"| {block['name']} | {time:.3f} | unknown | |")


if __name__ == "__main__":
    main()
