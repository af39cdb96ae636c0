#!/usr/bin/env python3
"""A plain reader of PyTorch's traces, to check onnxray's against.

    python3 tests/readers/pytorch.py FILE...

Prints a JSON document per file: how many steps and executions there are, and
for each operator (a category and a name) its type, how often it ran and its own
time: its durations without the executions directly inside them on its thread.
What ran on a device is an operator for each kernel and each operator that
launched it: the innermost around the call of the same correlation, each looked
for among all. `--launched` prints, for each operator, what it spends itself and
what it launched instead. Whole files in memory, the standard library only.
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


def launcher(execution, executions):
    """What launched an execution on a device; None if nobody is known to have."""
    if execution["key"][0] not in DEVICE or execution["correlation"] is None:
        return None
    calls = (call for call in executions if is_call(call["key"][0]) and call["correlation"] == execution["correlation"])
    call = next(calls, None)
    if call is None:
        return None
    around = [
        other for other in executions
        if other["key"][0] in ("cpu_op", "Operator") and other["thread"] == call["thread"]
        and other["start"] <= call["start"] < other["start"] + other["duration"]
    ]
    return max(around, key=lambda other: (other["start"], -other["duration"]), default=call)


def summary(executions, iterations, type_of):
    own = own_times(executions)
    operators = {}
    unique = names({execution["key"] for execution in executions})
    for execution, time in zip(executions, own):
        name = unique[execution["key"]]
        if launched_by := launcher(execution, executions):
            name = f"{execution['key'][1]} ({unique[launched_by['key']]})"
        entry = operators.setdefault(name, {
            "type": type_of(*execution["key"]), "executions": 0, "exclusive_ns": 0, "mean_ns": None, "median_ns": None,
        })
        entry["executions"] += 1
        entry["exclusive_ns"] += time
    return {"iterations": iterations, "events": len(executions), "operators": operators}


def by_operator(executions, steps):
    """For each operator, its own nanoseconds on the host and those on devices that it launched,
    of executions that begin in a step if there are any."""
    unique = names({execution["key"] for execution in executions})
    operators = {}
    for execution, time in zip(executions, own_times(executions)):
        if steps and not any(start <= execution["start"] < end for start, end in steps):
            continue
        on_device = execution["key"][0] in DEVICE
        of = on_device and launcher(execution, executions) or execution
        entry = operators.setdefault(unique[of["key"]], {"host_ns": 0, "device_ns": 0})
        entry["device_ns" if on_device else "host_ns"] += time
    return operators


DEVICE = ("kernel", "gpu_memcpy", "gpu_memset", "Kernel", "Memcpy", "Memset")


def is_call(category):
    return category == "Runtime" or category.endswith(("_runtime", "_driver"))


OLD = {"Kernel": "kernel", "Memcpy": "gpu_memcpy", "Memset": "gpu_memset", "Runtime": "cuda_runtime"}


def type_of(category, name):
    if category not in ("cpu_op", "Operator"):
        return OLD.get(category, category)
    operation = name.split(": ")[0].split("#")[0]
    return re.sub(r"^(.*::[^.]*)\..+$", r"\1", operation) or name


def read(path, launched=False):
    executions, steps = [], []
    for event in load(path)["traceEvents"]:
        if event["ph"] != "X" or event["dur"] < 0:
            continue
        category, name = event.get("cat", ""), event["name"]
        if re.fullmatch(r"ProfilerStep#\d+", name) and category not in ("gpu_user_annotation", "python_function"):
            start = nanoseconds(event["ts"])
            steps.append((start, start + nanoseconds(event["dur"])))
        elif category not in IGNORED:
            executions.append({
                "key": (category, name),
                "thread": (str(event["pid"]), str(event["tid"])),
                "start": nanoseconds(event["ts"]),
                "duration": nanoseconds(event["dur"]),
                "correlation": event.get("args", {}).get("correlation"),
            })
    if launched:
        return by_operator(executions, steps)
    return summary(executions, len(steps), type_of)


if __name__ == "__main__":
    launched = "--launched" in sys.argv
    for path in sys.argv[1:]:
        if path != "--launched":
            print(json.dumps(read(path, launched)))
