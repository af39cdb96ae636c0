"""Blocks of an x-ray beside what ONNX Runtime's profiler says of the same nodes.

python xray_profiler.py ONNXRAY LIBRARY MODEL|equal [BLOCKS] [NAME=SIZE ...]

LIBRARY is the folder of an `onnxruntime` package; `equal` stands for a model of 24 equal layers,
which is made here (the interpreter needs onnx and numpy). An x-ray as it is without options, and a
recording of as many launches. Both are taken as shares of their own latency, since a machine that
is slower in one of them is so for all blocks alike. A profiler times operators within the whole;
what it costs is taken off by onnxray; sums have the intervals of their operators and of that. What the
framework costs beside operators is between them, and in the blocks of an x-ray: operators share it.
"""

import json
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

LAUNCHES = 5
LAYERS = 24
# Blocks above this are compared; of a quick model, those above a tenth of its latency.
LONG_MS = 0.25


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


Part = tuple[list[str], float, float, float]


def shares(onnxray: str, recording: Path) -> tuple[float, list[Part], float]:
    """The latency of a recording in ms, of each operator its nodes, its part and the interval of that, and
    by how much the profiler makes the part of one uncertain."""
    told = subprocess.run(
        [onnxray, "summary", recording, "--format", "json", "--all", "--no-fold"],
        capture_output=True, check=True,
    )
    figures = json.loads(told.stdout)
    latency = figures["model"]["latency_mean_ms"]
    rows = []
    for own in sorted(figures["operators"], key=lambda row: row["number"]):
        nodes = own.get("nodes") or own["name"]
        # A block that is not told from 0 has a share.
        time = own["time_ms"] if own["time_ms"] is not None else (own["share"] or 0.0) * latency
        ends = [own.get(f"time_{end}_ms") for end in ("low", "high")]
        low, high = (time if end is None else end for end in ends)
        rows.append((nodes.split("; "), time, low, high))
    # An x-ray has none: its blocks add up to the latency.
    framework = figures["model"].get("overhead_mean_ms") or 0.0
    each = framework / len(rows)
    total = sum(time for _, time, _, _ in rows) + framework
    parts = [
        (nodes, (time + each) / total, (low + each) / total, (high + each) / total)
        for nodes, time, low, high in rows
    ]
    reach = (figures["model"].get("profiling_reach_us") or 0.0) / 1000 / total
    return latency, parts, reach


def main(onnxray: str, library: str, model: str, *rest: str) -> None:
    blocks = next((own for own in rest if own.isdigit()), None)
    sizes = [word for own in rest if "=" in own for word in ("--dim", own)]
    engine = ["--engine", "onnxruntime", "--engine-library", library]
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        if model == "equal":
            model, blocks = str(place / "equal.onnx"), str(LAYERS)
            equal(Path(model))
        usual = [model, *sizes, *engine, "--launches", str(LAUNCHES), "--no-roofs", "--starts", "0"]
        cuts = ["--blocks", blocks] if blocks else []
        for run in (
            ["xray", *usual, *cuts, "--out", place / "xray"],
            ["record", *usual, "--out", place / "record"],
        ):
            subprocess.run([onnxray, *run], capture_output=True, check=True)
        latency, of_blocks, _ = shares(onnxray, place / "xray")
        _, of_nodes, reach = shares(onnxray, place / "record")
    errors, held, explained = [], 0, 0
    least = min(LONG_MS, latency / 10)
    for nodes, block, low, high in of_blocks:
        within = set(nodes)
        # An operator of nodes on both sides of a cut runs where its last node is.
        own = [figures for other, *figures in of_nodes if other[-1] in within]
        sums = sum(share for share, _, _ in own)
        around = sum((above - below) / 2 + reach for _, below, above in own)
        error = block / sums - 1 if sums else float("nan")
        if sums * latency > least:
            errors.append(abs(error))
            held += low <= sums <= high
            explained += low <= sums + around and sums - around <= high
        print(
            f"{nodes[-1][-40:]:40} {block * latency:7.3f} ms ({low * latency:.3f} to {high * latency:.3f}), "
            f"operators {sums * latency:7.3f} ± {around * latency:.3f} ms, {error:+.1%}"
        )
    print(f"latency {latency:.3f} ms; {len(errors)} blocks above {least:.2f} ms")
    if errors:
        print(
            f"median error {statistics.median(errors):.1%}, largest {max(errors):.1%}; "
            f"{held} hold the sum of their operators, {explained} their interval"
        )


if __name__ == "__main__":
    main(*sys.argv[1:])
