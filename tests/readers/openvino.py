#!/usr/bin/env python3
"""Read files of OpenVINO's benchmark_app without onnxray, to check its importer.

    python3 tests/readers/openvino.py counters.csv [execution_graph.xml]

Prints the figures of one launch as JSON. Knows reports of counters as CSV and
JSON, sorted ones as well, execution graphs, and the layers of DL Workbench.
"""

import csv
import io
import json
import sys
import xml.etree.ElementTree as ElementTree


def from_csv(text):
    """Blocks of rows: name, status, type, milliseconds."""
    if text.startswith("layerName,"):
        rows = [row for row in csv.reader(io.StringIO(text)) if len(row) == 7][1:]
        return [[(row[0], row[1], row[2], float(row[4])) for row in rows]]
    blocks = []
    for line in text.splitlines():
        fields = line.strip().split(";")
        if line.startswith("layerName;"):
            blocks.append([])
            columns = len(fields)
        elif len(fields) >= columns and fields[:2] != ["Total", ""]:
            extra = len(fields) - columns
            name = ";".join(fields[: extra + 1])
            status, kind, _, time = fields[extra + 1 : extra + 5]
            blocks[-1].append((name, status, kind, float(time)))
    return blocks


def from_workbench(text):
    rows = []
    for line in text.splitlines()[1:]:
        order, rest = line.split(";", 1)
        name, kind, time, _ = rest.rsplit(";", 3)
        status = "EXECUTED" if float(time) else ""
        rows.append((int(order), name, status, kind, float(time)))
    return [[row[1:] for row in sorted(rows)]]


def from_json(text):
    document = json.loads(text)
    blocks = document.get("detailed_performance") or [document["avg_performance"]]
    return [
        [(n["name"], n["status"], n["node_type"], float(n["real_time"])) for n in block["nodes"]]
        for block in blocks
    ]


def from_graph(text):
    """One block, without constants and what is computed of constants alone."""
    root = ElementTree.fromstring(text)
    sources = {}
    for edge in root.iter("edge"):
        sources.setdefault(edge.get("to-layer"), set()).add(edge.get("from-layer"))
    constants, block = set(), []
    for layer in root.iter("layer"):
        data = layer.find("data")
        kind, read = layer.get("type"), sources.get(layer.get("id"), set())
        if kind == "Const" or (read and read <= constants):
            constants.add(layer.get("id"))
            continue
        time = data.get("execTimeMcs")
        executed = time != "not_executed"
        status = "EXECUTED" if executed else time
        block.append((layer.get("name"), status, kind, float(time) / 1000 if executed else 0.0))
    return [block]


def main(paths):
    blocks, graph = None, None
    for path in paths:
        text = open(path, encoding="utf-8").read()
        if text.startswith("<"):
            graph = from_graph(text)
        elif text.startswith("Execution Order"):
            blocks = from_workbench(text)
        elif text.startswith("layerName"):
            blocks = from_csv(text)
        elif text.startswith("{"):
            blocks = from_json(text)
    # The graph adds nothing to the figures of counters.
    times, kinds = {}, {}
    for block in blocks or graph:
        names = {}
        for name, status, kind, time in block:
            names[name] = names.get(name, 0) + 1
            unique = name if names[name] == 1 else f"{name} ({names[name]})"
            kinds[unique] = kind
            times.setdefault(unique, [])
            if status.removeprefix("Status.") == "EXECUTED":
                times[unique].append(time * 1e6)
    operators = {
        name: {
            "type": kinds[name],
            "executions": None,
            "exclusive_ns": None,
            "mean_ns": sum(all_) / len(all_) if all_ else None,
            "median_ns": None,
        }
        for name, all_ in times.items()
    }
    print(json.dumps({"iterations": None, "events": None, "operators": operators}, indent=1))


if __name__ == "__main__":
    main(sys.argv[1:])
