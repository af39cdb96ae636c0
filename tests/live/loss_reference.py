"""Sensitivities of a loss profile, computed with NumPy and ONNX Runtime.

Prunes the weights of the profile in the bytes of the model, runs it, and prints how far the
profile's figures are from what comes out.
"""

import json
import sys

import numpy as np
import onnxruntime

TYPES = {1: np.float32, 2: np.uint8, 3: np.int8, 6: np.int32, 7: np.int64, 10: np.float16,
         11: np.float64}


def fields(data, start, end):
    """Numbers of the fields of a message, with their values or where these lie."""
    def varint():
        nonlocal start
        value = shift = 0
        while True:
            byte = data[start]
            start += 1
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value
    while start < end:
        key = varint()
        kind = key & 7
        if kind == 0:
            yield key >> 3, varint()
        else:
            size = varint() if kind == 2 else 4 if kind == 5 else 8
            yield key >> 3, (start, start + size)
            start += size


class Model:
    def __init__(self, path):
        self.data = bytearray(open(path, "rb").read())
        (graph,) = [place for number, place in fields(self.data, 0, len(self.data)) if number == 7]
        self.tensors, self.nodes = {}, []
        for number, place in fields(self.data, *graph):
            if number == 5:
                self.tensor(place)
            elif number == 1:
                self.node(place)

    def text(self, place):
        return bytes(self.data[place[0]:place[1]]).decode()

    def tensor(self, place, name=None):
        shape, kind, raw, typed = [], None, None, None
        for number, value in fields(self.data, *place):
            if number == 1:
                packed = isinstance(value, tuple)
                shape += list(self.integers(value)) if packed else [value]
            elif number == 2:
                kind = value
            elif number == 8 and name is None:
                name = self.text(value)
            elif number == 9:
                raw = value
            elif number == 4:
                typed = np.frombuffer(bytes(self.data[value[0]:value[1]]), np.float32)
            elif number == 5:
                typed = [n for n in self.integers(value)]
        self.tensors[name] = (shape, kind, raw, typed)

    def integers(self, place):
        value = shift = 0
        for byte in self.data[place[0]:place[1]]:
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                yield value - (1 << 64) if value >> 63 else value
                value = shift = 0

    def node(self, place):
        node = {"in": [], "out": [], "name": "", "type": "", "attributes": {}}
        tensor = None
        for number, value in fields(self.data, *place):
            if number in (1, 2):
                node["in" if number == 1 else "out"].append(self.text(value))
            elif number in (3, 4):
                node["name" if number == 3 else "type"] = self.text(value)
            elif number == 5:
                name = whole = None
                for inner, value in fields(self.data, *value):
                    if inner == 1:
                        name = self.text(value)
                    elif inner == 3:
                        whole = value
                    elif inner == 5:
                        tensor = value
                node["attributes"][name] = whole
        if node["type"] == "Constant" and tensor:
            self.tensor(tensor, node["out"][0])
        self.nodes.append(node)

    def array(self, name):
        shape, kind, raw, typed = self.tensors[name]
        if typed is not None:
            return np.array(typed, TYPES[kind]).reshape(shape)
        return np.frombuffer(bytes(self.data[raw[0]:raw[1]]), TYPES[kind]).reshape(shape)

    def with_array(self, name, array):
        start, end = self.tensors[name][2]
        data = bytearray(self.data)
        bytes_of = array.tobytes()
        assert end - start == len(bytes_of)
        data[start:end] = bytes_of
        return bytes(data)


def matrix(model, layer):
    """Distance from zero as outputs x inputs, and how to store such a matrix of truths."""
    weight = layer["weight"]
    stored = model.array(weight)
    node = next(node for node in model.nodes if (node["name"] or node["out"][0]) == layer["name"])
    reader = next(n for n in model.nodes if weight in n["in"] and n["type"] != "Constant")
    zero, scale, axis = np.zeros((), stored.dtype), 1.0, None
    if reader["type"] == "DequantizeLinear":
        scale = model.array(reader["in"][1]).astype(np.float64)
        zero = model.array(reader["in"][2])
        axis = reader["attributes"].get("axis", 1)
    elif reader["type"] == "MatMulInteger":
        zero, axis = model.array(reader["in"][3]), 1
    def along(values):
        values = np.asarray(values)
        if values.size == 1:
            return values.reshape(())
        shape = [1] * stored.ndim
        shape[axis] = -1
        return values.reshape(shape)
    distance = np.abs((stored.astype(np.float64) - along(zero).astype(np.float64)) * along(scale))
    if "Conv" in node["type"]:
        lie = lambda array: array.reshape(array.shape[0], -1)
        back = lambda array: array.reshape(stored.shape)
    elif node["type"] == "Gemm" and node["attributes"].get("transB"):
        lie = back = lambda array: array
    else:
        lie = back = lambda array: array.T
    zeros = np.broadcast_to(along(zero), stored.shape)
    return stored, zeros, lie(distance), back


def pruned(matrix, block, level):
    """Which elements of a matrix go."""
    rows, columns = block
    down, across = matrix.shape[0] // rows, matrix.shape[1] // columns
    whole = matrix[:down * rows, :across * columns].reshape(down, rows, across, columns)
    sums = whole.sum(axis=(1, 3)).reshape(-1)
    gone = np.argsort(sums, kind="stable")[:int(np.floor(level * sums.size + 0.5))]
    truths = np.zeros((down, rows, across, columns), bool)
    truths[gone // across, :, gone % across, :] = True
    mask = np.zeros(matrix.shape, bool)
    mask[:down * rows, :across * columns] = truths.reshape(down * rows, across * columns)
    return mask


def log_softmax(values):
    values = values.astype(np.float64)
    values = values - values.max(axis=-1, keepdims=True)
    return values - np.log(np.exp(values).sum(axis=-1, keepdims=True))


def divergence(measure, dense, pruned):
    if measure == "relative_l2":
        dense, pruned = dense.astype(np.float64), pruned.astype(np.float64)
        return np.linalg.norm((pruned - dense).ravel()) / np.linalg.norm(dense.ravel())
    p, q = log_softmax(dense), log_softmax(pruned)
    return (np.exp(p) * (p - q)).sum(axis=-1).mean()


def run(data, inputs):
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    session = onnxruntime.InferenceSession(data, options, providers=["CPUExecutionProvider"])
    return session.run(None, inputs)


def cross_entropy(outputs, labels):
    """Of each label, and the share that has the largest logit."""
    logits = np.concatenate([batch[0] for batch in outputs])
    entropies = -log_softmax(logits)[np.arange(len(labels)), labels]
    return entropies, (logits.argmax(axis=-1) == labels).mean()


def standard_error(values):
    return np.std(values, ddof=1) / np.sqrt(len(values))


def main(path, profile, *batches):
    labels = [np.load(batch) for batch in batches if batch.endswith(".npy")]
    batches = [batch for batch in batches if batch.endswith(".npz")]
    model, profile = Model(path), json.load(open(profile))
    block = [int(size) for size in profile["run"]["block"].split("x")]
    measures = [output["measure"] for output in profile["run"]["outputs"]]
    batches = [dict(np.load(batch)) for batch in batches]
    dense = [run(bytes(model.data), batch) for batch in batches]
    worst = {"points": 0, "l1": 0.0, "l2": 0.0, "pruned": 0, "divergence": 0.0, "largest": 0.0,
             "loss": 0.0, "scatter": 0.0}
    if labels:
        before = cross_entropy(dense, labels[0])
        own = profile["dense"]
        worst["loss"] = max(abs(own["loss"] - before[0].mean()), abs(own["accuracy"] - before[1]))
    for layer in profile["layers"]:
        stored, zeros, distance, back = matrix(model, layer)
        for point in layer["points"]:
            mask = pruned(distance, block, point["level"])
            l1 = distance[mask].sum() / distance.sum()
            l2 = np.sqrt((distance[mask] ** 2).sum() / (distance ** 2).sum())
            changed = model.with_array(layer["weight"], np.where(back(mask), zeros, stored))
            outputs = [run(changed, batch) for batch in batches]
            scattered = max(
                ([divergence(measure, one[at], other[at]) for one, other in zip(dense, outputs)]
                 for at, measure in enumerate(measures)), key=np.mean)
            expected = np.mean(scattered)
            found = point["measured"]["divergence"]
            # In units of what they may be off: 1e-4 of it, or 1e-7 if that is more.
            off = abs(found - expected) / max(1e-4 * abs(expected), 1e-7)
            if labels:
                now = cross_entropy(outputs, labels[0])
                worst["loss"] = max(
                    worst["loss"],
                    abs(point["measured"]["loss_change"] - (now[0] - before[0]).mean()),
                    abs(point["measured"]["accuracy_change"] - (now[1] - before[1])))
                scattered = now[0] - before[0]
            scatter = point["measured"]["scatter"]
            assert scatter["count"] == len(scattered)
            # Of a difference of nearly equal numbers in single precision.
            off_by = abs(scatter["standard_error"] - standard_error(scattered))
            worst["scatter"] = max(worst["scatter"], off_by / max(1e-3 * abs(expected), 1e-6))
            worst["points"] += 1
            worst["pruned"] = max(worst["pruned"], abs(point["pruned"] - int(mask.sum())))
            worst["l1"] = max(worst["l1"], abs(point["l1"] - l1))
            worst["l2"] = max(worst["l2"], abs(point["l2"] - l2))
            worst["divergence"] = max(worst["divergence"], off)
            worst["largest"] = max(worst["largest"], expected)
    print(json.dumps({key: float(value) for key, value in worst.items()}))


main(*sys.argv[1:])
