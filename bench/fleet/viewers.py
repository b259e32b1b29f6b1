"""Who reads a controller's metrics and page beside it, and whether it keeps its time meanwhile."""

import sys
import time
from collections.abc import Sequence
from pathlib import Path

from p4abs_switch.testbed.process import RunningProcess

from fleet.controller import Controller
from fleet.recovery import ALL_PORTS
from fleet.switches import SWITCH_CORE, Switches

METRICS_ADDRESS = "127.0.0.1:9105"
METRICS = f"http://{METRICS_ADDRESS}/metrics"
PAGE_ADDRESS = "127.0.0.1:8080"
PAGE = f"http://{PAGE_ADDRESS}/fleet.json"
PAGE_S = 1.0
"""How often a browser that shows the fleet reads it."""

_SCRIPT = Path(__file__).with_name("reader.py")


def reader(switches: Switches, name: str, url: str, period_s: float) -> RunningProcess:
    """A process that reads it so often; its log has a line for each answer."""
    return RunningProcess(
        name,
        (sys.executable, str(_SCRIPT), url, str(period_s)),
        switches.scratch / f"{name}.log",
        lambda command, log: switches.run_on(SWITCH_CORE, command, log),
    )


def answers(ended: RunningProcess) -> int:
    """How many a reader has got."""
    return len(ended.log.read_text().splitlines())


def lateness_by_viewers_s(
    switches: Switches, counts: Sequence[int], rounds: int, duration_s: float
) -> dict[int, list[float]]:
    """The 99th percentile of all ports' lateness with so many viewers of the page, by turns.

    Raises ProcessFailed.
    """
    found: dict[int, list[float]] = {count: [] for count in counts}
    for number in range(rounds):
        for count in counts:
            name = f"viewers-{number}-{count}"
            scratch = switches.scratch / name
            controller = Controller(switches, ALL_PORTS, scratch, "--web", PAGE_ADDRESS)
            viewers = [
                reader(switches, f"{name}-{viewer}", PAGE, PAGE_S) for viewer in range(count)
            ]
            time.sleep(duration_s)
            for viewer in viewers:
                viewer.check_alive()
            loops = controller.end().values()
            for viewer in viewers:
                viewer.end()
            found[count].append(max(loop["lateness_p99_s"] for loop in loops))
    return found
