"""What the page takes with 1000 invented ports: `python -m controller.tests.web.measure`.

Prints when Chromium painted first and when the ports were there, in a browser just started and
then in the same one; and the lateness of a loop of 20 ms that does nothing else, without viewers,
with ten in a process of their own, and with ten but without the pauses that let the loop go first.
"""

import asyncio
import gc
import subprocess
import sys
import time
from unittest.mock import patch

from p4abs.clock import MonotonicClock
from p4abs.control import Schedule
from p4abs.telemetry import web_access
from p4abs.telemetry.summary import percentile
from p4abs.telemetry.web.application import serve_web

from controller.tests.web.browser import CHROMIUM, Browser
from controller.tests.web.invented import InventedFleet

INTERVAL_S = 0.02
MEASURED_S = 12.0
VIEWERS = 10
ROUNDS = 2
_VIEWERS = """
import http.client, sys, threading, time
host, seconds, count = sys.argv[1], float(sys.argv[2]), int(sys.argv[3])
def view(number):
    connection = http.client.HTTPConnection(host, timeout=30)
    time.sleep(number / count)
    end_s, since_s = time.time() + seconds, 0
    while time.time() < end_s:
        wanted = ["/fleet.json"]
        if number % 2:
            wanted.append(f"/port.json?switch=10.0.0.1:9559&port={number}&since={since_s}")
        for path in wanted:
            connection.request("GET", path)
            connection.getresponse().read()
        since_s = time.time() - 2
        time.sleep(1)
for number in range(count):
    threading.Thread(target=view, args=(number,)).start()
"""
_PAINTED = (
    "['first-paint', 'ports-shown'].map((name) =>"
    " Math.round(performance.getEntriesByName(name)[0].startTime))"
)


def main() -> None:
    """Measures one after the other."""
    fleet = InventedFleet(4, 250)
    fleet.run(time.time() - 60, 60)
    gc.freeze()
    access = web_access("127.0.0.1:0", None, None, None)
    assert access is not None
    with serve_web(access, fleet.board, print) as url:
        if CHROMIUM is not None:
            _paint(url)
        for _ in range(ROUNDS):
            _lateness("no viewers", url, 0)
            _lateness(f"{VIEWERS} viewers", url, VIEWERS)
            with patch("p4abs.telemetry.unhurried.time.sleep", lambda _s: None):
                _lateness(f"{VIEWERS} viewers, no pauses", url, VIEWERS)


def _paint(url: str) -> None:
    with Browser() as browser:
        for number in range(6):
            browser.open(f"{url}?{number}")
            browser.wait_for("performance.getEntriesByName('ports-shown').length > 0")
            paint_ms, ports_ms = browser.evaluate(_PAINTED)
            browser_is = "just started" if number == 0 else "running"
            print(f"browser {browser_is}: first paint {paint_ms} ms, ports {ports_ms} ms")


def _lateness(title: str, url: str, viewers: int) -> None:
    command = [sys.executable, "-c", _VIEWERS, url.split("/")[2], str(MEASURED_S), str(viewers)]
    with subprocess.Popen(command):
        lateness_s = asyncio.run(_loop())
    shown = ", ".join(
        f"p{percent} {1e3 * (percentile(lateness_s, percent) or 0):.1f} ms"
        for percent in (50, 90, 99)
    )
    print(f"lateness, {title}: {shown}", flush=True)


async def _loop() -> list[float]:
    clock = MonotonicClock()
    schedule, lateness_s = Schedule(clock, INTERVAL_S), []
    end_s = clock.now_s() + MEASURED_S
    while clock.now_s() < end_s:
        lateness_s.append(await schedule.next())
    return lateness_s


if __name__ == "__main__":
    main()
