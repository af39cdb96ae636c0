#!/usr/bin/env python3
"""Count an ONNX Runtime profile without the program that is tested.

    python3 tests/readers/onnxruntime.py FILE...

prints one JSON document per file. A profile has one event per line, and the
runtime writes its members always in the same order, so that a line is read by a
regular expression: names that make the line invalid JSON do not matter. The file
is in the order of ends; read backwards, an event comes before all that lie in
it. Those of one graph are told apart by name, type, number and the path of
nodes that they lie in. Extra members for the tests: `parent` of
operators, `per_iteration` (events by iteration) and `outside` (in none).
"""

import bisect
import gzip
import json
import re
import sys

LINE = re.compile(
    r'\{"cat" : "(?P<category>\w+)","pid" :(?P<pid>\d+),"tid" :(?P<tid>\d+),"dur" :(?P<dur>\d+),'
    r'"ts" :(?P<ts>\d+),"ph" : "X","name" :"(?P<name>.*)","args" : \{(?P<args>.*)\}\},?$'
)
# So many runs at once, at most.
MOST_AT_ONCE = 64
HOLDERS = {"Loop", "If", "Scan"}


def events_of(path):
    events = []
    opened = gzip.open if path.endswith(".gz") else open
    with opened(path, "rt", encoding="utf-8", errors="replace") as lines:
        for line in lines:
            match = LINE.match(line.rstrip("\n"))
            if match:
                event = match.groupdict()
                event.update({key: int(event[key]) for key in ("pid", "tid", "dur", "ts")})
                events.append(event)
    return events


def unescaper(names):
    """Versions from 1.31 on escape names. In theirs, quotes and backslashes stand
    behind a backslash, every one."""
    text = re.compile(r'(?:[^"\\]|\\["\\]|\\u[0-9a-fA-F]{4})*\Z')
    if all(text.match(name) for name in names):
        return lambda name: json.loads(f'"{name}"', strict=False)
    return lambda name: name


def argument(event, key):
    match = re.search(rf'"{key}" : "([^"]*)"', event["args"])
    return match.group(1) if match else None


def read(path):
    events = events_of(path)
    runs = sorted(
        (event for event in events if event["name"] == "model_run" and event["category"] != "Node"),
        key=lambda event: (event["ts"], event["dur"]),
    )
    nodes = [event for event in events if event["category"] == "Node" and event["name"].endswith("_kernel_time")]
    unescape = unescaper([node["name"] for node in nodes])

    # Backwards: the innermost event that began no later holds the next one.
    open_events = {}
    for node in reversed(nodes):
        stack = open_events.setdefault(node["tid"], [])
        while stack and stack[-1]["ts"] > node["ts"]:
            stack.pop()
        holder = stack[-1] if stack else None
        stack.append(node)
        node["own"] = node["dur"]
        node["path"] = ()
        if holder:
            holder["own"] -= node["dur"]
            inside = argument(holder, "op_name") in HOLDERS
            node["path"] = holder["path"] + ((holder["key"],) if inside else ())
        kind = argument(node, "op_name") or ""
        name = unescape(node["name"])[: -len("_kernel_time")] or kind
        number = argument(node, "node_index") or argument(node, "exec_plan_index")
        node["key"] = (node["path"], name, kind, number)

    # Names in the order of first lines; others of the same name get a number.
    names = {}
    used = {}
    for node in nodes:
        if node["key"] not in names:
            _, name, _, _ = node["key"]
            used[name] = used.get(name, 0) + 1
            names[node["key"]] = name if used[name] == 1 else f"{name} ({used[name]})"

    operators = {}
    for node in nodes:
        path, _, kind, _ = node["key"]
        row = operators.setdefault(
            names[node["key"]],
            {
                "type": kind,
                "executions": 0,
                "exclusive_ns": 0,
                "mean_ns": None,
                "median_ns": None,
                "parent": names[path[-1]] if path else None,
            },
        )
        row["executions"] += 1
        row["exclusive_ns"] += node["own"] * 1000

    own_runs = {}
    all_runs = list(enumerate(runs))
    for position, run in all_runs:
        own_runs.setdefault(run["tid"], []).append((position, run))
    per_iteration = [0] * len(runs)
    outside = 0
    for node in nodes:
        candidates = own_runs.get(node["tid"]) or all_runs
        begun = bisect.bisect_right(candidates, node["ts"], key=lambda candidate: candidate[1]["ts"])
        for position, run in reversed(candidates[max(begun - MOST_AT_ONCE, 0) : begun]):
            if node["ts"] <= run["ts"] + run["dur"]:
                per_iteration[position] += 1
                break
        else:
            outside += 1
    return {
        "iterations": len(runs),
        "events": len(nodes),
        "operators": operators,
        "per_iteration": per_iteration,
        "outside": outside,
    }


if __name__ == "__main__":
    for path in sys.argv[1:]:
        print(json.dumps(read(path), ensure_ascii=False))
