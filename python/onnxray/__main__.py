"""Runs the program: ``python -m onnxray ARGUMENTS`` is ``onnxray ARGUMENTS``.

``python -m onnxray PROGRAM.py ARGUMENTS`` records what another program runs.
"""

from __future__ import annotations

import os
import subprocess
import sys

from ._printing import tell
from ._program import program
from ._running import is_program, run
from .errors import Error


def main() -> int:
    """Becomes the program, where a process can; its exit code otherwise."""
    if is_program(sys.argv[1:]):
        return run(sys.argv[1:])
    try:
        file = program()
    except Error as error:
        tell(f"error: {error}")
        return 1
    if os.name == "posix":
        os.execv(file, [file, *sys.argv[1:]])
    return subprocess.run([file, *sys.argv[1:]], check=False).returncode


sys.exit(main())
