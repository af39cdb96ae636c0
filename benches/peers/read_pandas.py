"""Time per operator type of an ONNX Runtime profile, by pandas, read by orjson."""

import json
import sys
from pathlib import Path

import orjson
import pandas

events = pandas.DataFrame(orjson.loads(Path(sys.argv[1]).read_bytes()))
nodes = events[(events["cat"] == "Node") & events["name"].str.endswith("_kernel_time")]
sums = nodes.groupby(nodes["args"].str["op_name"])["dur"].sum()
print(json.dumps({name: int(time) for name, time in sums.items()}))
