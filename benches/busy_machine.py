"""What gates say of a model and its copy, and of a planted slowdown, beside other programs.

    benches/busy_machine.py ONNXRAY [--trials 20] [--work FOLDER] [--engine-library FILE] [PAIR ...]

keeps two loops busy, and a third program that comes and goes, all of them children of this
program. Beside them, it records each pair (``cnn-onnxruntime``, ``encoder-int8-tract``,
``planted-tract`` and so on) in turns of iterations, over and over, and counts how often
``compare --fail-above 3% --fail-layers-above 10%`` fails. Of a model and its copy, it is to fail
in one of twenty at most. ``planted`` has one layer with a tenth more work: that is to be found
slower in 18 of 20, and to be the first cause. ``apart`` in front of a pair, as in
``apart-cnn-tract``, records launches of one model after the other.

Prints a line per trial, and the counts. Planted models take the packages numpy and onnx.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import random
import shutil
import subprocess
import sys
import time
from pathlib import Path

MODELS = Path(__file__).parent.parent / "fixtures" / "models"
PAIRS = [
    f"{model}-{engine}"
    for model in ("cnn", "cnn-int8", "encoder", "encoder-int8", "planted")
    for engine in ("tract", "onnxruntime")
]
GATE = ["--fail-above", "3%", "--fail-layers-above", "10%"]
PLANTED = "layer8"
WIDTH, MORE, LAYERS, ROWS = 320, 32, 16, 64


def busy() -> None:
    """Takes a core for good."""
    while True:
        pass


def bursts() -> None:
    """Takes a core for up to half a second, and leaves it for up to a second."""
    while True:
        end = time.monotonic() + random.uniform(0.005, 0.5)
        while time.monotonic() < end:
            pass
        time.sleep(random.uniform(0.01, 1.0))


def planted(path: Path, more: int) -> None:
    """Products one after the other, of which one has so many columns more."""
    import numpy
    import onnx
    from onnx import TensorProto, helper, numpy_helper

    generator = numpy.random.default_rng(1)
    nodes, weights, value = [], [], "x"
    for layer in range(LAYERS):
        name = f"layer{layer}"
        columns = WIDTH + (more if name == PLANTED else 0)
        weight = generator.normal(0, 0.05, (WIDTH, columns)).astype(numpy.float32)
        weights.append(numpy_helper.from_array(weight, f"{name}.weight"))
        nodes.append(helper.make_node("MatMul", [value, f"{name}.weight"], [f"{name}.y"], name))
        value = f"{name}.y"
        if name == PLANTED:
            # What follows is the same in both models: its own input.
            nodes.append(helper.make_node("ReduceMax", [value], ["most"], "most", axes=[1]))
            value = "x"
    nodes.append(helper.make_node("Add", [value, "most"], ["y"], "sum"))
    shape = [ROWS, WIDTH]
    inputs, outputs = ([helper.make_tensor_value_info(n, TensorProto.FLOAT, shape)] for n in "xy")
    graph = helper.make_graph(nodes, "planted", inputs, outputs, weights)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8)
    onnx.save(model, path)


def models(pair: str, work: Path) -> tuple[Path, Path]:
    """Both models of a pair."""
    work.mkdir(parents=True, exist_ok=True)
    name = pair.removeprefix("apart-").rpartition("-")[0]
    a, b = work / f"{name}.onnx", work / f"{name}-other.onnx"
    if name == "planted":
        planted(a, 0)
        planted(b, MORE)
    else:
        shutil.copyfile(MODELS / f"{name}.onnx", a)
        shutil.copyfile(MODELS / f"{name}.onnx", b)
    return a, b


def record(chosen: argparse.Namespace, pair: str) -> list[str]:
    """Records a pair once; the folders of both recordings."""
    work: Path = chosen.work
    engine = pair.rpartition("-")[2]
    a, b = models(pair, work)
    folders = [str(work / "a"), str(work / "b")]
    for folder in (*folders, str(work / "both")):
        shutil.rmtree(folder, ignore_errors=True)
    command = [chosen.onnxray, "record", str(a), "--engine", engine, "--launches", "10", "--quiet"]
    command += ["--iterations", "60", "--unprofiled-iterations", "60", "--force"]
    if engine == "onnxruntime" and chosen.engine_library:
        command += ["--engine-library", chosen.engine_library]
    if "encoder" in pair:
        command += ["--dim", "sequence=64"]
    turns = "launches" if pair.startswith("apart-") else "iterations"
    command += ["--against", str(b), "--interleave", turns, "--out", str(work / "both")]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return [str(folder) for folder in sorted((work / "both").iterdir()) if folder.is_dir()]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("onnxray")
    parser.add_argument("pairs", nargs="*", default=PAIRS, metavar="PAIR")
    parser.add_argument("--trials", type=int, default=20)
    parser.add_argument("--engine-library", help="where ONNX Runtime is")
    parser.add_argument("--work", type=Path, default=Path("target/busy-machine"))
    chosen = parser.parse_intermixed_args()
    load = [multiprocessing.Process(target=of, daemon=True) for of in (busy, busy, bursts)]
    for program in load:
        program.start()
    for pair in chosen.pairs:
        failed = found = first = 0
        for trial in range(chosen.trials):
            sides = record(chosen, pair)
            compare = [chosen.onnxray, "compare", *sides]
            ended = subprocess.run([*compare, *GATE], capture_output=True, text=True, check=False)
            report = json.loads(subprocess.check_output([*compare, "--format", "json"]))
            layers = {layer["layer"]: layer["verdict"] for layer in report["layers"]}
            causes = [cause["cause"] for cause in report["causes"]]
            failed += ended.returncode != 0
            found += layers.get(PLANTED) == "slower"
            first += bool(causes) and causes[0] == "MatMul"
            said = ended.stderr.strip().replace("\n", " | ")
            print(f"{pair} {trial + 1}: {ended.returncode} {layers.get(PLANTED, '')} {said}")
            sys.stdout.flush()
        of = chosen.trials
        also = f", planted layer found {found}, first cause {first}" if "planted" in pair else ""
        print(f"== {pair}: gate failed {failed} of {of}{also}", flush=True)


if __name__ == "__main__":
    main()
