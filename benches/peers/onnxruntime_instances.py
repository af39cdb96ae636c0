"""Runs a model in several instances of ONNX Runtime side by side, and says how often.

    onnxruntime_instances.py MODEL INPUTS.json THREADS INSTANCES SECONDS

INPUTS.json has shape and values of each input by its name. Each instance is a process
with THREADS cores of its own, of those that the script may use, in ascending order. They
stay loaded.

Prints a title. Then, for each line on standard input, all instances start together and
run the model for SECONDS, and their runs per second are printed: the sum over instances
of the runs that lie wholly within the time in which all of them ran, by the time from
the first to the last of these.
"""

import json
import multiprocessing
import os
import sys
import time
from importlib import metadata

# So long an instance waits for the others, in case one has ended.
LIMIT_SECONDS = 60


def serve(model, inputs, cores, seconds, barrier, questions):
    """An instance: for each question, when each of its runs ended, in nanoseconds."""
    os.sched_setaffinity(0, cores)
    os.environ.setdefault("ORT_DISABLE_TELEMETRY", "1")
    # Not before the process is bound to its cores: threads have those of their maker.
    import numpy
    import onnxruntime

    types = {"tensor(float)": numpy.float32, "tensor(int64)": numpy.int64}
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = len(cores)
    session = onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])
    with open(inputs, encoding="utf-8") as file:
        given = json.load(file)
    feeds = {}
    for value in session.get_inputs():
        of_value = given[value.name]
        array = numpy.array(of_value["values"], types[value.type])
        feeds[value.name] = array.reshape(of_value["shape"])
    questions.send(None)
    while True:
        try:
            questions.recv()
        except EOFError:
            return
        barrier.wait(LIMIT_SECONDS)
        # Where one run ends, the next begins.
        now = time.monotonic_ns()
        moments = [now]
        end = now + int(seconds * 1e9)
        while now < end:
            session.run(None, feeds)
            now = time.monotonic_ns()
            moments.append(now)
        questions.send(moments)


def rate(instances):
    """Runs per second of all together, from the moments of each."""
    start = max(moments[0] for moments in instances)
    end = min(moments[-1] for moments in instances)
    total = 0.0
    for moments in instances:
        within = [moment for moment in moments if start <= moment <= end]
        if len(within) < 2:
            sys.exit("an instance has no run within the time of all: take more seconds")
        total += (len(within) - 1) / (within[-1] - within[0]) * 1e9
    return total


def main():
    model, inputs = sys.argv[1:3]
    threads, instances = map(int, sys.argv[3:5])
    seconds = float(sys.argv[5])
    cores = sorted(os.sched_getaffinity(0))
    if threads * instances > len(cores):
        sys.exit(f"{instances} instances of {threads} threads need more than {len(cores)} cores")
    context = multiprocessing.get_context("spawn")
    barrier = context.Barrier(instances)
    answers = []
    for number in range(instances):
        ours, theirs = context.Pipe()
        own = cores[number * threads : (number + 1) * threads]
        arguments = (model, inputs, own, seconds, barrier, theirs)
        context.Process(target=serve, args=arguments, daemon=True).start()
        # So that the end of the instance is the end of the pipe.
        theirs.close()
        answers.append(ours)
    try:
        for answer in answers:
            answer.recv()
        print(
            f"onnxruntime {metadata.version('onnxruntime')}, {instances} instances of {threads} threads",
            flush=True,
        )
        for _ in sys.stdin:
            for answer in answers:
                answer.send(None)
            print(rate([answer.recv() for answer in answers]), flush=True)
    except (EOFError, ConnectionError):
        sys.exit("an instance ended")


if __name__ == "__main__":
    main()
