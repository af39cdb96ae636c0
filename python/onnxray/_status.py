"""One line that says what is running, for whoever watches."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from ._printing import clear, printable, show

_DELAY = 1.0
_WIDTH = 70


@contextmanager
def status(arguments: Sequence[str]) -> Iterator[None]:
    """Shows what runs and for how long, once that is a second, in a terminal or a notebook.

    The bar of the program itself needs a terminal of its own, and its messages become warnings
    and notes of the result instead: what is shown here is the command and the time.
    """
    if not is_watched():
        yield
        return
    words = [word for word in arguments if not word.startswith("--")]
    title = printable(f"onnxray {' '.join(words)}")[:_WIDTH]
    ended = threading.Event()
    thread = threading.Thread(target=_show, args=(title, ended), daemon=True)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()


def _show(title: str, ended: threading.Event) -> None:
    begun = time.monotonic()
    line = ""
    while not ended.wait(_DELAY):
        line = f"{title}: {time.monotonic() - begun:.0f} s"
        show(line)
    if line:
        clear(len(line))


def is_watched() -> bool:
    """Whether somebody sees what is said on standard error."""
    stream = sys.stderr
    if stream is None:
        return False
    return stream.isatty() or type(stream).__module__.startswith("ipykernel")
