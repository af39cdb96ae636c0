"""Runs the program: ``python -m onnxray ARGUMENTS`` is ``onnxray ARGUMENTS``."""

from __future__ import annotations

import os
import subprocess
import sys

from ._printing import tell
from ._program import program
from .errors import Error


def main() -> int:
    """Becomes the program, where a process can; its exit code otherwise."""
    try:
        file = program()
    except Error as error:
        tell(f"error: {error}")
        return 1
    if os.name == "posix":
        os.execv(file, [file, *sys.argv[1:]])
    return subprocess.run([file, *sys.argv[1:]], check=False).returncode


sys.exit(main())
