"""Writes a model of two products with weights of four bits: `accuracy_models.py FOLDER`.

Needs NumPy and onnx.
"""

import sys
from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

FOLDER = Path(sys.argv[1])
SIZE, BLOCK = 64, 32
RANDOM = np.random.default_rng(1)


def product(name, given, made, **level):
    packed = RANDOM.integers(0, 256, (SIZE, SIZE // BLOCK, BLOCK // 2)).astype(np.uint8)
    scales = RANDOM.uniform(0.01, 0.02, SIZE * SIZE // BLOCK).astype(np.float32)
    constants = [numpy_helper.from_array(packed, f"{name}_bits"),
                 numpy_helper.from_array(scales, f"{name}_scales")]
    node = helper.make_node("MatMulNBits", [given, f"{name}_bits", f"{name}_scales"], [made], name,
                            domain="com.microsoft", K=SIZE, N=SIZE, bits=4, block_size=BLOCK, **level)
    return node, constants


first, weights = product("first", "x", "hidden")
second, more = product("second", "hidden", "y", accuracy_level=1)
value = lambda name: helper.make_tensor_value_info(name, TensorProto.FLOAT, [4, SIZE])
graph = helper.make_graph([first, second], "graph", [value("x")], [value("y")], weights + more)
sets = [helper.make_opsetid("", 17), helper.make_opsetid("com.microsoft", 1)]
model = helper.make_model(graph, opset_imports=sets, ir_version=8)
onnx.save(model, FOLDER / "bits.onnx", save_as_external_data=True, location="bits.data",
          size_threshold=0)
