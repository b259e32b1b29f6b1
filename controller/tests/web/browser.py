"""Debian's Chromium without a screen, told what to do through a pipe (DevTools protocol)."""

import json
import os
import select
import shutil
import signal
import subprocess
import tempfile
import time
from base64 import b64decode
from contextlib import suppress
from pathlib import Path
from typing import Any, Self

CHROMIUM = shutil.which("chromium")
PATIENCE_S = 60.0
_FLAGS = (
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-extensions",
    "--disable-background-networking",
    "--disable-component-update",
    "--no-first-run",
    "--hide-scrollbars",
    "--remote-debugging-pipe",
)


class Browser:
    """One page at a time. Use it with `with`; errors of the page and what it asked for are kept."""

    def __init__(self) -> None:
        self.errors: list[str] = []
        self.requested: list[str] = []
        self._messages = 0
        self._buffer = b""
        self._session: str | None = None
        self._context: str | None = None

    def __enter__(self) -> Self:
        assert CHROMIUM is not None
        self._folder = tempfile.TemporaryDirectory()
        theirs_in, self._out = os.pipe()
        self._in, theirs_out = os.pipe()
        # Chromium reads from 3 and writes to 4.
        started = f'exec "$@" 3<&{theirs_in} 4>&{theirs_out}'
        flags = (*_FLAGS, f"--user-data-dir={self._folder.name}")
        self._process = subprocess.Popen(
            ["bash", "-c", started, "bash", CHROMIUM, *flags, "about:blank"],
            pass_fds=(theirs_in, theirs_out),
            env=os.environ | {"TMPDIR": self._folder.name},
            process_group=0,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        os.close(theirs_in)
        os.close(theirs_out)
        self.renew()
        return self

    def renew(self, width: int = 1280, height: int = 900) -> None:
        """Another page, that shares nothing with those before: as of a browser just started."""
        self._session = None
        if self._context is not None:
            self._call("Target.disposeBrowserContext", browserContextId=self._context)
        self._context = self._call("Target.createBrowserContext")["browserContextId"]
        page = self._call("Target.createTarget", url="about:blank", browserContextId=self._context)[
            "targetId"
        ]
        self._session = self._call("Target.attachToTarget", targetId=page, flatten=True)[
            "sessionId"
        ]
        self.errors.clear()
        self.requested.clear()
        for domain in ("Page", "Runtime", "Network", "Log"):
            self._call(f"{domain}.enable")
        self._call(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=height,
            deviceScaleFactor=1,
            mobile=False,
        )

    def __exit__(self, *_: object) -> None:
        os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        self._wait_for_its_own()
        os.close(self._out)
        os.close(self._in)
        self._folder.cleanup()

    def _wait_for_its_own(self) -> None:
        """Until the processes that it has started are gone, too: they write to its folder."""
        give_up_s = time.monotonic() + PATIENCE_S
        with suppress(ProcessLookupError):
            while time.monotonic() < give_up_s:
                os.killpg(self._process.pid, 0)
                time.sleep(0.01)

    def open(self, url: str) -> None:
        """Goes there; returns when the page has loaded."""
        self._call("Page.navigate", url=url)
        self.wait_for("document.readyState === 'complete' && location.href !== 'about:blank'")

    def evaluate(self, expression: str) -> Any:
        """The value of a JavaScript expression."""
        answer = self._call(
            "Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True
        )
        assert "exceptionDetails" not in answer, answer
        return answer["result"].get("value")

    def wait_for(self, condition: str) -> None:
        """Returns when the JavaScript condition holds; the page itself looks."""
        assert self.evaluate(
            "(async () => {"
            f" const end = performance.now() + {1e3 * PATIENCE_S};"
            f" while (!({condition}) && performance.now() < end)"
            " await new Promise((done) => setTimeout(done, 10));"
            f" return {condition}; }})()"
        ), f"{condition}: not within {PATIENCE_S} s"

    def screenshot(self, path: Path) -> None:
        """What is to be seen, as PNG."""
        path.write_bytes(b64decode(self._call("Page.captureScreenshot")["data"]))

    def _call(self, method: str, **parameters: Any) -> dict[str, Any]:
        self._messages += 1
        message = {"id": self._messages, "method": method, "params": parameters}
        if self._session is not None:
            message["sessionId"] = self._session
        os.write(self._out, json.dumps(message).encode() + b"\0")
        while (answer := self._read()).get("id") != self._messages:
            self._notice(answer)
        assert "error" not in answer, answer
        return dict(answer["result"])

    def _read(self) -> dict[str, Any]:
        while b"\0" not in self._buffer:
            ready, _, _ = select.select([self._in], [], [], PATIENCE_S)
            assert ready, "Chromium does not answer"
            data = os.read(self._in, 1 << 20)
            assert data, "Chromium has ended"
            self._buffer += data
        text, _, self._buffer = self._buffer.partition(b"\0")
        return dict(json.loads(text))

    def _notice(self, event: dict[str, Any]) -> None:
        if event.get("sessionId") != self._session:
            return
        method, parameters = event.get("method"), event.get("params", {})
        if method == "Network.requestWillBeSent":
            self.requested.append(parameters["request"]["url"])
        elif method == "Runtime.exceptionThrown":
            self.errors.append(json.dumps(parameters["exceptionDetails"])[:2000])
        elif method == "Log.entryAdded" and parameters["entry"]["level"] == "error":
            self.errors.append(parameters["entry"]["text"])
