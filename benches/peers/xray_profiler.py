"""Blocks of an x-ray beside what ONNX Runtime's profiler says of the same nodes.

python xray_profiler.py ONNXRAY LIBRARY MODEL|equal [BLOCKS] [NAME=SIZE ...]

LIBRARY is the folder of an `onnxruntime` package; `equal` stands for a model of 24 equal layers,
which is made here (the interpreter needs onnx and numpy). In ROUNDS, in turns: an x-ray of one
launch, cut as the first one, and a recording of one launch. Both are taken as shares of their own
latency, since a machine that is slower in one turn is so for all blocks alike. A profiler times
operators within the whole; what it costs is taken off by onnxray.
"""

import json
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

ROUNDS = 5
LAYERS = 24
LONG_MS = 0.3


def equal(path: Path) -> None:
    """A chain of matrix products and activations, each with weights of its own."""
    import numpy
    import onnx
    from onnx import TensorProto, helper, numpy_helper

    random = numpy.random.default_rng(0)
    nodes, weights, last = [], [], "x"
    for layer in range(LAYERS):
        name = f"layer.{layer}"
        weight = random.standard_normal((512, 512)).astype(numpy.float32) / 23
        weights.append(numpy_helper.from_array(weight, f"{name}.weight"))
        product, output = f"{name}.product", f"{name}.output"
        nodes.append(
            helper.make_node("MatMul", [last, weights[-1].name], [product], name=f"/{name}/MatMul")
        )
        nodes.append(helper.make_node("Tanh", [product], [output], name=f"/{name}/Tanh"))
        last = output
    ends = [
        helper.make_tensor_value_info(name, TensorProto.FLOAT, [96, 512]) for name in ("x", last)
    ]
    graph = helper.make_graph(nodes, "equal", ends[:1], ends[1:], weights)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    onnx.save(model, path)


def shares(onnxray: str, recording: Path) -> tuple[float, list[tuple[list[str], float]]]:
    """The latency of a recording in ms, and of each operator its nodes and its part of it."""
    told = subprocess.run(
        [onnxray, "summary", recording, "--format", "json", "--all", "--no-fold"],
        capture_output=True, check=True,
    )
    figures = json.loads(told.stdout)
    rows = []
    for own in figures["operators"]:
        nodes = own.get("nodes") or own["name"]
        rows.append((nodes.split("; "), own.get("time_median_ms") or own["time_ms"] or 0.0))
    total = sum(time for _, time in rows)
    return figures["model"]["latency_median_ms"], [(nodes, time / total) for nodes, time in rows]


def main(onnxray: str, library: str, model: str, *rest: str) -> None:
    blocks = next((own for own in rest if own.isdigit()), None)
    sizes = [word for own in rest if "=" in own for word in ("--dim", own)]
    engine = ["--engine", "onnxruntime", "--engine-library", library, "--launches", "1"]
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        if model == "equal":
            model, blocks = str(place / "equal.onnx"), str(LAYERS)
            equal(Path(model))
        usual = [model, *sizes, *engine, "--no-roofs", "--starts", "0"]
        cuts = ["--blocks", blocks] if blocks else []
        of_blocks: dict[tuple[str, ...], list[float]] = {}
        of_nodes: dict[tuple[str, ...], list[float]] = {}
        latencies = []
        for number in range(ROUNDS):
            ray, record = place / f"xray{number}", place / f"record{number}"
            limit = ["--time-limit", "30s", "--iterations", "5"]
            runs = [
                ["xray", *usual, *cuts, *limit, "--out", ray],
                ["record", *usual, "--out", record],
            ]
            for run in runs if number % 2 else reversed(runs):
                subprocess.run([onnxray, *run], capture_output=True, check=True)
            cuts = ["--cuts", place / "xray0"]
            for recording, table in ((ray, of_blocks), (record, of_nodes)):
                latency, rows = shares(onnxray, recording)
                latencies.append(latency)
                for nodes, share in rows:
                    table.setdefault(tuple(nodes), []).append(share)
    latency = statistics.median(latencies)
    errors = []
    for nodes, own in of_blocks.items():
        within = set(nodes)
        block = statistics.median(own) * latency
        # An operator of nodes on both sides of a cut runs where its last node is.
        sums = sum(
            statistics.median(one) for other, one in of_nodes.items() if other[-1] in within
        )
        error = block / (sums * latency) - 1 if sums else float("nan")
        errors.append((block, error))
        low, high = min(own) * latency, max(own) * latency
        print(
            f"{nodes[-1][-40:]:40} {block:7.3f} ms ({low:.3f} to {high:.3f}, {len(own)}), "
            f"operators {sums * latency:7.3f} ms, {error:+.1%}"
        )
    long = [abs(error) for block, error in errors if block > LONG_MS]
    times = [block for block, _ in errors if block > LONG_MS]
    print(f"latency {latency:.3f} ms; {len(long)} blocks above {LONG_MS} ms", end="")
    if long:
        middle = statistics.median(times)
        apart = max(abs(time / middle - 1) for time in times)
        print(
            f": median error {statistics.median(long):.1%}, largest {max(long):.1%}; "
            f"their times differ from the median one by up to {apart:.1%}"
        )


if __name__ == "__main__":
    main(*sys.argv[1:])
