"""Headless Chromium, driven over its debugging pipe: JSON messages ended by a zero byte.

No driver, no library, no port. `Browser.find` gives the program or None; tests that need it are
skipped where there is none.
"""

from __future__ import annotations

import base64
import json
import os
import select
import shutil
import subprocess
import tempfile
import time
from pathlib import Path
from typing import Any

FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--disable-dev-shm-usage",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--hide-scrollbars",
    "--remote-debugging-pipe",
)
PATIENCE = 120.0


class Page:
    """One page that was opened: what it said, what it asked for, what it looks like."""

    def __init__(self, browser: Browser, session: str) -> None:
        self._browser = browser
        self._session = session
        self.complaints: list[str] = []
        self.requests: list[str] = []

    def call(self, method: str, **parameters: Any) -> Any:
        return self._browser.call(method, parameters, self._session)

    def hear(self, message: dict[str, Any]) -> None:
        what, told = message.get("method"), message.get("params", {})
        if what == "Network.requestWillBeSent":
            self.requests.append(told["request"]["url"])
        elif what == "Log.entryAdded":
            self.complaints.append(f"{told['entry']['level']}: {told['entry']['text']}")
        elif what in ("Runtime.consoleAPICalled", "Runtime.exceptionThrown"):
            self.complaints.append(json.dumps(told))

    def value(self, expression: str, *, wait: bool = False) -> Any:
        """The value of a JavaScript expression; `wait` for what is a promise."""
        found = self.call(
            "Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=wait
        )
        assert "exceptionDetails" not in found, found
        return found["result"].get("value")

    def press(self, key: str, code: int) -> None:
        for kind in ("keyDown", "keyUp"):
            self.call("Input.dispatchKeyEvent", type=kind, key=key, windowsVirtualKeyCode=code)

    def pdf(self) -> bytes:
        """The page as it would be printed."""
        return base64.b64decode(self.call("Page.printToPDF", printBackground=True)["data"])


class Browser:
    """A running browser with a profile of its own; a context manager."""

    def __init__(self, program: str) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="chromium-")
        down_read, self._down = os.pipe()
        self._up, up_write = os.pipe()

        def connect() -> None:
            # Both ends may be 3 or 4 themselves, so they are moved out of the way first.
            here, there = os.dup(down_read), os.dup(up_write)
            spare = [os.dup(here), os.dup(there)]
            os.dup2(spare[0], 3)
            os.dup2(spare[1], 4)

        self._process = subprocess.Popen(
            [program, *FLAGS, f"--user-data-dir={self._folder.name}"],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            close_fds=False,
            preexec_fn=connect,
        )
        os.close(down_read)
        os.close(up_write)
        self._last = 0
        self._buffer = b""
        self._pages: dict[str, Page] = {}

    @staticmethod
    def find() -> str | None:
        names = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
        return next((found for name in names if (found := shutil.which(name))), None)

    def __enter__(self) -> Browser:
        return self

    def __exit__(self, *failure: object) -> None:
        os.close(self._down)  # the browser ends when its pipe is closed
        try:
            self._process.wait(10)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        os.close(self._up)
        for _ in range(20):  # helpers of the browser may still be writing their last files
            shutil.rmtree(self._folder.name, ignore_errors=True)
            if not Path(self._folder.name).exists():
                break
            time.sleep(0.1)
        self._folder.cleanup()

    def open(self, path: Path, width: int, *, dark: bool = False, height: int = 900) -> Page:
        """Open a file at a width, as a light or a dark page; phones are narrower than 600."""
        target = self.call("Target.createTarget", {"url": "about:blank"})["targetId"]
        session = self.call("Target.attachToTarget", {"targetId": target, "flatten": True})
        page = Page(self, session["sessionId"])
        self._pages[session["sessionId"]] = page
        for domain in ("Page", "Runtime", "Log", "Network", "Accessibility"):
            page.call(f"{domain}.enable")
        page.call(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=height,
            deviceScaleFactor=1,
            mobile=width < 600,
        )
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        page.call("Emulation.setEmulatedMedia", features=[scheme])
        page.call("Page.navigate", url=path.resolve().as_uri())
        end = time.monotonic() + PATIENCE
        while page.value("document.readyState + location.protocol") != "completefile:":
            assert time.monotonic() < end, f"{path} was not loaded"
            time.sleep(0.02)
        return page

    def call(self, method: str, parameters: dict[str, Any], session: str | None = None) -> Any:
        """Send a command and wait for its answer; what pages say meanwhile is kept."""
        self._last += 1
        message = {"id": self._last, "method": method, "params": parameters}
        if session is not None:
            message["sessionId"] = session
        os.write(self._down, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._next()
            if answer.get("id") == self._last:
                assert "error" not in answer, f"{method}: {answer['error']}"
                return answer["result"]
            if answer.get("sessionId") in self._pages:
                self._pages[answer["sessionId"]].hear(answer)

    def _next(self) -> dict[str, Any]:
        while b"\0" not in self._buffer:
            ready, _, _ = select.select([self._up], [], [], PATIENCE)
            assert ready, "the browser does not answer"
            got = os.read(self._up, 1 << 20)
            assert got, "the browser has ended"
            self._buffer += got
        message, _, self._buffer = self._buffer.partition(b"\0")
        found: dict[str, Any] = json.loads(message)
        return found
