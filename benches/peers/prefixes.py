"""Times of operators that no profiler saw: what a model takes up to and with an operator, less what it
takes up to it, both as programs of their own, in turns.

    python3 prefixes.py ONNXRAY MODEL [--dim NAME=SIZE] [--library FILE]

The model is optimized once and saved; everything after that runs without optimization, so that what
is cut off changes nothing of the rest. Prints, for ten operators, the difference of the prefixes with
its interval, and beside it what `onnxray record` says of the operator: without what profiling costs and
with the framework overhead of a node, and as its event states it.
"""

import argparse
import json
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy
import onnx
import onnxruntime
from onnx import helper, shape_inference

OPERATORS = 10
SHORTEST_US = 20.0
ROUNDS = 5
SESSIONS = 5
RUNS = 60


def session(model, level=onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL, save=None):
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    options.graph_optimization_level = level
    options.log_severity_level = 3
    if save:
        options.optimized_model_filepath = str(save)
    return onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])


def inputs(model, sizes):
    random = numpy.random.default_rng(1)
    known = {constant.name for constant in model.graph.initializer}
    found = {}
    for given in model.graph.input:
        if given.name in known:
            continue
        shape = [d.dim_value or sizes.get(d.dim_param, 1) for d in given.type.tensor_type.shape.dim]
        kind = helper.tensor_dtype_to_np_dtype(given.type.tensor_type.elem_type)
        whole = numpy.issubdtype(kind, numpy.integer)
        values = numpy.ones(shape) if whole else random.uniform(-1, 1, shape)
        found[given.name] = values.astype(kind)
    return found


def prefix(model, count, types):
    """The first nodes of a model; what they leave behind are its outputs."""
    nodes = model.graph.node[:count]
    taken = {name for node in nodes for name in node.input}
    left = [name for node in nodes for name in node.output if name and name not in taken]
    graph = helper.make_graph(
        nodes,
        "prefix",
        [given for given in model.graph.input if given.name in taken],
        [types.get(name) or helper.make_empty_tensor_value_info(name) for name in left],
        initializer=[known for known in model.graph.initializer if known.name in taken],
    )
    cut = helper.make_model(graph, opset_imports=model.opset_import, ir_version=model.ir_version)
    return cut.SerializeToString()


def bound(session, feed):
    """A session with memory of its own for inputs and outputs: that of outputs is not asked for anew in
    each run, which an operator inside a model does not do either."""
    binding = session.io_binding()
    given = {known.name: feed[known.name] for known in session.get_inputs()}
    for name, values in given.items():
        binding.bind_cpu_input(name, values)
    for known, values in zip(session.get_outputs(), session.run(None, given)):
        binding.bind_ortvalue_output(known.name, onnxruntime.OrtValue.ortvalue_from_numpy(values))
    return session, binding


def median_of(session, binding, between=None):
    """The median of a few runs, in microseconds. Another model run `between` leaves the caches as
    iterations of it find them."""
    times = []
    for _ in range(RUNS):
        if between:
            between[0].run_with_iobinding(between[1])
        start = time.perf_counter_ns()
        session.run_with_iobinding(binding)
        times.append((time.perf_counter_ns() - start) / 1e3)
    return statistics.median(times)


def profiled(onnxray, model, sizes, library):
    """Time of each operator without what profiling costs, and that cost, by name; the reach of that cost,
    the latency and the framework overhead of a node, all in microseconds."""
    with tempfile.TemporaryDirectory() as out:
        record = [onnxray, "record", model, "--engine", "onnxruntime", "--optimization", "disabled", "--out", out]
        record += ["--launches", "5", "--iterations", "60"]
        record += [word for name, size in sizes.items() for word in ("--dim", f"{name}={size}")]
        record += ["--engine-library", library] if library else []
        subprocess.run(record, check=True, capture_output=True)
        summary = subprocess.run(
            [onnxray, "summary", out, "--all", "--format", "json"], check=True, capture_output=True, text=True
        )
        report = json.loads(summary.stdout)
        times = {}
        for trace in Path(out, "profiling_trace").glob("*.json"):
            for event in json.loads(trace.read_text())["traceEvents"]:
                if "op" in event.get("args", {}):
                    times.setdefault(event["name"], []).append(event["dur"])
    if report["model"].get("profiling_inside_us") is None:
        sys.exit(f"profiling cost: {report['model'].get('profiling_cost')}")
    costs = {row["name"]: row["profiling_us"] / row["executions"] for row in report["operators"]}
    found = {}
    for name, all_times in times.items():
        # The runtime counts whole microseconds, of which only a mean tells parts; prefixes are timed by
        # medians, without what other programs do to few runs.
        all_times.sort()
        middle = all_times[len(all_times) // 10 : len(all_times) * 9 // 10]
        found[name] = [statistics.mean(middle) - costs.get(name, 0), costs.get(name, 0)]
    model = report["model"]
    dispatch = model["overhead_mean_ms"] * 1e3 / sum(row["executions"] or 0 for row in report["operators"])
    return found, model["profiling_reach_us"], model["latency_median_ms"] * 1e3, dispatch


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("onnxray")
    parser.add_argument("model")
    parser.add_argument("--dim", action="append", default=[])
    parser.add_argument("--library")
    arguments = parser.parse_args()
    sizes = {name: int(size) for name, size in (dim.split("=") for dim in arguments.dim)}
    folder = Path(tempfile.mkdtemp())
    optimized = folder / Path(arguments.model).name
    session(arguments.model, onnxruntime.GraphOptimizationLevel.ORT_ENABLE_EXTENDED, optimized)
    model = onnx.load(optimized)
    for number, node in enumerate(model.graph.node):
        node.name = f"n{number}_{node.op_type}"
    onnx.save(model, optimized)
    types = {known.name: known for known in [*model.graph.value_info, *model.graph.output]}
    try:
        inferred = shape_inference.infer_shapes(model)
        types |= {known.name: known for known in inferred.graph.value_info}
    except Exception:
        pass
    times, reach, latency, dispatch = profiled(arguments.onnxray, optimized, sizes, arguments.library)
    order = [node.name for node in model.graph.node]
    long = [at for at, name in enumerate(order) if sum(times.get(name, [0, 0])) > SHORTEST_US]
    step = max(1, len(long) // OPERATORS)
    chosen = long[::step][:OPERATORS]
    feed = inputs(model, sizes)
    whole = bound(session(model.SerializeToString()), feed)
    median_of(*whole)
    print(f"{Path(arguments.model).name}: profiling cost ± {reach:.2f} us, framework overhead {dispatch:.2f} us a node")
    print(f"{'operator':40} {'prefixes us':>18} {'corrected':>10} {'off':>7} {'raw':>8} {'off':>7}")
    errors = [[], []]
    beyond = 0
    for at in chosen:
        if at == 0:
            continue
        cuts = [prefix(model, count, types) for count in (at, at + 1)]
        differences = []
        # Where a session puts its tensors decides as well.
        for _ in range(SESSIONS):
            both = [bound(session(cut), feed) for cut in cuts]
            for each in both:
                median_of(*each)
            for number in range(ROUNDS):
                turn = 1 if number % 2 == 0 else -1
                found = [median_of(*each, between=whole) for each in both[::turn]]
                # The processor's clock is not the same all the time: the whole model tells.
                pace = latency / median_of(*whole)
                differences.append((found[1] - found[0]) * turn * pace)
        truth = statistics.median(differences)
        ends = sorted(differences)
        out = len(ends) // 20
        low, high = ends[out], ends[-1 - out]
        corrected, cost = times[order[at]]
        raw = corrected + cost
        # A prefix that is longer has one more node to dispatch as well.
        corrected += dispatch
        off = [(corrected / truth - 1) * 100, (raw / truth - 1) * 100]
        for kind in (0, 1):
            errors[kind].append(abs(off[kind]))
        inside = low - reach <= corrected <= high + reach or abs(off[0]) <= 10
        beyond += not inside
        print(
            f"{order[at][:40]:40} {truth:7.1f} ({low:.1f}-{high:.1f}) {corrected:9.1f} {off[0]:+6.1f} % {raw:7.1f} {off[1]:+6.1f} %"
            + ("" if inside else "  beyond")
        )
    median = [statistics.median(kind) for kind in errors]
    print(f"median error: corrected {median[0]:.1f} %, raw {median[1]:.1f} %; beyond interval and 10 %: {beyond}")


if __name__ == "__main__":
    main()
