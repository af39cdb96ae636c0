"""Makes models for tests of names: quantized in several ways, with fusions and functions.

Arguments: the folder of the bundled models, and the folder to write to.
"""

import logging
import pathlib
import sys

import numpy as np
import onnx
from onnx import helper, numpy_helper
from onnxruntime.quantization import CalibrationDataReader, QuantFormat, QuantType
from onnxruntime.quantization import quantize_dynamic, quantize_static

BUNDLED, OUT = map(pathlib.Path, sys.argv[1:])
logging.disable(logging.WARNING)
random = np.random.default_rng(0)
node = helper.make_node
SETS = [helper.make_opsetid("", 17), helper.make_opsetid("own", 1)]


def constant(name, *shape):
    elements = random.standard_normal(shape) / np.sqrt(np.prod(shape[1:]))
    return numpy_helper.from_array(elements.astype(np.float32), name)


def value(name, shape):
    return helper.make_tensor_value_info(name, onnx.TensorProto.FLOAT, shape)


def write(name, nodes, constants, shape, functions=()):
    graph = helper.make_graph(nodes, "graph", [value("x", shape)], [value("y", None)], constants)
    model = helper.make_model(graph, opset_imports=SETS, ir_version=8, functions=functions)
    onnx.save(model, OUT / f"{name}.onnx")


def chain(name, activation):
    """Three convolutions, each with an activation: one that a convolution does, or two nodes."""
    nodes, constants, x, channels = [], [], "x", (3, 16, 32, 16)
    for number, (inner, outer) in enumerate(zip(channels, channels[1:])):
        constants += [constant(f"w{number}", outer, inner, 3, 3), constant(f"b{number}", outer)]
        conv, out = f"c{number}", f"a{number}"
        reads = [x, f"w{number}", f"b{number}"]
        nodes.append(node("Conv", reads, [conv], name=f"conv{number}", pads=[1] * 4))
        if activation == "Relu":
            nodes.append(node("Relu", [conv], [out], name=f"relu{number}"))
        else:
            nodes.append(node("Sigmoid", [conv], [f"s{number}"], name=f"sigmoid{number}"))
            nodes.append(node("Mul", [conv, f"s{number}"], [out], name=f"mul{number}"))
        x = out
    nodes.append(node("GlobalAveragePool", [x], ["y"], name="pool"))
    write(name, nodes, constants, [1, 3, 32, 32])


def functions():
    """Two calls of a function, and one of a function that calls it."""
    block = helper.make_function(
        "own", "Block", ["a", "w"], ["o"],
        [node("MatMul", ["a", "w"], ["t"], name="mm"), node("Relu", ["t"], ["o"], name="relu")],
        SETS)
    outer = helper.make_function(
        "own", "Outer", ["a", "w"], ["o"],
        [node("Block", ["a", "w"], ["b"], domain="own", name="inner"),
         node("Tanh", ["b"], ["o"])],
        SETS)
    calls = [
        node("Block", ["x", "w0"], ["h"], domain="own", name="first"),
        node("Outer", ["h", "w1"], ["i"], domain="own", name="second"),
        node("Block", ["i", "w0"], ["y"], domain="own", name="third"),
    ]
    write("functions", calls, [constant("w0", 16, 16), constant("w1", 16, 16)], [4, 16], [block, outer])


class Once(CalibrationDataReader):
    def __init__(self):
        self.left = [{"x": random.standard_normal((1, 3, 32, 32)).astype(np.float32)}]

    def get_next(self):
        return self.left.pop() if self.left else None


chain("relu", "Relu")
chain("silu", "Silu")
functions()
byte = {"activation_type": QuantType.QUInt8, "weight_type": QuantType.QInt8}
for name in ["relu", "silu"]:
    source = OUT / f"{name}.onnx"
    quantize_static(source, OUT / f"{name}-default.onnx", Once())
    quantize_static(source, OUT / f"{name}-channels.onnx", Once(), per_channel=True, **byte)
    quantize_static(source, OUT / f"{name}-operators.onnx", Once(),
                    quant_format=QuantFormat.QOperator, **byte)
    quantize_dynamic(source, OUT / f"{name}-dynamic.onnx", weight_type=QuantType.QUInt8)
quantize_dynamic(BUNDLED / "lstm.onnx", OUT / "lstm-dynamic.onnx")
