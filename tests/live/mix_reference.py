"""What mixes of two models compute, by a second implementation.

Both models are put into one graph, whole, each with names of its own. What reads a tensor that
both compute reads it of the model that was chosen, in the type that it has in the reader's model.

Argument: a file that lists pairs of models and mixes of them. Prints, for each pair, what was
seen, and the mixes that are no valid models or that compute another bit.
"""

import json
import sys

import numpy as np
import onnx
import onnxruntime
from onnx import helper


def run(model, feed):
    """Outputs by name. Nothing is optimized: nodes compute what they say, in any company."""
    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    options.log_severity_level = 4
    source = model if isinstance(model, str) else model.SerializeToString()
    session = onnxruntime.InferenceSession(source, options, ["CPUExecutionProvider"])
    names = [output.name for output in session.get_outputs()]
    return dict(zip(names, session.run(names, feed)))


def bodies(node):
    return [body for own in node.attribute for body in ([own.g] if own.HasField("g") else own.graphs)]


def reads(node):
    """What a node reads, itself or in its bodies; of these also what they define themselves."""
    inside = [own for body in bodies(node) for own in body.node]
    handed_on = [output.name for body in bodies(node) for output in body.output]
    return [*node.input, *handed_on, *(name for own in inside for name in reads(own))]


def behind(nodes, wanted):
    """The nodes that these tensors are computed by, each behind what it reads."""
    producers = {output: node for node in nodes for output in node.output if output}
    order, seen = [], set()

    def visit(name):
        node = producers.get(name)
        if node is not None and id(node) not in seen:
            seen.add(id(node))
            for read in reads(node):
                visit(read)
            order.append(node)

    for name in wanted:
        visit(name)
    return order


def stored(graph):
    """The tensors that hold the graph's constants."""
    return [*graph.initializer, *(sparse.values for sparse in graph.sparse_initializer)]


def rename(graph, read, made):
    """Gives new names to all tensors of a graph and of the bodies in it: to what reads them, and
    where they are made."""
    for own in [*graph.input, *stored(graph)]:
        own.name = made(own.name)
    for own in graph.output:
        own.name = read(own.name)
    for node in graph.node:
        node.name = ""
        node.input[:] = [own and read(own) for own in node.input]
        node.output[:] = [own and made(own) for own in node.output]
        for body in bodies(node):
            rename(body, read, made)
    del graph.value_info[:]


class Model:
    def __init__(self, path):
        self.path = path
        self.file = onnx.load(path)
        graph = self.file.graph
        constants = {tensor.name for tensor in stored(graph)}
        self.inputs = {own.name: own for own in graph.input if own.name not in constants}
        self.outputs = [output.name for output in graph.output]
        live = behind(graph.node, self.outputs)
        made = {output: node for node in live for output in node.output if output}
        is_constant = lambda node: (node.op_type, node.domain) == ("Constant", "")
        self.computed = {name for name, node in made.items() if not is_constant(node)}
        read = {name for node in live for name in reads(node)}
        self.known = set(made) | constants & (read | set(self.outputs))

    def types(self, names, feed):
        """Types of elements, as seen in a run with these tensors as outputs."""
        model = onnx.ModelProto()
        model.CopyFrom(self.file)
        missing = [name for name in names if name not in self.outputs]
        model.graph.output.extend(onnx.ValueInfoProto(name=name) for name in missing)
        return {name: array.dtype for name, array in run(model, feed).items()}


def made_up(inputs, sizes):
    """Inputs by name: integers are tokens, or say yes or no of them."""
    chance = np.random.default_rng(3)
    feed = {}
    for own in inputs:
        tensor = own.type.tensor_type
        kind = helper.tensor_dtype_to_np_dtype(tensor.elem_type)
        shape = [axis.dim_value or sizes.get(axis.dim_param, 1) for axis in tensor.shape.dim]
        most = 2 if "mask" in own.name or "type" in own.name else 100
        is_whole = np.issubdtype(kind, np.integer)
        elements = chance.integers(0, most, shape) if is_whole else chance.standard_normal(shape)
        feed[own.name] = elements.astype(kind)
    return feed


class Pair:
    def __init__(self, a, b, sizes):
        self.models = {"a": Model(a), "b": Model(b)}
        a, b = self.models.values()
        # What A holds and B computes, such as weights that are unpacked, is B's own matter.
        self.shared = a.computed & b.known
        self.feed = made_up(a.inputs.values(), sizes)
        self.has_sparse = any(own.file.graph.sparse_initializer for own in (a, b))
        # B may lack an input that it does not need.
        feeds = [{name: self.feed[name] for name in model.inputs} for model in (a, b)]
        self.types = {side: model.types(self.shared, feed)
                      for (side, model), feed in zip(self.models.items(), feeds)}
        self.alone = [run(model.path, feed) for model, feed in zip((a, b), feeds)]

    def mixed(self, from_b):
        """The outputs of a mix, in the order of A's."""
        graphs, casts = [], []
        for side, model in self.models.items():
            def made(name):
                return name if name in model.inputs else f"{side} {name}"

            def read(name):
                if name not in self.shared:
                    return made(name)
                chosen = "b" if name in from_b else "a"
                types = [self.types[own][name] for own in (chosen, side)]
                if types[0] == types[1]:
                    return f"{chosen} {name}"
                cast = f"{name} as {side}"
                kind = helper.np_dtype_to_tensor_dtype(types[1])
                casts.append(helper.make_node("Cast", [f"{chosen} {name}"], [cast], to=kind))
                return cast

            graphs.append(onnx.GraphProto())
            graphs[-1].CopyFrom(model.file.graph)
            rename(graphs[-1], read, made)
        a, b = (model.file for model in self.models.values())
        outputs = [output.name for output in graphs[0].output]
        graph = helper.make_graph(
            behind([*graphs[0].node, *graphs[1].node, *casts], outputs), "mix",
            list(self.models["a"].inputs.values()),
            [onnx.ValueInfoProto(name=name) for name in outputs],
            [*graphs[0].initializer, *graphs[1].initializer],
            sparse_initializer=[*graphs[0].sparse_initializer, *graphs[1].sparse_initializer])
        sets = {own.domain: own for own in [*a.opset_import, *b.opset_import]}
        functions = {(own.domain, own.name): own for own in [*a.functions, *b.functions]}
        return list(run(helper.make_model(
            graph, opset_imports=sets.values(), functions=functions.values(),
            ir_version=max(a.ir_version, b.ir_version)), self.feed).values())

    def itself(self, side):
        """What A or B computes, in the order and the types of A's outputs."""
        a, own = self.alone[0], self.alone[side]
        return [own[name].astype(array.dtype) for name, array in a.items()]


def bits(outputs):
    return [(str(array.dtype), array.shape, array.tobytes()) for array in outputs]


def check(pair):
    """What is wrong about mixes of a pair, and how many different results there are."""
    reference = Pair(pair["a"], pair["b"], pair["sizes"])
    wrong, results, casts = [], set(), 0
    for number, (path, from_b) in enumerate(pair["mixes"]):
        try:
            # Its inference of shapes takes sparse constants for what no operator reads.
            onnx.checker.check_model(path, full_check=not reference.has_sparse)
            expected = bits(reference.mixed(set(from_b)))
            if bits(run(path, reference.feed).values()) != expected:
                wrong.append(f"{path}: computes something else")
            # The first two are A and B themselves.
            if number < 2 and bits(reference.itself(number)) != expected:
                wrong.append(f"{path}: is not what {'AB'[number]} computes")
        except Exception as error:
            wrong.append(f"{path}: {error}")
            continue
        results.add(str(expected))
        nodes = onnx.load(path, load_external_data=False).graph.node
        casts = max(casts, sum(node.op_type == "Cast" for node in nodes))
    return {"wrong": wrong, "results": len(results), "casts": casts}


sys.setrecursionlimit(10_000)  # long models are deep
print(json.dumps({pair["name"]: check(pair) for pair in json.load(open(sys.argv[1]))}))
