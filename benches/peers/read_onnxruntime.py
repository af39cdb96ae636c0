"""The report of ONNX Runtime's own profile_result_processor.py.

Its command line imports PyTorch, to set up logging. Called as a function it does
the same work without: seconds and hundreds of megabytes less.
"""

import importlib.util
import sys
import sysconfig
from pathlib import Path

folder = Path(sysconfig.get_path("purelib")) / "onnxruntime" / "transformers"
name = "profile_result_processor"
spec = importlib.util.spec_from_file_location(name, folder / f"{name}.py")
processor = importlib.util.module_from_spec(spec)
spec.loader.exec_module(processor)
for line in processor.process_results(sys.argv[1], processor.parse_arguments([])):
    print(line)
