"""Runs a model in ONNX Runtime, over and over.

    onnxruntime_loop.py MODEL INPUTS.json THREADS

INPUTS.json has shape and values of each input by its name. Prints a title, then reads a
number of runs per line, and prints the median of their times in seconds.
"""

import json
import os
import statistics
import sys
import time

os.environ.setdefault("ORT_DISABLE_TELEMETRY", "1")

import numpy
import onnxruntime

TYPES = {"tensor(float)": numpy.float32, "tensor(int64)": numpy.int64}

model, inputs, threads = sys.argv[1:4]
options = onnxruntime.SessionOptions()
options.intra_op_num_threads = int(os.path.basename(threads))
session = onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])
with open(inputs, encoding="utf-8") as file:
    given = json.load(file)
feeds = {}
for value in session.get_inputs():
    of_value = given[value.name]
    array = numpy.array(of_value["values"], TYPES[value.type])
    feeds[value.name] = array.reshape(of_value["shape"])
print(f"onnxruntime {onnxruntime.__version__}, {threads} threads", flush=True)
for line in sys.stdin:
    times = []
    for _ in range(int(line)):
        begin = time.perf_counter_ns()
        session.run(None, feeds)
        times.append(time.perf_counter_ns() - begin)
    print(statistics.median(times) / 1e9, flush=True)
