#!/usr/bin/env python3
"""Record every node model of the onnx package's own test suite.

    python3 tests/onnx_nodes.py target/release/onnxray [ENGINE] [PATTERN] [VALUES]

needs a Python with onnx, onnxruntime and numpy. ENGINE is onnxruntime unless given, or
tract. For each model whose name holds PATTERN it asks whether the Python package loads it,
records one iteration on the inputs that the suite has for it, or, where VALUES is "made-up",
on those that the program makes up in the same shapes, and prints a table: how many there are,
how many the package loads, how many of these were recorded, and why the others were not, by
what the program says. It ends with 1 if the program was ended by a signal.
"""

import collections
import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys
import tempfile

os.environ.setdefault("ORT_DISABLE_TELEMETRY", "1")

import numpy
import onnx
import onnxruntime
from onnx import numpy_helper
from onnx.backend.test.case.node import collect_testcases

# numpy has no such types of its own.
OTHER_TYPES = {"BFLOAT16", "INT4", "UINT4", "INT2", "UINT2", "FLOAT4E2M1", "FLOAT8E4M3FN",
               "FLOAT8E4M3FNUZ", "FLOAT8E5M2", "FLOAT8E5M2FNUZ", "FLOAT8E8M0", "COMPLEX64",
               "COMPLEX128"}
LIBRARY = pathlib.Path(onnxruntime.__file__).parent


def loads(path):
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4
    try:
        onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
        return True
    except Exception:  # whatever it says, it is no model of its
        return False


def inputs(case, folder, made_up):
    """Arguments that give the model the suite's inputs, or why they cannot."""
    arguments, sizes = [], {}
    constants = {tensor.name for tensor in case.model.graph.initializer}
    graph_inputs = [value for value in case.model.graph.input if value.name not in constants]
    given = case.data_sets[0][0] if case.data_sets else []
    for number, value in enumerate(graph_inputs):
        kind = value.type.WhichOneof("value")
        if kind not in ("tensor_type", "sequence_type"):
            return None, f"inputs that are a {kind.removesuffix('_type')}"
        if number >= len(given) or given[number] is None:
            return None, "inputs that the suite has no values for"
        if kind == "sequence_type":
            if value.type.sequence_type.elem_type.WhichOneof("value") != "tensor_type":
                return None, "inputs that are a sequence of others than tensors"
            if len(given[number]) == 0:
                return None, "inputs that are an empty sequence"
            target = pathlib.Path(folder) / f"{number}.npz"
            numpy.savez(target, *given[number])
            arguments += ["--input", f"{value.name}={target}"]
            continue
        array = given[number]
        if isinstance(array, onnx.TensorProto):
            array = numpy_helper.to_array(array)
        array = numpy.asarray(array)
        name = onnx.TensorProto.DataType.Name(value.type.tensor_type.elem_type)
        if name == "STRING":
            array = array.astype(str)
        # What numpy has no type for is zero.
        if name not in OTHER_TYPES and not made_up:
            target = pathlib.Path(folder) / f"{number}.npy"
            numpy.save(target, numpy.array(array, order="C"))
            arguments += ["--input", f"{value.name}={target}"]
        # What a file says needs no option.
        given_by_file = name not in OTHER_TYPES and not made_up
        dimensions = [] if given_by_file else value.type.tensor_type.shape.dim
        for axis, dimension in enumerate(dimensions):
            if dimension.WhichOneof("value") != "dim_value":
                sizes[dimension.dim_param or f"{value.name}.{axis}"] = array.shape[axis]
    for name, size in sizes.items():
        arguments += ["--dim", f"{name}={size}"]
    return arguments, None


def reason(text):
    """The kind of a message, without what is of one model."""
    lines = [line for line in text.splitlines() if line.startswith("error:")]
    line = lines[-1] if lines else (text.splitlines() or ["nothing is said"])[-1]
    line = re.sub(r"`[^`]*`|'[^']*'|/\S+", "…", line)
    return line[:110]


def record(program, engine, made_up, case):
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "model.onnx"
        onnx.save(case.model, path)
        is_loaded = loads(path)
        arguments, refused = inputs(case, folder, made_up)
        if refused:
            return case.name, is_loaded, False, refused, 0
        command = [program, "record", str(path), "--out", folder + "/out", "--iterations", "1"]
        command += ["--warmup", "0", "--unprofiled-iterations", "1", "--quiet"]
        if engine == "onnxruntime":
            command += ["--engine", "onnxruntime", "--engine-library", str(LIBRARY)]
        run = subprocess.run(command + arguments, capture_output=True, text=True, errors="replace")
        if run.returncode == 0:
            check = [program, "summary", folder + "/out", "--strict", "--level", "model"]
            run = subprocess.run(check, capture_output=True, text=True, errors="replace")
        return case.name, is_loaded, run.returncode == 0, reason(run.stderr), run.returncode


def main():
    program = sys.argv[1]
    engine = sys.argv[2] if len(sys.argv) > 2 else "onnxruntime"
    pattern = sys.argv[3] if len(sys.argv) > 3 else ""
    made_up = "made-up" in sys.argv[4:]
    cases = [case for case in collect_testcases(None) if pattern in case.name]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        results = list(pool.map(lambda case: record(program, engine, made_up, case), cases))
    loaded = [result for result in results if result[1]]
    recorded = [result for result in results if result[2]]
    of_loaded = [result for result in loaded if result[2]]
    crashed = [result for result in results if result[4] < 0 or "ended its process" in result[3]]
    print(f"| onnx {onnx.__version__}, onnxruntime {onnxruntime.__version__} | models |")
    print("| --- | --- |")
    print(f"| in the suite | {len(results)} |")
    print(f"| loaded by the Python package | {len(loaded)} |")
    print(f"| recorded with {engine} | {len(recorded)} |")
    share = len(of_loaded) / max(len(loaded), 1)
    print(f"| recorded of those that the package loads | {len(of_loaded)}, {share:.1%} |")
    print(f"| programs ended by a signal | {len(crashed)} |")
    counts = collections.Counter(why for _, is_loaded, done, why, _ in results if is_loaded and not done)
    for why, count in counts.most_common():
        example = next(name for name, _, done, other, _ in loaded if not done and other == why)
        print(f"| not recorded: {why} (such as {example}) | {count} |")
    sys.exit(bool(crashed))


main()
