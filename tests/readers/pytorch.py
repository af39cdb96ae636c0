#!/usr/bin/env python3
"""A plain reader of PyTorch's traces, to check onnxray's against.

    python3 tests/readers/pytorch.py FILE...

Prints a JSON document per file: how many steps and executions there are, and
for each operator (a category and a name) its type, how often it ran and its own
time: its durations without the executions directly inside them on its thread.
Whole files in memory, the standard library only.
"""

import gzip
import json
import re
import sys
from decimal import Decimal

IGNORED = {
    "", "python_function", "python", "Python", "user_annotation", "gpu_user_annotation", "overhead", "Overhead",
    "Trace", "cuda_sync", "cuda_event", "cuda_profiler_range", "external_correlation", "ac2g", "fwdbwd",
    "cpu_instant_event",
}


def load(path):
    with open(path, "rb") as file:
        content = file.read()
    if content[:2] == b"\x1f\x8b":
        content = gzip.decompress(content)
    text = content.decode("utf-8", "replace")
    try:
        return json.loads(text, parse_float=Decimal)
    except json.JSONDecodeError:
        # Kineto writes an event's name on one line and does not escape it.
        def escaped(found):
            return f'"name": {json.dumps(found[1])}, "pid"'

        return json.loads(re.sub(r'"name": "(.*)", "pid"', escaped, text), parse_float=Decimal)


def nanoseconds(time):
    return int((Decimal(time) * 1000).to_integral_value(rounding="ROUND_HALF_UP"))


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


def names(keys):
    """A name for each category and name."""
    first = {}
    for category, name in keys:
        first[name] = min(category, first.get(name, category))
    return {key: key[1] if first[key[1]] == key[0] else f"{key[1]} ({key[0]})" for key in keys}


def summary(executions, iterations, type_of):
    own = own_times(executions)
    operators = {}
    unique = names({execution["key"] for execution in executions})
    for execution, time in zip(executions, own):
        entry = operators.setdefault(unique[execution["key"]], {
            "type": type_of(*execution["key"]), "executions": 0, "exclusive_ns": 0, "mean_ns": None, "median_ns": None,
        })
        entry["executions"] += 1
        entry["exclusive_ns"] += time
    return {"iterations": iterations, "events": len(executions), "operators": operators}


OLD = {"Kernel": "kernel", "Memcpy": "gpu_memcpy", "Memset": "gpu_memset", "Runtime": "cuda_runtime"}


def type_of(category, name):
    if category not in ("cpu_op", "Operator"):
        return OLD.get(category, category)
    operation = name.split(": ")[0].split("#")[0]
    return re.sub(r"^(.*::[^.]*)\..+$", r"\1", operation) or name


def read(path):
    executions, steps = [], 0
    for event in load(path)["traceEvents"]:
        if event["ph"] != "X" or event["dur"] < 0:
            continue
        category, name = event.get("cat", ""), event["name"]
        if re.fullmatch(r"ProfilerStep#\d+", name) and category not in ("gpu_user_annotation", "python_function"):
            steps += 1
        elif category not in IGNORED:
            executions.append({
                "key": (category, name),
                "thread": (str(event["pid"]), str(event["tid"])),
                "start": nanoseconds(event["ts"]),
                "duration": nanoseconds(event["dur"]),
            })
    return summary(executions, steps, type_of)


if __name__ == "__main__":
    for path in sys.argv[1:]:
        print(json.dumps(read(path)))
