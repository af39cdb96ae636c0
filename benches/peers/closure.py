"""Whether operators and framework overhead make a possible latency: a table of models, engines and threads.

    python3 closure.py ONNXRAY [--library FILE]... [--models FOLDER] [--launches N] [--no-tract] > table.md

The bundled models run in tract and in each ONNX Runtime library, and so do those of the folder, which
is meant for the light models of the Python package `onnx` (onnx/backend/test/data/light).
"""

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path

FIXTURES = Path(__file__).resolve().parents[2] / "fixtures/models"
BUNDLED = {
    "cnn": [],
    "cnn-int8": [],
    "encoder": ["sequence=64"],
    "encoder-int8": ["sequence=64"],
    "lstm": ["sequence=32"],
    "scan": ["frames=16"],
}
LIGHT = ["shufflenet", "squeezenet", "densenet121", "inception_v2", "resnet50", "bvlc_alexnet"]


def figures(onnxray, record):
    with tempfile.TemporaryDirectory() as out:
        ran = subprocess.run([onnxray, "record", *record, "--out", out], capture_output=True, text=True)
        if ran.returncode != 0:
            return None, ran.stderr.strip().splitlines()[-1]
        summary = subprocess.run([onnxray, "summary", out, "--all", "--format", "json"], capture_output=True, text=True)
    return json.loads(summary.stdout), None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("onnxray")
    parser.add_argument("--library", action="append", default=[])
    parser.add_argument("--models", type=Path)
    parser.add_argument("--launches", default="5")
    parser.add_argument("--no-tract", action="store_true")
    arguments = parser.parse_args()
    models = [(name, FIXTURES / f"{name}.onnx", sizes) for name, sizes in BUNDLED.items()]
    if arguments.models:
        models += [(name, arguments.models / f"light_{name}.onnx", []) for name in LIGHT]
    engines = [["--engine", "onnxruntime", "--engine-library", library] for library in arguments.library]
    print("| engine, threads | model | latency ms | events / latency | operators / latency | framework overhead, µs a node |")
    print("| --- | --- | --- | --- | --- | --- |")
    possible = rows = 0
    for engine in [*([] if arguments.no_tract else [[]]), *engines]:
        for threads in ("1", "2"):
            for name, path, sizes in models:
                record = [str(path), *engine, "--threads", threads, "--launches", arguments.launches, "--iterations", "30"]
                record += [word for size in sizes for word in ("--dim", size)]
                report, refused = figures(arguments.onnxray, record)
                if refused:
                    print(f"{name}: {refused}", file=sys.stderr)
                    continue
                model = report["model"]
                label = f"{model['engine']}, {threads}"
                if model.get("profiling_inside_us") is None:
                    print(f"| {label} | {name} | | | | {model['profiling_cost']} |")
                    continue
                latency = model["latency_mean_ms"]
                taken = sum(row["profiling_us"] or 0 for row in report["operators"]) / 1e3
                nodes = sum(row["executions"] or 0 for row in report["operators"])
                ends = [model[f"overhead_{end}_ms"] / nodes * 1e3 for end in ("mean", "low", "high")]
                rows += 1
                possible += ends[2] > 0 and ends[1] < 3
                print(
                    f"| {label} | {name} | {latency:.3f} | {(model['operators_mean_ms'] + taken) / latency * 100:.1f} % "
                    f"| {model['operators_mean_ms'] / latency * 100:.1f} % | {ends[0]:.2f} ({ends[1]:.2f} to {ends[2]:.2f}) |",
                    flush=True,
                )
    print(f"\n{possible} of {rows} intervals hold something from 0 to 3 µs a node.")


if __name__ == "__main__":
    main()
