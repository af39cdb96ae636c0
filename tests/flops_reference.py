"""Compares the FLOPs of models with a count of its own: `flops_reference.py PROGRAM MODEL …`.

By hand. Shapes are those that ONNX Runtime computed: its profile of a run in which nothing is
fused. Formulas are written anew, from the definitions in docs/statistics.md. `--dim NAME=SIZE`
is as in the program. Needs NumPy, onnx and ONNX Runtime.

Prints a row per model and engine: FLOPs counted here, by the program, operators without FLOPs,
and nodes whose figures differ.
"""

import argparse
import json
import math
import subprocess
import tempfile
from collections import Counter, defaultdict
from pathlib import Path

import numpy as np
import onnx
import onnxruntime
from onnx import helper, numpy_helper

UNARY = set(
    "Add Sub Mul Div Pow Mod Abs Neg Sign Reciprocal Sqrt Exp Log Erf Floor Ceil Round Sin Cos Tan "
    "Asin Acos Atan Sinh Cosh Tanh Asinh Acosh Atanh Sigmoid HardSigmoid HardSwish Relu LeakyRelu "
    "PRelu ThresholdedRelu Elu Selu Celu Gelu Mish Softplus Softsign Clip Shrink CumSum And Or Xor "
    "Not Equal Greater GreaterOrEqual Less LessOrEqual IsNaN IsInf QuickGelu Swish".split()
)
REDUCED = set(
    "ReduceSum ReduceMean ReduceMax ReduceMin ReduceProd ReduceL1 ReduceL2 ReduceSumSquare "
    "ReduceLogSum ReduceLogSumExp ArgMax ArgMin GlobalAveragePool GlobalMaxPool".split()
)
MOVED = set(
    "Reshape Transpose Squeeze Unsqueeze Flatten Identity Dropout Concat Split Slice Gather "
    "GatherElements GatherND Scatter ScatterElements ScatterND Expand Tile Pad Cast CastLike "
    "Constant ConstantOfShape Shape Size Range Where DepthToSpace SpaceToDepth EyeLike OneHot "
    "NonZero Compress ReverseSequence Trilu Scan Loop If SequenceEmpty SequenceInsert SequenceAt "
    "ConcatFromSequence SplitToSequence".split()
)


def attributes(node):
    return {own.name: helper.get_attribute_value(own) for own in node.attribute}


def counted(node, inputs, outputs):
    """FLOPs of one execution; None where there is no formula. Shapes of inputs that are there."""
    kind, own = node.op_type, attributes(node)
    given = dict(zip((at for at, name in enumerate(node.input) if name), inputs))
    x, y = math.prod(inputs[0]) if inputs else 0, math.prod(outputs[0]) if outputs else 0
    if kind in MOVED:
        return 0
    if kind in UNARY:
        return y
    if kind in REDUCED:
        return x
    if kind in ("MatMul", "MatMulInteger", "QLinearMatMul", "MatMulNBits", "MatMulBnb4"):
        return 2 * inputs[0][-1] * y
    if kind == "QGemm":
        return 2 * inputs[0][1] * y + (y if 6 in given else 0)
    if kind == "QLinearGlobalAveragePool":
        return x
    if kind in ("QLinearAdd", "QLinearMul"):
        return y
    if kind == "DynamicQuantizeLSTM":
        steps, batch, size = given[0]
        directions, hidden, _ = given[2]
        return steps * batch * directions * hidden * (8 * (size + hidden) + 4 * (3 if 3 in given else 2) + 5)
    if kind == "Gemm":
        depth = inputs[0][0] if own.get("transA") else inputs[0][1]
        return 2 * depth * y + (y if 2 in given else 0)
    if kind in ("Conv", "ConvInteger", "QLinearConv"):
        weight, bias = (given[3], 8) if kind == "QLinearConv" else (given[1], 2)
        has_bias = bias in given and kind != "ConvInteger"
        return 2 * math.prod(weight[1:]) * y + (y if has_bias else 0)
    if kind == "ConvTranspose":
        return 2 * math.prod(given[1][1:]) * x + (y if 2 in given else 0)
    if kind in ("LSTM", "GRU", "RNN"):
        gates, mixing = {"LSTM": (4, 5), "GRU": (3, 5), "RNN": (1, 0)}[kind]
        steps, batch, size = given[0]
        directions, _, hidden = given[2]
        each = 2 * gates * hidden * (size + hidden) + gates * hidden * (3 if 3 in given else 2)
        return steps * batch * directions * (each + mixing * hidden)
    if kind in ("Max", "Min", "Sum"):
        return (len(inputs) - 1) * y
    if kind == "BatchNormalization":
        return 2 * y
    if kind == "LayerNormalization":
        return (7 if 2 in given else 6) * x
    if kind == "InstanceNormalization":
        return 7 * x
    if kind == "LRN":
        return (own["size"] + 5) * x
    if kind in ("Softmax", "LogSoftmax"):
        return 5 * y
    if kind in ("AveragePool", "MaxPool"):
        return math.prod(own["kernel_shape"]) * y
    if kind in ("QuantizeLinear", "DequantizeLinear"):
        return 2 * y
    if kind == "DynamicQuantizeLinear":
        return 4 * x
    if kind in ("Resize", "Upsample") and own.get("mode", b"nearest") == b"nearest":
        return 0
    return None


def name_all(graph, found, number=0):
    """Names of their own, by which a profile tells nodes apart."""
    for node in graph.node:
        if node.op_type == "Constant":
            continue
        node.name = f"n{len(found)}"
        found[node.name] = node
        for own in node.attribute:
            if own.type == onnx.AttributeProto.GRAPH:
                name_all(own.g, found)


def folded(graph, names, outer=frozenset()):
    """Nodes whose results depend on constants and shapes alone."""
    known = set(outer) | {tensor.name for tensor in graph.initializer}
    for node in graph.node:
        bodies = [own.g for own in node.attribute if own.type == onnx.AttributeProto.GRAPH]
        is_known = all(name in known for name in node.input if name)
        if node.op_type == "Constant" or not bodies and (is_known or node.op_type in ("Shape", "Size")):
            known.update(node.output)
            names.add(node.name)
        for body in bodies:
            folded(body, names, known)


def inputs_of(session, sizes, files):
    kinds = {"tensor(float)": np.float32, "tensor(int64)": np.int64, "tensor(int32)": np.int32,
             "tensor(uint8)": np.uint8, "tensor(bool)": bool, "tensor(float16)": np.float16}
    random = np.random.default_rng(1)
    values = {}
    for own in session.get_inputs():
        if own.name in files:
            values[own.name] = np.load(files[own.name])
            continue
        shape = [
            size if isinstance(size, int) else sizes.get(size, sizes.get(f"{own.name}.{axis}", 1))
            for axis, size in enumerate(own.shape)
        ]
        values[own.name] = np.asarray(random.random(shape), kinds[own.type])
    return values


def profiled(path, sizes, files, folder):
    """Nodes by name, and (name, FLOPs) of each execution."""
    model = onnx.load(path)
    nodes, constant = {}, set()
    name_all(model.graph, nodes)
    folded(model.graph, constant)
    named = folder / "named.onnx"
    onnx.save(model, named)
    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    options.add_session_config_entry("session.disable_prepacking", "1")
    options.log_severity_level = 3
    options.enable_profiling = True
    options.profile_file_prefix = str(folder / "profile")
    session = onnxruntime.InferenceSession(named, options, providers=["CPUExecutionProvider"])
    session.run(None, inputs_of(session, sizes, files))
    events = json.loads(Path(session.end_profiling()).read_text())
    executed = []
    for event in events:
        if event.get("cat") != "Node" or not event["name"].endswith("_kernel_time"):
            continue
        node = nodes.get(event["name"].removesuffix("_kernel_time"))
        if node is None:
            continue
        shapes = lambda key: [next(iter(own.values())) for own in event["args"][key]]
        flops = counted(node, shapes("input_type_shape"), shapes("output_type_shape"))
        executed.append((node, flops))
    return executed, constant


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("models", nargs="+", type=Path)
    parser.add_argument("--dim", action="append", default=[])
    parser.add_argument("--input", action="append", default=[], help="for the count only")
    parser.add_argument("--engine-library", default=onnxruntime.__path__[0])
    arguments = parser.parse_args()
    pairs = [own.rsplit("=", 1) for own in arguments.dim]
    sizes = {name: int(size) for name, size in pairs}
    files = dict(own.split("=", 1) for own in arguments.input)
    more = [word for own in arguments.dim for word in ("--dim", own)]
    for path in arguments.models:
        with tempfile.TemporaryDirectory() as folder:
            executed, constant = profiled(path, sizes, files, Path(folder))
        unknown = Counter(node.op_type for node, flops in executed if flops is None)
        everything = sum(flops or 0 for _, flops in executed)
        varying = sum(flops or 0 for node, flops in executed if node.name not in constant)
        runtime = ["onnxruntime", "--engine-library", arguments.engine_library]
        for engine, expected in [
            ([*runtime, "--optimization", "disabled"], everything),
            (runtime, varying),
            (["tract"], varying),
        ]:
            command = [arguments.program, "flops", str(path), "--engine", *engine, *more]
            ran = subprocess.run([*command, "--format", "json", "--all", "--level", "model,type,operator"],
                                 capture_output=True, text=True)
            level = " as it is" if "disabled" in engine else ""
            row = [path.stem, engine[0] + level, expected]
            if ran.returncode:
                print(*row, "failed:", ran.stderr.strip()[:160], sep="\t", flush=True)
                continue
            model = json.loads(ran.stdout)
            rows = model["operators"]
            own = sum(row["flops"] or 0 for row in rows)
            missing = Counter(row["type"] for row in rows if row["flops"] is None)
            difference = own / expected - 1 if expected else math.nan
            print(*row, own, f"{difference:+.4%}", dict(missing) or "-", dict(unknown) or "-",
                  sep="\t", flush=True)


if __name__ == "__main__":
    main()
