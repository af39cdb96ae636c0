"""Where the cuts of a model of equal layers are, by what is before them, by what is behind them and by
both; in pages of 4 KB and in huge ones, in turns.

python xray_sides.py [PROCESSES [ITERATIONS]]

Prints how far off layers are, and how much longer the copy of the model takes that is loaded first
than the one that is loaded last. The interpreter needs onnx, onnxruntime and numpy.
"""

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy
import onnx
import onnxruntime
from xray_caches import prefix
from xray_profiler import LAYERS, equal

PAGES = {"4 KB": "glibc.malloc.hugetlb=0", "huge": "glibc.malloc.hugetlb=1"}
TURNS, WARM, TIMED = 3, 3, 2


def behind(model: onnx.ModelProto, layers: int) -> bytes:
    """All but the first layers of the model."""
    part = onnx.ModelProto()
    part.CopyFrom(model)
    graph = part.graph
    given = graph.node[2 * layers].input[0]
    del graph.node[: 2 * layers]
    read = {name for node in graph.node for name in node.input}
    for weight in [own for own in graph.initializer if own.name not in read]:
        graph.initializer.remove(weight)
    graph.input[0].name = given
    return bytes(part.SerializeToString())


def measure(iterations: int) -> dict[str, list[float]]:
    """Shares of the whole of what is before and behind each cut, and of two copies of it."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "equal.onnx"
        equal(path)
        model = onnx.load(path)
    cuts = range(1, LAYERS)
    models = [model.SerializeToString(), *(prefix(model, cut) for cut in cuts)]
    models += [*(behind(model, cut) for cut in cuts), model.SerializeToString()]
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    sessions = [
        onnxruntime.InferenceSession(own, options, providers=["CPUExecutionProvider"])
        for own in models
    ]
    values = numpy.random.default_rng(0).standard_normal((96, 512)).astype(numpy.float32)
    inputs = [{session.get_inputs()[0].name: values} for session in sessions]
    shares: list[list[float]] = [[] for _ in sessions]
    order = list(range(len(sessions)))
    for _ in range(iterations):
        times: list[list[int]] = [[] for _ in sessions]
        for _ in range(TURNS):
            for place in order:
                for run in range(WARM + TIMED):
                    begin = time.perf_counter_ns()
                    sessions[place].run(None, inputs[place])
                    if run >= WARM:
                        times[place].append(time.perf_counter_ns() - begin)
            order.reverse()
        own = [statistics.median(all) for all in times]
        whole = (own[0] + own[-1]) / 2
        for share, time_of in zip(shares, own):
            share.append(time_of / whole)
    medians = [statistics.median(own) for own in shares]
    return {
        "before": medians[1:LAYERS],
        "behind": medians[LAYERS:-1],
        "copies": [medians[0], medians[-1]],
    }


def main(processes: int, iterations: int) -> None:
    found: dict[str, list[dict[str, list[float]]]] = {pages: [] for pages in PAGES}
    for number in range(processes):
        for pages in PAGES if number % 2 else reversed(PAGES):
            told = subprocess.run(
                [sys.executable, __file__, "measure", str(iterations)],
                env={**os.environ, "GLIBC_TUNABLES": PAGES[pages]}, stdout=subprocess.PIPE, check=True,
            )
            found[pages].append(json.loads(told.stdout))
    for pages, all in found.items():
        def middle(kind: str) -> list[float]:
            return [statistics.median(own) for own in zip(*(one[kind] for one in all))]

        before, after, (first, last) = middle("before"), middle("behind"), middle("copies")
        places = {
            "before": before,
            "behind": [1 - own for own in after],
            "both": [own / (own + other) for own, other in zip(before, after)],
        }
        print(f"pages {pages}: the first copy takes {first / last - 1:+.1%} of the last one")
        for kind, ends in places.items():
            layers = [end - begin for begin, end in zip([0.0, *ends], [*ends, 1.0])]
            off = [own * LAYERS - 1 for own in layers]
            errors = [abs(own) for own in off]
            print(
                f"  by {kind:6}: median error {statistics.median(errors):5.1%}, largest {max(errors):6.1%}, "
                f"first {off[0]:+.1%}, last {off[-1]:+.1%}"
            )


if __name__ == "__main__":
    if sys.argv[1:2] == ["measure"]:
        print(json.dumps(measure(int(sys.argv[2]))))
    else:
        given = [int(own) for own in sys.argv[1:3]]
        main(*given, *(5, 8)[len(given) :])
