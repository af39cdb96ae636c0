"""Makes models for tests of mixes: pairs of each kind in which two models may differ.

Arguments: the folder of the bundled models, and the folder to write to.
"""

import pathlib
import sys

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

BUNDLED, OUT = map(pathlib.Path, sys.argv[1:])
HALF, FLOAT, BOOL = TensorProto.FLOAT16, TensorProto.FLOAT, TensorProto.BOOL
node, value = helper.make_node, helper.make_tensor_value_info


def bundled(name):
    return onnx.load(BUNDLED / f"{name}.onnx")


def constant(name, elements, kind=np.float32):
    return numpy_helper.from_array(np.array(elements, kind), name)


def write(name, nodes, constants, inputs, outputs, functions=(), sparse=()):
    graph = helper.make_graph(nodes, "graph", inputs, outputs, constants, sparse_initializer=sparse)
    sets = [helper.make_opsetid("", 17), helper.make_opsetid("local", 1)]
    model = helper.make_model(graph, opset_imports=sets, ir_version=8, functions=functions)
    onnx.checker.check_model(model)
    onnx.save(model, OUT / f"{name}.onnx")


def halved():
    """The CNN in 16 bits, from behind its input to before its output: tensors keep their names."""
    model = bundled("cnn")
    graph = model.graph
    ends = {graph.input[0].name, graph.output[0].name}
    half = lambda tensor: numpy_helper.from_array(
        numpy_helper.to_array(tensor).astype(np.float16), tensor.name)
    for tensor in graph.initializer:
        if tensor.data_type == FLOAT:
            tensor.CopyFrom(half(tensor))
    for own in graph.node:
        for names in (own.input, own.output):
            names[:] = [f"{name}_half" if name in ends else name for name in names]
        for attribute in own.attribute:
            if attribute.type == onnx.AttributeProto.TENSOR and attribute.t.data_type == FLOAT:
                attribute.t.CopyFrom(half(attribute.t))
    given, result = graph.input[0].name, graph.output[0].name
    graph.node.insert(0, node("Cast", [given], [f"{given}_half"], to=HALF))
    graph.node.append(node("Cast", [f"{result}_half"], [result], to=FLOAT))
    onnx.save(model, OUT / "cnn-half.onnx")


def weighted(name):
    """A bundled model with other weights: only constants differ."""
    model = bundled(name)
    for tensor in model.graph.initializer:
        elements = numpy_helper.to_array(tensor)
        if elements.dtype == np.float32 and elements.size > 4:
            tensor.CopyFrom(numpy_helper.from_array(elements * np.float32(1.25), tensor.name))
    onnx.save(model, OUT / f"{name}-weighted.onnx")


def apart(name):
    """A bundled model whose weights lie in another file, which is called the same for all."""
    folder = OUT / f"{name}-apart"
    folder.mkdir()
    onnx.save(bundled(name), folder / "model.onnx", save_as_external_data=True,
              location="weights.bin", size_threshold=64)


def captured(name, is_b):
    """Bodies, in bodies, that read what is around them."""
    def body(*nodes):
        return helper.make_graph(nodes, "body", [], [value(nodes[-1].output[0], FLOAT, None)])

    inner = [body(node("Add", ["scaled", "weight"], ["sum"])),
             body(node("Identity", ["turned"], ["same"]))]
    nested = node("If", ["is_small"], ["chosen"], then_branch=inner[0], else_branch=inner[1])
    bodies = [body(nested), body(node("Mul", ["turned", "weight"], ["product"]))]
    detour = [node("Mul", ["x", "factor"], ["inside"]), node("Neg", ["inside"], ["negated"]),
              node("Neg", ["negated"], ["scaled"])]
    nodes = detour if is_b else [node("Mul", ["x", "factor"], ["scaled"])]
    nodes += [
        node("Sin" if is_b else "Neg", ["scaled"], ["turned"]),
        node("ReduceSum", ["scaled"], ["total"], keepdims=0),
        node("Greater", ["total", "zero"], ["is_large"]),
        node("Not", ["is_large"], ["is_small"]) if is_b else
        node("LessOrEqual", ["total", "large"], ["is_small"]),
        node("If", ["is_large"], ["picked"], then_branch=bodies[0], else_branch=bodies[1]),
        node("Tanh", ["picked"], ["y"]),
    ]
    constants = [constant("factor", [1.5]), constant("weight", [2 if is_b else 1]),
                 constant("zero", -1e3), constant("large", 1e3)]
    write(name, nodes, constants, [value("x", FLOAT, [1, 8])], [value("y", FLOAT, [1, 8])])


def named(name, is_b):
    """Names that mean something else in the other model, or that a mix might make up; nodes with
    several outputs, inputs left out, functions, sparse constants, and an output in two types."""
    function = helper.make_function(
        "local", "Twice", ["of"], ["twice"], [node("Add", ["of", "of"], ["twice"])],
        [helper.make_opsetid("", 17)])
    shape = [1, 8]
    if is_b:
        nodes = [
            # A has `weight` as a constant.
            node("Mul", ["packed", "unit"], ["weight"]),
            node("Mul", ["x", "weight"], ["first"]),
            node("Split", ["first"], ["right", "left"], axis=1),
            node("Clip", ["left", "", "bound"], ["left_b"]),
            node("Twice", ["left_b"], ["low"], domain="local"),
            node("Abs", ["right"], ["high"]),
            node("Concat", ["low", "high"], ["both"], axis=1),
            node("Cast", ["both"], ["both_cast"], to=HALF),
            node("Add", ["both_cast", "shift"], ["moved"]),
            node("Cast", ["moved"], ["moved_cast"], to=FLOAT),
            node("Exp", ["moved_cast"], ["grown"]),
            node("Cast", ["grown"], ["y"], to=HALF),
            node("Relu", ["first"], ["z"]),
        ]
        constants = [constant("packed", [4]), constant("unit", [0.5]), constant("bound", 0.5),
                     constant("shift", [0.25], np.float16)]
        outputs = [value("z", FLOAT, shape), value("y", HALF, shape)]
        sparse = []
    else:
        nodes = [
            node("Mul", ["x", "weight"], ["first_b"]),
            node("Neg", ["first_b"], ["first"]),
            node("Split", ["first"], ["left", "right"], axis=1),
            node("Twice", ["left"], ["low_a"], domain="local"),
            node("Clip", ["low_a", "bound"], ["low"]),
            node("Sqrt", ["spread"], ["high_b"]),
            node("Mul", ["right", "high_b"], ["high"]),
            node("Concat", ["low", "high"], ["both"], axis=1),
            node("Identity", ["both"], ["moved_cast"]),
            node("Sub", ["moved_cast", "shift"], ["moved"]),
            node("Sigmoid", ["moved"], ["y"]),
            node("Abs", ["first"], ["z"]),
        ]
        constants = [constant("weight", [3]), constant("bound", -0.5), constant("shift", [0.75])]
        outputs = [value("y", FLOAT, shape), value("z", FLOAT, shape)]
        sparse = [helper.make_sparse_tensor(
            constant("spread", [2, 3]), constant("at", [1, 3], np.int64), [4])]
    write(name, nodes, constants, [value("x", FLOAT, shape)], outputs, [function], sparse)


halved()
for name in ("scan", "lstm"):
    weighted(name)
for name in ("cnn", "cnn-int8"):
    apart(name)
for name, is_b in (("a", False), ("b", True)):
    captured(f"captured-{name}", is_b)
    named(f"named-{name}", is_b)
