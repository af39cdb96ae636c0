#!/usr/bin/env python3
"""Reads Neural Engine profiles, CSV or trace: python3 tests/readers/neural-engine.py FILE..."""

import csv
import io
import json
import re
import sys

TYPE = r"(?:fp64|fp32|fp16|f32|bf16|[su](?:8|16|32|64)|bool|string|unknown|other)"
# A list of types, perhaps with the shapes of which a scalar swallowed the end.
TYPES = re.compile(rf"(?:\d[\dx]*;)*{TYPE}(?:;{TYPE})*$")
EVENT = re.compile(r'\{"cat":"([^"]*)","dur":([-+.e\d]+),"name":"(.*?)","ph":"X"')


def nanoseconds(microseconds):
    return round(float(microseconds) * 1000)


def unique(name, taken):
    candidate, count = name, 1
    while candidate in taken:
        count += 1
        candidate = f"{name} ({count})"
    return candidate


def read_trace(text):
    try:
        events = [(e["cat"], e["dur"], e["name"]) for e in json.loads(text)["traceEvents"]]
    except ValueError:
        events = EVENT.findall(text)
    operators, iterations, count = {}, 0, 0
    for category, duration, name in events:
        if category == "iteration":
            iterations += 1
        elif category != "inference":
            count += 1
            entry = operators.setdefault(
                name,
                {"type": category, "executions": 0, "exclusive_ns": 0, "mean_ns": None, "median_ns": None},
            )
            entry["executions"] += 1
            entry["exclusive_ns"] += nanoseconds(duration)
    return {"iterations": iterations, "events": count, "operators": operators}


def latency(text):
    """Milliseconds as nanoseconds; the decimal sign may be a comma."""
    match = re.fullmatch(r"\s*(\d+)[.,](\d+)\s*", text)
    return float(f"{match[1]}.{match[2]}") * 1e6 if match else None


def name_of(cells, first_types):
    """The operator's name ends where names of tensors begin: they end in a colon and a number."""
    end = 3
    outputs = ",".join(cells[first_types + 1 :])
    for at in range(4, first_types):
        if outputs.startswith(",".join(cells[2:at]) + ":"):
            return ",".join(cells[2:at])
    while end < first_types and not re.search(r":\d+$", cells[end].split(";")[0]):
        end += 1
    return ",".join(cells[2 : end if end < first_types else 3])


def read_table(text):
    text = text.lstrip("\ufeff")
    header = re.search(r'"?operator type"?([,;\t])', text)
    separator = header[1]
    lines = text[header.start() :].splitlines()[1:]
    rows = []
    for line in lines:
        try:
            cells = next(csv.reader(io.StringIO(line), delimiter=separator, strict=True, skipinitialspace=True), [])
        except csv.Error:
            # A quote of a name that nobody quoted.
            cells = line.split(separator)
        rows.append([cell.strip() for cell in cells])
    operators = {}
    ours = any("FALSE" in row for row in rows)
    for cells in rows:
        if not any(cells) or not cells[0]:
            break
        typed = [at for at, cell in enumerate(cells) if at > 2 and TYPES.match(cell)]
        if len(typed) == 0:
            continue
        name = name_of(cells, typed[0]).removeprefix("'")
        time = latency(cells[typed[:2][-1] + 4])
        operators[unique(name, operators)] = {
            "type": cells[0],
            "executions": None if ours or time is None else 1,
            "exclusive_ns": None,
            "mean_ns": time,
            "median_ns": None,
        }
    return {"iterations": None, "events": None, "operators": operators}


for path in sys.argv[1:]:
    with open(path, encoding="utf-8", newline="") as file:
        content = file.read()
    print(json.dumps((read_trace if content.lstrip().startswith("{") else read_table)(content)))
