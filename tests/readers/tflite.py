#!/usr/bin/env python3
"""Reads op profiles of TensorFlow Lite: python3 tests/readers/tflite.py FILE..."""

import json
import re
import sys

NUMBER = r"[-+]?(?:nan|inf|[\d.]+(?:e[-+]?\d+)?)%?"


def rows(lines):
    """Rows of the first table with a run order, up to the line that ends it."""
    header = re.search(r"(\[)?node type\]?.*", lines[0])
    old = bool(header[1])
    titles = re.findall(r"\[([^\]]*)\]", header[0]) if old else header[0].split(",")
    titles = [title.strip().replace("_", " ").lower() for title in titles][1:-1]
    gap = r"\s+" if old else r",\s*"
    row = re.compile(r"(.*?)" + "".join(rf"{gap}({NUMBER})" for _ in titles) + gap + r"(\S.*)$")
    prefix = len(lines[0][: header.start()].rstrip())
    for line in lines[1:]:
        text = line[prefix:].strip()
        if not text or text.startswith(("=", "Number of nodes")):
            return
        found = row.match(text)
        if found:
            values = dict(zip(titles, (float(v.rstrip("%")) for v in found.groups()[1:-1])))
            if values["avg ms"] >= 0:
                name = found.groups()[-1] if old else found.groups()[-1].replace("\t", ",")
                yield found[1].strip(), values, name


def sections(lines):
    """Graph, lines of the table and timings of each section of the regular runs."""
    starts = [n for n, line in enumerate(lines) if "for Regular Benchmark Runs" in line]
    begin = starts[0] if starts else 0
    end = starts[1] if len(starts) > 1 else len(lines)
    graph, found = "Primary", []
    for number in range(begin, end):
        line = lines[number]
        heading = re.search(r"(Subgraph \(index: \d+|Delegate internal|Primary graph).*:\s*$", line)
        if "Benchmark Initialization" in line:
            break
        if heading and "Timings" not in line:
            graph = heading[1]
        elif re.search(r"=== (Run Order|Top by)", line) and not any(f[0] == graph for f in found):
            found.append([graph, lines[number + 1 :], None])
        elif "Timings (microseconds):" in line and found:
            count = re.search(r"count=(\d+)", line)
            found[-1][2] = int(count[1]) if count else None
    return found


def read(path):
    with open(path, encoding="utf-8", newline="") as file:
        lines = [line.rstrip("\r\n") for line in file]
    nodes = []
    for graph, table, count in sections(lines):
        for kind, values, name in rows(table):
            called = values.get("times called", 0)
            nodes.append({"graph": graph, "kind": kind, "name": name, "start": values.get("start"), "average": values["avg ms"], "called": called})
    for node in nodes:
        node["total"] = node["average"] * max(node["called"], 1) * 1e6
        node["inside"] = 0.0
    around = [node for node in nodes if node["graph"].startswith("Primary")]
    delegates = [node for node in around if "Delegate" in node["kind"] and node["kind"] != "DelegateOpInvoke"]
    loops = [node for node in around if node["kind"] in ("WHILE", "IF")]
    for node in nodes:
        holders = delegates if node["graph"].startswith("Delegate") else loops if node["graph"].startswith("Subgraph") else []
        if len(holders) > 1:
            within = lambda h: node["start"] is not None and h["start"] - 0.001 <= node["start"] <= h["start"] + h["average"] + 0.001
            holders = [h for h in holders if within(h)][-1:] or [None]
        node["unknown"] = holders == [None]
        if holders and holders[0]:
            holders[0]["inside"] += node["total"]
    operators = {}
    for node in nodes:
        bracketed = re.fullmatch(r"\[(.*)\](?::\d+)?", node["name"])
        name = bracketed[1] if bracketed else node["name"].removeprefix("Delegate/")
        count, candidate = 1, name
        while candidate in operators:
            count += 1
            candidate = f"{name} ({count})"
        kind = node["name"].removeprefix("Delegate/").rsplit(":", 1)[0] if node["name"].startswith("Delegate/") else node["kind"]
        operators[candidate] = {
            "type": kind.split(" (")[0] if " (" in kind else kind.split("/")[0],
            "executions": None if node["unknown"] or not node["called"] else node["called"],
            "exclusive_ns": None,
            "mean_ns": None if node["unknown"] else max(0.0, node["total"] - node["inside"]),
            "median_ns": None,
        }
    return {"iterations": None, "events": None, "operators": operators}


for path in sys.argv[1:]:
    print(json.dumps(read(path)))
