"""A page in Chromium, which is asked through a pair of pipes."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from base64 import b64decode
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

PROGRAM = os.environ.get("ONNXRAY_CHROMIUM")

_BEGIN = """
import os, sys
ends = [os.dup(int(end)) for end in sys.argv[1:3]]
for place, end in enumerate(ends, 3):
    os.dup2(end, place)
    os.set_inheritable(place, True)
os.execv(sys.argv[3], sys.argv[3:])
"""
"""Chromium reads from its file 3 and writes to its file 4."""


class Browser:
    """One page, by the DevTools protocol: messages of JSON, each ended by a zero."""

    def __init__(self, to: IO[bytes], back: IO[bytes]) -> None:
        self._to = to
        self._back = back
        self._number = 0
        self._session: str | None = None
        self.said: list[str] = []
        """What the page complained of, such as what its policy forbids."""
        target = self._send("Target.createTarget", url="about:blank")["targetId"]
        attached = self._send("Target.attachToTarget", targetId=target, flatten=True)
        self._session = attached["sessionId"]
        for domain in ("Page", "Runtime", "Log"):
            self._send(f"{domain}.enable")

    def open(self, file: Path, width: int, scheme: str = "light") -> None:
        """Opens a page in a window that is so wide, in light or dark."""
        metrics = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": False}
        self._send("Emulation.setDeviceMetricsOverride", **metrics)
        feature = {"name": "prefers-color-scheme", "value": scheme}
        self._send("Emulation.setEmulatedMedia", features=[feature])
        self._send("Page.navigate", url=file.as_uri())
        self._until("Page.loadEventFired")

    def value(self, expression: str) -> Any:
        """The value of an expression in the page."""
        found = self._send("Runtime.evaluate", expression=expression, returnByValue=True)
        assert "exceptionDetails" not in found, found
        return found["result"].get("value")

    def press(self, key: str) -> None:
        """Presses a key where the focus is."""
        for kind in ("keyDown", "keyUp"):
            self._send("Input.dispatchKeyEvent", type=kind, key=key, code=key)

    def point(self, x: float, y: float) -> None:
        """Moves the pointer."""
        self._send("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=y)

    def picture(self) -> bytes:
        """All of the page as PNG."""
        shot = self._send("Page.captureScreenshot", captureBeyondViewport=True)
        return b64decode(shot["data"])

    def _send(self, method: str, **parameters: Any) -> dict[str, Any]:
        self._number += 1
        message = {"id": self._number, "method": method, "params": parameters}
        if self._session:
            message["sessionId"] = self._session
        self._to.write(json.dumps(message).encode() + b"\0")
        while (answer := self._next()).get("id") != self._number:
            pass
        assert "error" not in answer, answer
        result: dict[str, Any] = answer["result"]
        return result

    def _until(self, event: str) -> None:
        while self._next().get("method") != event:
            pass

    def _next(self) -> dict[str, Any]:
        text = bytearray()
        while (letter := self._back.read(1)) != b"\0":
            assert letter, "the browser ended"
            text += letter
        message: dict[str, Any] = json.loads(text)
        if message.get("method") in ("Log.entryAdded", "Runtime.exceptionThrown"):
            self.said.append(json.dumps(message["params"]))
        return message


@contextmanager
def browser() -> Iterator[Browser]:
    """A browser with a profile of its own, which ends with the block."""
    assert PROGRAM
    (their_in, our_out), (our_in, their_out) = os.pipe(), os.pipe()
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        options = ("--headless", "--no-sandbox", "--disable-gpu", "--remote-debugging-pipe")
        process = subprocess.Popen(
            [
                *(sys.executable, "-c", _BEGIN, str(their_in), str(their_out), PROGRAM),
                *(*options, "--hide-scrollbars", f"--user-data-dir={profile}"),
            ],
            pass_fds=(their_in, their_out),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        os.close(their_in)
        os.close(their_out)
        with os.fdopen(our_out, "wb", buffering=0) as to, os.fdopen(our_in, "rb") as back:
            try:
                yield Browser(to, back)
            finally:
                process.kill()
                process.wait()
