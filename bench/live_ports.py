"""1 to 1000 live ports on four switches, and what becomes of them when a process dies.

Then the ports of one BMv2, where it is on PATH; their rows are null otherwise.

Switches and traffic have one core, controllers another one; the interval is 20 ms. A machine that
does other things beside or stands still for a while makes them miss deadlines: `stall_s` is for how
long it did the latter.
"""

import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import fields
from pathlib import Path
from typing import Any

from fleet.controller import Controller
from fleet.cost import COUNTS, Cost, cost
from fleet.models import BMV2, EMBEDDED, Model
from fleet.recovery import ALL_PORTS, fail_over_times_s, restart_times_s
from fleet.switches import Switches
from fleet.viewers import lateness_by_viewers_s
from p4abs.access.discovery import RegisterPath
from targets import has_bmv2

DURATION_S = 60.0
MAX_PORTS = sum(ALL_PORTS)
COUNTS_ON_BMV2 = (1, 16, BMV2.ports)
VIEWERS = (0, 10)
VIEWER_ROUNDS = 4
VIEWED_S = 10.0
RESTARTS = 8
FAIL_OVERS = 8


def measure(blast: Path, duration_s: float = DURATION_S) -> dict[str, Any]:
    """Costs by register path and count of ports, and how long the fleet takes to recover.

    Then what 1000 ports do at real-time priority, by themselves and while they are looked at.
    """
    results: dict[str, Any] = {}
    with _switches(EMBEDDED, blast) as switches:
        for path, counts in COUNTS.items():
            costs = {count: cost(switches, path, count, duration_s) for count in counts}
            results |= _rows(f"live_{path.replace('-', '_')}", costs)
        results["fail_over_s"] = fail_over_times_s(switches, FAIL_OVERS, Controller.kill)
        results["fail_over_of_a_hung_one_s"] = fail_over_times_s(
            switches, FAIL_OVERS, Controller.hang
        )
        results["restart_s"] = restart_times_s(switches, RESTARTS)
    with _switches(EMBEDDED, blast, is_real_time=True) as switches:
        alone = cost(switches, RegisterPath.MAILBOX, MAX_PORTS, duration_s)
        results |= _rows("live_real_time", {MAX_PORTS: alone})
        results["live_real_time_lateness_p99_s_by_viewers"] = lateness_by_viewers_s(
            switches, VIEWERS, VIEWER_ROUNDS, VIEWED_S
        )
    return results | measure_bmv2(blast, duration_s)


def measure_bmv2(blast: Path, duration_s: float) -> dict[str, Any]:
    """What its ports cost by their count; null where it is not on PATH."""
    if not has_bmv2():
        return _rows("bmv2_live", None)
    with _switches(BMV2, blast) as switches:
        costs = {
            count: cost(switches, RegisterPath.MAILBOX, count, duration_s)
            for count in COUNTS_ON_BMV2
        }
    return _rows("bmv2_live", costs)


@contextmanager
def _switches(model: Model, blast: Path, *, is_real_time: bool = False) -> Iterator[Switches]:
    with (
        tempfile.TemporaryDirectory() as scratch,
        Switches(model, blast, Path(scratch), is_real_time=is_real_time) as switches,
    ):
        yield switches


def _rows(name: str, costs: Mapping[int, Cost] | None) -> dict[str, Any]:
    """One for each figure, by counts of ports."""
    return {
        f"{name}_{field.name}_by_ports": costs
        and {count: getattr(each, field.name) for count, each in costs.items()}
        for field in fields(Cost)
    }
