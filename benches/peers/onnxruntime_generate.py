"""Generates tokens with a decoder in ONNX Runtime.

    onnxruntime_generate.py MODEL PROMPT TOKENS THREADS

MODEL has a key-value cache, its inputs and outputs called as Hugging Face Optimum calls
them. A generation runs PROMPT random tokens with an empty cache, then TOKENS times one
more. What a run returns as the cache is what the next one takes, without a copy.

Prints a title, then reads a number of generations per line, and prints the median time
of their first runs in seconds and the tokens per second of the others. Only the runs are
timed, not what lies between them.
"""

import os
import statistics
import sys
import time

os.environ.setdefault("ORT_DISABLE_TELEMETRY", "1")

import numpy
import onnxruntime

TYPES = {"tensor(float)": numpy.float32, "tensor(float16)": numpy.float16}


def value(array):
    return onnxruntime.OrtValue.ortvalue_from_numpy(array)


class Decoder:
    def __init__(self, model, threads):
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = threads
        providers = ["CPUExecutionProvider"]
        self.session = onnxruntime.InferenceSession(model, options, providers=providers)
        self.inputs = {one.name for one in self.session.get_inputs()}
        self.outputs = [one.name for one in self.session.get_outputs()]
        self.empty = {}
        for one in self.session.get_inputs():
            if one.name.startswith("past_key_values."):
                _, heads, _, size = one.shape
                self.empty[one.name] = value(numpy.zeros((1, heads, 0, size), TYPES[one.type]))
        shapes = {one.name: one.shape for one in self.session.get_outputs()}
        self.vocabulary = shapes["logits"][-1]

    def run(self, tokens, past, cache):
        """The nanoseconds of a run with so many tokens before it, and the new cache."""
        total = past + tokens.size
        feeds = {
            "input_ids": tokens.reshape(1, -1),
            "attention_mask": numpy.ones((1, total), numpy.int64),
            "position_ids": numpy.arange(past, total, dtype=numpy.int64).reshape(1, -1),
        }
        feeds = {name: value(array) for name, array in feeds.items() if name in self.inputs}
        binding = self.session.io_binding()
        for name, given in {**feeds, **cache}.items():
            binding.bind_ortvalue_input(name, given)
        for name in self.outputs:
            binding.bind_output(name)
        begin = time.perf_counter_ns()
        self.session.run_with_iobinding(binding)
        taken = time.perf_counter_ns() - begin
        present = dict(zip(self.outputs, binding.get_outputs()))
        cache = {name: present[name.replace("past_key_values", "present")] for name in self.empty}
        return taken, cache

    def generate(self, tokens, prompt):
        """The nanoseconds of the first run, and those of all others."""
        first, cache = self.run(tokens[:prompt], 0, self.empty)
        others = 0
        for past in range(prompt, tokens.size):
            taken, cache = self.run(tokens[past : past + 1], past, cache)
            others += taken
        return first, others


def main():
    prompt, count, threads = map(int, sys.argv[2:5])
    decoder = Decoder(sys.argv[1], threads)
    generator = numpy.random.default_rng(0)
    print(
        f"onnxruntime {onnxruntime.__version__}, {threads} threads, {count} tokens after {prompt}",
        flush=True,
    )
    for line in sys.stdin:
        firsts, others = [], 0
        for _ in range(int(line)):
            tokens = generator.integers(0, decoder.vocabulary, prompt + count)
            first, taken = decoder.generate(tokens, prompt)
            firsts.append(first)
            others += taken
        seconds = statistics.median(firsts) / 1e9
        print(seconds, len(firsts) * count / others * 1e9, flush=True)


if __name__ == "__main__":
    main()
