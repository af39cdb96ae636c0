#!/usr/bin/env python3
"""A plain reader of any Chrome trace, to check onnxray's against.

    python3 tests/readers/chrome-trace.py FILE...

Prints a JSON document per file: how many iterations and executions there are,
and for each operator (a category and a name) its type, how often it ran and its
own time: its durations without the executions directly inside them on its
thread. Whole files in memory, the standard library only.
"""

import json
import re
import sys
from decimal import Decimal


def load(path):
    with open(path, encoding="utf-8-sig") as file:
        text = file.read()
    try:
        document = json.loads(text, parse_float=Decimal)
    except json.JSONDecodeError:
        # The closing bracket of an array may be missing.
        document = json.loads(text.rstrip().rstrip(",") + "]", parse_float=Decimal)
    return document["traceEvents"] if isinstance(document, dict) else document


def nanoseconds(time):
    return int((Decimal(time) * 1000).to_integral_value(rounding="ROUND_HALF_UP"))


def executions_of(events):
    """Complete events, and begins with their ends."""
    executions, open_on = [], {}
    edges = []
    for event in events:
        if event.get("ph") not in ("X", "B", "E") or "ts" not in event:
            continue
        execution = {
            "key": (event.get("cat", ""), event.get("name", "")),
            "thread": (str(event.get("pid", "")), str(event.get("tid", event.get("pid", "")))),
            "start": nanoseconds(event["ts"]),
        }
        if event["ph"] == "X":
            execution["duration"] = nanoseconds(event["dur"])
            if execution["duration"] >= 0:
                executions.append(execution)
        else:
            edges.append((event["ph"], execution))
    for phase, edge in sorted(edges, key=lambda pair: pair[1]["start"]):
        stack = open_on.setdefault(edge["thread"], [])
        if phase == "B":
            stack.append(edge)
        elif stack:
            # Of the last begin that has its name, if it has one.
            same = [at for at, begin in enumerate(stack) if not edge["key"][1] or begin["key"][1] == edge["key"][1]]
            if not same:
                continue
            begin = stack.pop(same[-1])
            executions.append({**begin, "duration": edge["start"] - begin["start"]})
    return executions


def split_iterations(executions):
    """Iterations are called so, have a category of their own and do not overlap."""
    pattern = re.compile(r"(iteration|step|profilerstep)[ #_-]*\d{1,9}", re.IGNORECASE)
    called = [execution for execution in executions if pattern.fullmatch(execution["key"][1])]
    others = [execution for execution in executions if not pattern.fullmatch(execution["key"][1])]
    categories = {execution["key"][0] for execution in called}
    alone = len(categories) == 1 and not any(execution["key"][0] in categories for execution in others)
    called.sort(key=lambda execution: (execution["thread"], execution["start"]))
    apart = all(
        one["thread"] != next["thread"] or one["start"] + one["duration"] <= next["start"]
        for one, next in zip(called, called[1:])
    )
    return (len(called), others) if alone and apart else (0, executions)


def own_times(executions):
    """The own time of each, in the order of the list. An execution is inside the
    last one before it on its thread that holds it wholly."""
    order = sorted(range(len(executions)), key=lambda at: (executions[at]["start"], -executions[at]["duration"], at))
    own = [execution["duration"] for execution in executions]
    open_on = {}
    for at in order:
        execution = executions[at]
        stack = open_on.setdefault(execution["thread"], [])
        end = execution["start"] + execution["duration"]
        while stack and (executions[stack[-1]]["start"] + executions[stack[-1]]["duration"]) < end:
            stack.pop()
        if stack:
            own[stack[-1]] -= execution["duration"]
        stack.append(at)
    return own


def read(path):
    iterations, executions = split_iterations(executions_of(load(path)))
    first = {}
    for category, name in {execution["key"] for execution in executions}:
        first[name] = min(category, first.get(name, category))
    operators = {}
    for execution, time in zip(executions, own_times(executions)):
        category, name = execution["key"]
        unique = name if first[name] == category else f"{name} ({category})"
        entry = operators.setdefault(unique, {
            "type": category or name, "executions": 0, "exclusive_ns": 0, "mean_ns": None, "median_ns": None,
        })
        entry["executions"] += 1
        entry["exclusive_ns"] += time
    return {"iterations": iterations, "events": len(executions), "operators": operators}


if __name__ == "__main__":
    for path in sys.argv[1:]:
        print(json.dumps(read(path)))
