"""Writes models whose costs follow from closed forms: `cost_models.py FOLDER`.

Needs NumPy, onnx and ONNX Runtime.
"""

import sys
from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

FOLDER = Path(sys.argv[1])
MICROSOFT = "com.microsoft"
RANDOM = np.random.default_rng(1)


def floats(name, *shape):
    return numpy_helper.from_array(RANDOM.normal(size=shape).astype(np.float32), name)


def packed(name, element_type, bits, codes, shape):
    """Elements by their bits, several to a byte, the first in the lowest."""
    each = 8 // bits
    codes = np.concatenate([codes, np.zeros(-len(codes) % each, np.uint8)]).reshape(-1, each)
    raw = sum(codes[:, place].astype(np.uint32) << bits * place for place in range(each))
    tensor = TensorProto(name=name, data_type=element_type, dims=shape)
    tensor.raw_data = raw.astype(np.uint8).tobytes()
    return tensor


def write(name, nodes, inputs, constants=(), sparse=(), opset=23, outputs=("y",)):
    value = lambda name, shape=None: helper.make_tensor_value_info(name, TensorProto.FLOAT, shape)
    graph = helper.make_graph(
        nodes,
        "graph",
        [value(name, shape) if isinstance(shape, tuple) else
         helper.make_tensor_value_info(name, shape[0], shape[1:]) for name, shape in inputs.items()],
        [value(name) for name in outputs],
        list(constants),
    )
    graph.sparse_initializer.extend(sparse)
    sets = [helper.make_opsetid("", opset), helper.make_opsetid(MICROSOFT, 1)]
    model = helper.make_model(graph, opset_imports=sets, ir_version=10 if opset < 23 else 11)
    onnx.save(model, FOLDER / f"{name}.onnx")


def node(kind, inputs, outputs=("y",), domain="", **attributes):
    return helper.make_node(
        kind, inputs, list(outputs), name=f"the_{kind}", domain=domain, **attributes
    )


def microsoft(kind, inputs, outputs=("y",), **attributes):
    return node(kind, inputs, outputs, MICROSOFT, **attributes)


def dequantized(name, element_type, bits, scales=(8,), zero_point=None, **attributes):
    """A weight of 32 x 8, of which the first half of the elements is zero."""
    zero = zero_point or 0
    codes = np.concatenate([np.full(128, zero), np.full(128, zero + 1)]).astype(np.uint8)
    constants = [packed("w", element_type, bits, codes, [32, 8]), floats("s", *scales)]
    inputs = ["w", "s"]
    if zero_point is not None:
        count = int(np.prod(scales))
        zeros = np.full(count, zero_point, np.uint8)
        constants.append(packed("z", element_type, bits, zeros, list(scales)))
        inputs.append("z")
    nodes = [node("DequantizeLinear", inputs, ["wf"], **attributes), node("MatMul", ["x", "wf"])]
    write(name, nodes, {"x": (4, 32)}, constants, opset=21)


def weights():
    dequantized("int4", TensorProto.INT4, 4, axis=1)
    dequantized("uint4", TensorProto.UINT4, 4, zero_point=7, axis=1)
    dequantized("int8", TensorProto.INT8, 8, axis=1)
    dequantized("int4-blocks", TensorProto.INT4, 4, (4, 8), axis=0, block_size=8)
    dequantized("uint4-blocks", TensorProto.UINT4, 4, (4, 8), 3, axis=0, block_size=8)
    dequantized("int8-blocks-of-outputs", TensorProto.INT8, 8, (32, 2), axis=1, block_size=4)
    for kind in ["E4M3FN", "E4M3FNUZ", "E5M2", "E5M2FNUZ"]:
        dequantized(f"float8{kind.lower()}", getattr(TensorProto, f"FLOAT8{kind}"), 8, axis=1)
    bits(4, 64, 32), bits(4, 70, 32), bits(8, 64, 32), bits(2, 64, 32)
    bits(4, 64, 32, zero_points=True)
    sparse()
    constants()
    external()


def bits(bits, depth, block, zero_points=False):
    """MatMulNBits of 32 outputs; elements of the first block of each row are zero."""
    blocks, rows = -(-depth // block), 32
    middle = 1 << bits - 1
    codes = np.full((rows, blocks * block), middle + 1, np.uint8)
    codes[:, :block] = middle
    each = 8 // bits
    codes = codes.reshape(-1, each)
    raw = sum(codes[:, place].astype(np.uint32) << bits * place for place in range(each))
    quantized = raw.astype(np.uint8).reshape(rows, blocks, block // each)
    constants = [numpy_helper.from_array(quantized, "q"), floats("s", rows * blocks)]
    inputs = ["x", "q", "s"]
    if zero_points:
        # Two in each byte.
        zeros = np.full((rows * -(-blocks // 2)), middle << 4 | middle, np.uint8)
        constants.append(numpy_helper.from_array(zeros, "z"))
        inputs.append("z")
    nodes = [microsoft("MatMulNBits", inputs, K=depth, N=rows, bits=bits, block_size=block)]
    name = f"nbits{bits}-{depth}" + ("-zero-points" if zero_points else "")
    write(name, nodes, {"x": (5, depth)}, constants, opset=17)


def sparse():
    """64 of 256 elements are not zero: by their positions, and by row and column."""
    for name, indices in [
        ("sparse-initializer", np.arange(64) * 4),
        ("sparse-rows", np.stack([np.arange(64) // 2, np.arange(64) % 2 * 4], axis=1)),
    ]:
        values = floats("w", 64)
        places = numpy_helper.from_array(indices.astype(np.int64), "i")
        tensor = helper.make_sparse_tensor(values, places, [32, 8])
        write(name, [node("MatMul", ["x", "w"])], {"x": (4, 32)}, sparse=[tensor], opset=17)
    constant = node("Constant", [], ["w"], sparse_value=tensor)
    write("sparse-constant", [constant, node("MatMul", ["x", "w"])], {"x": (4, 32)}, opset=17)


def constants():
    nodes = [
        node("Constant", [], ["b"], value_floats=[1.0, 2.0, 3.0, 4.0]),
        node("Constant", [], ["c"], value_float=2.0),
        node("Constant", [], ["d"], value_ints=[2, 2]),
        node("Add", ["x", "b"], ["xb"]),
        node("Mul", ["xb", "c"], ["xc"]),
        node("Reshape", ["xc", "d"]),
    ]
    write("constants", nodes, {"x": (1, 4)}, opset=17)


def external():
    codes = np.tile(np.arange(2, dtype=np.uint8), 128)
    tensor = packed("w", TensorProto.INT4, 4, codes, [32, 8])
    raw = tensor.raw_data
    tensor.ClearField("raw_data")
    (FOLDER / "external.bin").write_bytes(b"\0" * 16 + raw)
    tensor.data_location = TensorProto.EXTERNAL
    for key, value in [("location", "external.bin"), ("offset", "16"), ("length", str(len(raw)))]:
        tensor.external_data.add(key=key, value=value)
    nodes = [node("DequantizeLinear", ["w", "s"], ["wf"]), node("MatMul", ["x", "wf"])]
    write("external", nodes, {"x": (4, 32)}, [tensor, floats("s", 8)], opset=21)


def attention():
    three = {"q": (1, 6, 16), "k": (1, 6, 16), "v": (1, 6, 16)}
    heads = {"q_num_heads": 2, "kv_num_heads": 2}
    write("attention", [node("Attention", list(three), **heads)], three)
    causal = node("Attention", list(three), is_causal=1, **heads)
    write("attention-causal", [causal], three)
    masked = node("Attention", [*three, "mask"], **heads)
    write("attention-mask", [masked], {**three, "mask": (6, 6)})
    # Four heads of queries for two of keys, 3 x 8 against 5 keys and 4 of a cache.
    four = {"q": (2, 4, 3, 8), "k": (2, 2, 5, 8), "v": (2, 2, 5, 6)}
    write("attention-4d", [node("Attention", list(four))], four)
    cache = {"p": (2, 2, 4, 8), "c": (2, 2, 4, 6)}
    nodes = [node("Attention", [*four, "", *cache], ["y", "pk", "pv"])]
    write("attention-cache", nodes, {**four, **cache}, outputs=["y", "pk", "pv"])
    own = {"x": (2, 6, 16)}
    weight = [floats("w", 16, 48), floats("b", 48)]
    write("own-attention", [microsoft("Attention", ["x", "w", "b"], num_heads=4)], own, weight, opset=17)
    nodes = [microsoft("MultiHeadAttention", list(three), num_heads=2)]
    write("multi-head", nodes, three, opset=17)
    other = {"q": (2, 3, 16), "k": (2, 5, 16), "v": (2, 5, 24)}
    nodes = [microsoft("MultiHeadAttention", [*other, "b"], num_heads=4)]
    write("multi-head-bias", nodes, other, [floats("b", 56)], opset=17)
    grouped = {"q": (2, 1, 32), "k": (2, 1, 16), "v": (2, 1, 16), "p": (2, 2, 4, 8), "c": (2, 2, 4, 8)}
    lengths = [
        numpy_helper.from_array(np.array([4, 4], np.int32), "lengths"),
        numpy_helper.from_array(np.array(5, np.int32), "all"),
    ]
    nodes = [
        microsoft("GroupQueryAttention", [*grouped, "lengths", "all"], ["y", "pk", "pv"],
                  num_heads=4, kv_num_heads=2)
    ]
    write("grouped", nodes, grouped, lengths, opset=17, outputs=["y", "pk", "pv"])


def normalizations():
    x, scale = {"x": (2, 3, 16)}, floats("g", 16)
    write("rms", [node("RMSNormalization", ["x", "g"])], x, [scale])
    write("simplified", [node("SimplifiedLayerNormalization", ["x", "g"], axis=-1)], x, [scale], opset=17)
    both = {"x": (2, 3, 16), "s": (2, 3, 16)}
    nodes = [microsoft("SkipLayerNormalization", ["x", "s", "g", "b"])]
    write("skip", nodes, both, [scale, floats("b", 16)], opset=17)
    nodes = [microsoft("SkipSimplifiedLayerNormalization", ["x", "s", "g"])]
    write("skip-simplified", nodes, both, [scale], opset=17)


def products():
    x = {"x": (3, 16)}
    weight, bias = floats("w", 16, 8), floats("b", 8)
    write("fused-matmul", [microsoft("FusedMatMul", ["x", "t"], transB=1, alpha=0.5)], x,
          [floats("t", 8, 16)], opset=17)
    write("fused-gemm", [microsoft("FusedGemm", ["x", "w", "b"], activation="Relu")], x, [weight, bias], opset=17)
    image = {"x": (1, 3, 8, 8)}
    nodes = [microsoft("FusedConv", ["x", "w", "b"], activation="Relu", kernel_shape=[3, 3])]
    write("fused-conv", nodes, image, [floats("w", 8, 3, 3, 3), bias], opset=17)
    int8 = numpy_helper.from_array(RANDOM.integers(-9, 9, (16, 8)).astype(np.int8), "w")
    scale = numpy_helper.from_array(np.array([0.1], np.float32), "s")
    nodes = [microsoft("DynamicQuantizeMatMul", ["x", "w", "s", "", "b"])]
    write("dynamic-quantize", nodes, x, [int8, scale, bias], opset=17)
    nodes = [node("Einsum", ["x", "w", "v"], equation="ij,jk,kl->il")]
    write("einsum", nodes, x, [weight, floats("v", 8, 5)], opset=17)
    parts = [floats("w", 4, 3, 3, 3), floats("o", 1, 18, 6, 6)]
    nodes = [node("DeformConv", ["x", "w", "o"], kernel_shape=[3, 3], pads=[0, 0, 0, 0])]
    write("deform", nodes, image, parts, opset=19)


weights()
attention()
normalizations()
products()
