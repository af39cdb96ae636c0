#!/usr/bin/env python3
"""Reads what tract prints with --profile --json: python3 tests/readers/tract.py FILE..."""

import json
import re
import sys


def records(text):
    """Nodes of the document, or of what is there of it."""
    try:
        return json.loads(text)["nodes"]
    except ValueError:
        found = []
        decoder = json.JSONDecoder()
        for match in re.finditer(r'\{\s*"qualified_id"', text):
            try:
                found.append(decoder.raw_decode(text, match.start())[0])
            except ValueError:
                continue
        return found


def read(path):
    with open(path, encoding="utf-8") as file:
        nodes = records(file.read())
    operators = {}
    order = lambda node: [*(step[0] for step in node["qualified_id"][0]), node["qualified_id"][1]]
    for node in sorted(nodes, key=order):
        seconds = node.get("secs_per_iter")
        if seconds is None and node["op_name"] in ("Const", "Source"):
            continue
        in_loop = any(step[1] == "loop" for step in node["qualified_id"][0])
        name, count = node["node_name"], 1
        while name in operators:
            count += 1
            name = f"{node['node_name']} ({count})"
        operators[name] = {
            "type": node["op_name"],
            "executions": None if seconds is None or in_loop else 1,
            "exclusive_ns": None,
            "mean_ns": None if seconds is None else seconds * 1e9,
            "median_ns": None,
        }
    return {"iterations": None, "events": None, "operators": operators}


for path in sys.argv[1:]:
    print(json.dumps(read(path)))
