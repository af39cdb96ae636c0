"""Time per operator type of an ONNX Runtime profile, by Polars."""

import json
import sys

import polars

events = polars.read_json(sys.argv[1])
rows = (
    events.filter(polars.col("cat") == "Node", polars.col("name").str.ends_with("_kernel_time"))
    .group_by(polars.col("args").struct.field("op_name"))
    .agg(polars.col("dur").sum())
    .rows()
)
print(json.dumps(dict(rows)))
