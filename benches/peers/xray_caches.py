"""Prefixes of a model of equal layers, per layer, beside the whole: as they are, and with as many
bytes read between two runs as the whole has weights behind them.

python xray_caches.py [ROUNDS]

The interpreter needs onnx, onnxruntime and numpy. First deciles of the times of one thread, since
what else the machine does only adds to them.
"""

import mmap
import sys
import tempfile
import time
from pathlib import Path

import numpy
import onnx
import onnxruntime
from xray_profiler import LAYERS, equal

PREFIXES = [1, 2, 4, 8, 12, 16, 20, 23, LAYERS]
WEIGHTS = 1 << 20
RUNS, WARM = 7, 2


def prefix(model: onnx.ModelProto, layers: int) -> bytes:
    """The first layers of the model."""
    part = onnx.ModelProto()
    part.CopyFrom(model)
    graph = part.graph
    del graph.node[2 * layers :]
    read = {name for node in graph.node for name in node.input}
    for weight in [own for own in graph.initializer if own.name not in read]:
        graph.initializer.remove(weight)
    graph.output[0].name = graph.node[-1].output[0]
    return bytes(part.SerializeToString())


def main(rounds: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "equal.onnx"
        equal(path)
        model = onnx.load(path)
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    sessions = {
        layers: onnxruntime.InferenceSession(
            prefix(model, layers), options, providers=["CPUExecutionProvider"]
        )
        for layers in PREFIXES
    }
    inputs = {"x": numpy.random.default_rng(0).standard_normal((96, 512)).astype(numpy.float32)}
    # Of the system itself: NumPy's own memory would be in huge pages.
    memory = mmap.mmap(-1, LAYERS * WEIGHTS)
    memory.write(b"\1" * len(memory))
    rest = numpy.frombuffer(memory, numpy.uint64)
    times: dict[tuple[int, bool], list[int]] = {}
    for number in range(rounds):
        for layers in PREFIXES if number % 2 else reversed(PREFIXES):
            for reads in (False, True) if number // 2 % 2 else (True, False):
                for run in range(RUNS):
                    if reads and layers < LAYERS:
                        # A number of each line of a cache.
                        rest[: (LAYERS - layers) * WEIGHTS // 8 : 8].sum()
                    begin = time.perf_counter_ns()
                    sessions[layers].run(None, inputs)
                    took = time.perf_counter_ns() - begin
                    if run >= WARM:
                        times.setdefault((layers, reads), []).append(took)

    def per_layer(layers: int, reads: bool) -> float:
        own = sorted(times[layers, reads])
        return own[len(own) // 10] / layers

    whole = per_layer(LAYERS, False)
    print(f"the whole: {whole / 1e6:.3f} ms a layer")
    print("layers  as they are  rest read")
    for layers in PREFIXES:
        plain, read = (per_layer(layers, reads) / whole - 1 for reads in (False, True))
        print(f"{layers:6}  {plain:+11.1%}  {read:+9.1%}")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 14)
