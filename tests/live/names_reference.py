"""What ONNX Runtime's own profiles say of the nodes of a model, by another reader than ours.

Arguments: the model, and the folder of the profiles. Prints, for each node that was executed, in
the order of execution: its type, the node of the model that its name is of, if any, and its
microseconds in all runs.
"""

import json
import pathlib
import re
import sys

import onnx

MODEL, PROFILES = map(pathlib.Path, sys.argv[1:])
ADDED = re.compile(r"(_token_\d+|_nchwc|/duplicated|/\w+Fusion/?)$|^fused ")


def names(nodes):
    for node in nodes:
        yield node.name
        for attribute in node.attribute:
            yield from names(attribute.g.node)


def own(name):
    while name not in KNOWN and ADDED.search(name):
        if name.endswith("_nchwc") and name.removesuffix("_nchwc") in PRODUCERS:
            return PRODUCERS[name.removesuffix("_nchwc")]
        name = ADDED.sub("", name, count=1)
    return name if name in KNOWN else None


NODES = onnx.load(MODEL, load_external_data=False).graph.node
KNOWN = set(names(NODES)) - {""}
PRODUCERS = {output: node.name for node in NODES for output in node.output if node.name}
order, times = [], {}
for profile in sorted(PROFILES.iterdir()):
    for event in json.loads(profile.read_text()):
        if event["cat"] == "Node" and event["name"].endswith("_kernel_time"):
            name = event["name"].removesuffix("_kernel_time")
            key = (name, event["args"]["op_name"], event["args"]["node_index"])
            if key not in times:
                order.append(key)
            times[key] = times.get(key, 0) + event["dur"]
print(json.dumps([[kind, own(name), times[name, kind, index]] for name, kind, index in order]))
