"""Time per operator type of an ONNX Runtime profile, by DuckDB."""

import json
import sys

import duckdb

rows = duckdb.execute(
    """
    SELECT args['op_name'], sum(dur)
    FROM read_json_auto(?)
    WHERE cat = 'Node' AND name LIKE '%\\_kernel\\_time' ESCAPE '\\'
    GROUP BY 1
    """,
    [sys.argv[1]],
).fetchall()
print(json.dumps({name: int(time) for name, time in rows}))
