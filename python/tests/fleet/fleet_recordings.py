"""Makes recordings of a fleet: models on machines, from commit to commit, with planted changes."""

from __future__ import annotations

import gzip
import json
import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta, timezone
from hashlib import sha256
from pathlib import Path
from typing import Any

ITERATIONS = 12
_BEGAN = datetime(2026, 9, 26, 8, tzinfo=timezone.utc)
_TYPES = ("Conv", "Relu", "Conv", "Add", "MatMul", "Softmax", "MatMul", "LayerNormalization")


@dataclass(frozen=True)
class Planted:
    """A layer's time is multiplied from a commit on, on some machines."""

    model: int
    layer: int
    commit: int
    factor: float
    machines: tuple[int, ...]


@dataclass(frozen=True)
class Fleet:
    """How many there are of what; launches are those of each model, machine and commit."""

    commits: int
    machines: int
    models: int
    launches: int
    planted: Sequence[Planted] = ()
    layers: int = 8
    seed: int = 1
    samples_vary: float = 0.01

    def commit(self, number: int) -> str:
        return sha256(f"{self.seed} {number}".encode()).hexdigest()[:8]

    def model(self, number: int) -> str:
        return f"model-{number}.onnx"

    def machine(self, number: int) -> str:
        return f"Processor {number}"

    def layer(self, number: int) -> str:
        return f"/block.{number // 4}/{_TYPES[number % len(_TYPES)]}_{number}"

    def recordings(self, commit: int) -> Iterator[tuple[str, bytes]]:
        """Names and contents of the traces of a commit."""
        for model in range(self.models):
            for machine in range(self.machines):
                for launch in range(self.launches):
                    name = f"{self.commit(commit)}/{model}-{machine}-{launch}.json"
                    yield name, self.recording(commit, model, machine, launch)

    def times(self, commit: int, model: int, machine: int) -> list[float]:
        """Microseconds of each layer, without noise."""
        choose = random.Random(f"{self.seed} {model}")
        times = [choose.lognormvariate(4, 0.6) for _ in range(self.layers)]
        speed = 1 + machine / 3
        for planted in self.planted:
            is_there = model == planted.model and machine in planted.machines
            if is_there and commit >= planted.commit:
                times[planted.layer] *= planted.factor
        return [time * speed for time in times]

    def recording(self, commit: int, model: int, machine: int, launch: int) -> bytes:
        """A trace as `onnxray record` writes it."""
        noise = random.Random(f"{self.seed} {commit} {model} {machine} {launch}")
        whole = noise.gauss(1, self.samples_vary / 2)
        usual = [
            time * whole * noise.gauss(1, self.samples_vary)
            for time in self.times(commit, model, machine)
        ]
        events: list[dict[str, Any]] = []
        clock = 1000.0
        begin = clock
        for iteration in range(ITERATIONS):
            clock = self._iteration(events, iteration, clock, usual, noise)
            took = sum(usual) * noise.gauss(1, 0.002) + 2
            events.append(_event(f"PlainIteration{iteration}", "plain_iteration", clock, took))
            events[-1]["tid"] = 2
            events[-1]["args"] = {"iteration": iteration}
            clock += took + 3
        events.append(_event("model_inference", "inference", begin, clock - begin))
        operators = ITERATIONS * self.layers
        trace = {
            "displayTimeUnit": "ns",
            "otherData": self._run(commit, model, machine, launch),
            "traceEvents": events,
            "completed": {
                "iterations": ITERATIONS,
                "plain_iterations": ITERATIONS,
                "events": operators,
            },
        }
        return json.dumps(trace, separators=(",", ":")).encode()

    def _iteration(
        self,
        events: list[dict[str, Any]],
        iteration: int,
        clock: float,
        usual: Sequence[float],
        noise: random.Random,
    ) -> float:
        begin = clock
        clock += 1
        for number, time in enumerate(usual):
            took = time * noise.gauss(1, 0.004)
            name = self.layer(number)
            kind = _TYPES[number % len(_TYPES)]
            events.append(_event(name, kind, clock, took))
            events[-1]["args"] = {"op": number}
            if iteration == 0:
                events[-1]["args"]["facts"] = _facts(number, name, kind)
            clock += took + 0.1
        events.append(_event(f"Iteration{iteration}", "iteration", begin, clock - begin))
        events[-1]["args"] = {"iteration": iteration}
        return clock + 2

    def _run(self, commit: int, model: int, machine: int, launch: int) -> Mapping[str, Any]:
        began = _BEGAN + timedelta(days=7 * commit, hours=machine, minutes=launch, seconds=model)
        return {
            "format_version": 1,
            "producer": "onnxray 0.1.0",
            "profile": "baseline",
            "model": self.model(model),
            "model_sha256": sha256(f"{self.seed} {commit} {model}".encode()).hexdigest(),
            "parameters": 1000 * (model + 1),
            "batch_size": 1,
            "dimensions": [],
            "threads": 1,
            "isa": "AVX2",
            "cpu": self.machine(machine),
            "host": f"runner-{machine}-{launch}",
            "engine": "tract",
            "engine_version": "0.23.9",
            "operating_system": "linux",
            "inputs": "random, seed 1",
            "started_at": began.isoformat(),
            "recording": began.strftime("%Y-%m-%d_%H-%M-%S"),
            "launch": 0,
            "launches_planned": 1,
            "warmup_iterations": 0,
            "clock": "monotonic",
            "clock_resolution": 20,
            "load_time": 1_000_000,
            "process": 1,
        }


def write(fleet: Fleet, folder: Path, commit: int) -> None:
    """Writes the traces of a commit; every third one is compressed."""
    for number, (name, trace) in enumerate(fleet.recordings(commit)):
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        if number % 3:
            file.write_bytes(trace)
        else:
            file.with_name(f"{file.name}.gz").write_bytes(gzip.compress(trace, 1, mtime=0))


def _event(name: str, category: str, start: float, duration: float) -> dict[str, Any]:
    return {
        "name": name,
        "cat": category,
        "ph": "X",
        "pid": 1,
        "tid": 1,
        "ts": round(start, 3),
        "dur": round(duration, 3),
        "args": {},
    }


def _facts(number: int, name: str, kind: str) -> dict[str, Any]:
    tensor = {"shape": [1, 64], "type": "fp32"}
    return {
        "number": number,
        "name": name,
        "type": kind,
        "nodes": [name],
        "kernel": kind,
        "inputs": [{"name": f"tensor_{number}", **tensor}],
        "outputs": [{"name": f"tensor_{number + 1}", **tensor}],
        "executions": 1,
        "flops": 1000,
        "bytes": 512,
        "parameters": 0,
        "sparse_support": False,
    }
