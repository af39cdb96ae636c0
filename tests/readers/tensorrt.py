#!/usr/bin/env python3
"""Read files of TensorRT's trtexec without onnxray, to check its importer.

    python3 tests/readers/tensorrt.py profile.json [layers.json] [times.json]

Prints the figures of one launch as JSON. Reads well-formed JSON, and profiles,
whose names need not be escaped, line by line.
"""

import json
import re
import sys


def read_profile(text):
    count = int(re.search(r'"count" : (\d+)', text).group(1))
    layers = []
    for line in text.splitlines():
        found = re.match(r', \{ "name" : "(.*)", "timeMs" : (\S+), "averageMs" : (\S+)(?:, "medianMs" : (\S+))?,', line)
        if found:
            name, total, mean, median = found.groups()
            layers.append((name, float(mean), float(median) if median else None))
    return count, layers


def main(paths):
    profile, layers, iterations = None, None, None
    for path in paths:
        text = open(path, encoding="utf-8").read()
        if text.lstrip().startswith("{"):
            layers = json.loads(text)["Layers"]
        elif '"count"' in text[:40]:
            profile = read_profile(text)
        else:
            iterations = json.loads(text)
    # A list of name, type, mean, median.
    rows = []
    for layer in layers or []:
        if isinstance(layer, str):
            layer = {"Name": layer}
        kind = layer.get("LayerType", layer.get("ParameterType", ""))
        rows.append([layer["Name"], kind, None, None])
    if profile:
        mark = re.compile(r"\[profile \d+\]")
        marks = {tuple(mark.findall(name)) for name, _, _ in profile[1]}
        rows = [row for row in rows if tuple(mark.findall(row[0])) in marks]
        free = list(range(len(rows)))
        for name, mean, median in profile[1]:
            at = next((at for at in free if rows[at][0] == name), None)
            if at is None:
                rows.append([name, "", None, None])
                at = len(rows) - 1
            else:
                free.remove(at)
            rows[at][2] = mean * 1e6
            rows[at][3] = None if median is None else median * 1e6
    names = {}
    operators = {}
    for name, kind, mean, median in rows:
        names[name] = names.get(name, 0) + 1
        unique = name if names[name] == 1 else f"{name} ({names[name]})"
        operators[unique] = {
            "type": kind,
            "executions": None,
            "exclusive_ns": None,
            "mean_ns": mean,
            "median_ns": median,
        }
    count = None if iterations is None else len(iterations)
    print(json.dumps({"iterations": count, "events": None, "operators": operators}, indent=1))


if __name__ == "__main__":
    main(sys.argv[1:])
