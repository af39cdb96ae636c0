"""Prints the verdict on the latency, from a comparison or a judgement as JSON, and its first line."""

import json
import sys

report = json.load(sys.stdin)
rows = report.get("inference", [])
verdicts = [row["verdict"] for row in rows if row.get("verdict")]
if "judge" in report:
    verdicts = [report["judge"]["verdict"]]
print("not comparable" if sys.argv[1] == "4" else verdicts[0] if verdicts else "not tested")
print(" ".join(" ".join(report.get("headline", [])[:1]).split()))
