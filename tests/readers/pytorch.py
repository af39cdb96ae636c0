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


SERVERS = ("step[", "[Executor] _forward_step ", "execute_model", "execute_context_", "execute_new_")


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


def call_of(execution, executions):
    """The call that launched an execution on a device: the first of its correlation, of those
    whose category says that they are calls before others of the host."""
    if execution["correlation"] is None:
        return None
    same = [other for other in executions if other["correlation"] == execution["correlation"] and other["on"] == "host"]
    same.sort(key=lambda other: (not is_call(other["key"][0]), other["start"]))
    return next((other for other in same if other["thread"] != execution["thread"]), None)


def launcher(execution, executions):
    """What launched an execution on a device; None if nobody is known to have."""
    if execution["on"] != "device" or (call := call_of(execution, executions)) is None:
        return None
    around = [
        other for other in executions
        if other["key"][0] in HOST and other["thread"] == call["thread"]
        and other["start"] <= call["start"] < other["start"] + other["duration"]
    ]
    return max(around, key=lambda other: (other["start"], -other["duration"]), default=call)


def place(executions, annotated):
    """Where each execution ran. A device is a process without work of the host; categories of
    which nobody knows where they run go by that, or by a call of their correlation."""
    hosts = {e["thread"][0] for e in executions if e["key"][0] in HOST or is_call(e["key"][0])} | annotated
    devices = {e["thread"][0] for e in executions if e["key"][0] in DEVICE} - hosts
    for execution in executions:
        category, process = execution["key"][0], execution["thread"][0]
        if category in DEVICE:
            execution["on"] = "device"
        elif category in HOST or is_call(category) or not (process in devices or hosts and process not in hosts):
            execution["on"] = "host"
        else:
            execution["on"] = "device"
    for execution in executions:
        category = execution["key"][0]
        if category not in HOST and not is_call(category) and execution["on"] == "host":
            call = call_of(execution, executions)
            if call and call["start"] <= execution["start"]:
                execution["on"] = "device"


def cut(executions):
    """Ends what holds a later execution of its stream, of another call, when that begins."""
    on_devices = [execution for execution in executions if execution["on"] == "device"]
    on_devices.sort(key=lambda e: (e["thread"], e["start"], e["duration"]))
    durations = []
    for number, execution in enumerate(on_devices):
        others = (
            other for other in on_devices[number + 1:]
            if other["thread"] == execution["thread"]
            and (other["correlation"] is None or other["correlation"] != execution["correlation"])
        )
        duration, following = execution["duration"], next(others, None)
        if following and following["start"] > execution["start"]:
            if following["start"] + following["duration"] < execution["start"] + duration:
                duration = following["start"] - execution["start"]
        durations.append(duration)
    for execution, duration in zip(on_devices, durations):
        execution["duration"] = duration


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


def begins(execution, executions):
    """What tells the step of an execution: of that of a device the call that launched it."""
    return execution["on"] == "device" and call_of(execution, executions) or execution


def by_operator(executions, steps):
    """For each operator, its own nanoseconds on the host and those on devices that it launched,
    of executions that begin in a step, or are launched in one, if there are any."""
    unique = names({execution["key"] for execution in executions})
    operators = {}
    for execution, time in zip(executions, own_times(executions)):
        begin = begins(execution, executions)["start"]
        if steps and not any(start <= begin < end for start, end in steps):
            continue
        on_device = execution["on"] == "device"
        of = on_device and launcher(execution, executions) or execution
        entry = operators.setdefault(unique[of["key"]], {"host_ns": 0, "device_ns": 0})
        entry["device_ns" if on_device else "host_ns"] += time
    return operators


def busy(executions):
    """Nanoseconds in which at least one execution of a device is at work."""
    spans = sorted((e["start"], e["start"] + e["duration"]) for e in executions if e["on"] == "device")
    total, until = 0, float("-inf")
    for start, end in spans:
        total += max(0, end - max(start, until))
        until = max(until, end)
    return total


HOST = ("cpu_op", "Operator")
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
    executions, steps, annotated, annotations = [], [], set(), []
    for event in load(path)["traceEvents"]:
        if event["ph"] != "X" or event["dur"] < 0:
            continue
        category, name = event.get("cat", ""), event["name"]
        if category == "user_annotation":
            annotated.add(str(event["pid"]))
            start = nanoseconds(event["ts"])
            annotations.append((name, (start, start + nanoseconds(event["dur"]))))
        if re.fullmatch(r"ProfilerStep#\d+", name) and category not in ("gpu_user_annotation", "python_function"):
            annotated.add(str(event["pid"]))
            start = nanoseconds(event["ts"])
            steps.append((start, start + nanoseconds(event["dur"])))
        elif category not in IGNORED:
            executions.append({
                "key": (category, name),
                "thread": (str(event["pid"]), str(event.get("tid", event["pid"]))),
                "start": nanoseconds(event["ts"]),
                "duration": nanoseconds(event["dur"]),
                "correlation": event.get("args", {}).get("correlation"),
            })
    # Servers annotate what they do for a batch themselves.
    for begin in () if steps else SERVERS:
        steps = steps or [span for name, span in annotations if name.startswith(begin)]
    place(executions, annotated)
    cut(executions)
    if launched:
        return by_operator(executions, steps)
    return summary(executions, len(steps), type_of)


if __name__ == "__main__":
    launched = "--launched" in sys.argv
    for path in sys.argv[1:]:
        if path != "--launched":
            print(json.dumps(read(path, launched)))
