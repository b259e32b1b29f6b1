"""1 to 1000 live ports on four switches, and what becomes of them when a process dies.

Then the ports of one BMv2, where it is on PATH; their rows are null otherwise.

live_ports.py [--seconds S] [--viewer-rounds N] [--restarts N] [--fail-overs N] [--results FILE]

Prints the results as JSON. Switches and traffic have one core, controllers another one; the
interval is 20 ms. A machine that does other things beside or stands still for a while makes them
miss deadlines: `stall_s` is for how long it did the latter.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import fields
from pathlib import Path
from typing import Any

import click
from fleet.controller import Controller
from fleet.cost import COUNTS, Cost, cost
from fleet.models import BMV2, EMBEDDED, Model
from fleet.recovery import ALL_PORTS, fail_over_times_s, restart_times_s
from fleet.switches import Switches
from fleet.viewers import lateness_by_viewers_s
from measurement import results_option, run
from p4abs.access.discovery import RegisterPath
from p4abs.cli import run as run_command
from p4abs_switch.command_line.options import option
from targets import has_bmv2
from veth.blast import build_blast

DURATION_S = 60.0
MOST_PORTS = sum(ALL_PORTS)
COUNTS_ON_BMV2 = (1, 16, BMV2.ports)
VIEWERS = (0, 10)
VIEWER_ROUNDS = 4
VIEWED_S = 10.0
RESTARTS = 8
FAIL_OVERS = 8
NUMBER = click.IntRange(min=0)


@click.command()
@option(
    "--seconds",
    "For each count of ports.",
    type=click.FloatRange(min=0, min_open=True),
    default=DURATION_S,
)
@option(
    "--viewer-rounds",
    "Of 1000 ports without and with ten viewers of the page.",
    type=NUMBER,
    default=VIEWER_ROUNDS,
)
@option("--restarts", "Of switches.", type=NUMBER, default=RESTARTS)
@option(
    "--fail-overs", "Of replicas that die, and of such that hang.", type=NUMBER, default=FAIL_OVERS
)
@results_option()
def main(
    seconds: float, viewer_rounds: int, restarts: int, fail_overs: int, results: Path | None
) -> int:
    """Measures 1 to 1000 live ports on four switches, and their recovery."""
    rounds = (viewer_rounds, restarts, fail_overs)
    return run(lambda: measure(build_blast(), seconds, *rounds), results)


def measure(
    blast: Path,
    duration_s: float = DURATION_S,
    viewer_rounds: int = VIEWER_ROUNDS,
    restarts: int = RESTARTS,
    fail_overs: int = FAIL_OVERS,
    counts: Mapping[RegisterPath, Sequence[int]] = COUNTS,
) -> dict[str, Any]:
    """Costs by register path and count of ports, and how long the fleet takes to recover.

    Then what 1000 ports do at real-time priority, by themselves and while they are looked at.
    """
    results: dict[str, Any] = {}
    with _switches(EMBEDDED, blast) as switches:
        for path, own_counts in counts.items():
            costs = {count: cost(switches, path, count, duration_s) for count in own_counts}
            results |= _rows(f"live_{path.replace('-', '_')}", costs)
        results["fail_over_s"] = fail_over_times_s(switches, fail_overs, Controller.kill)
        results["fail_over_of_a_hung_one_s"] = fail_over_times_s(
            switches, fail_overs, Controller.hang
        )
        results["restart_s"] = restart_times_s(switches, restarts)
    with _switches(EMBEDDED, blast, is_real_time=True) as switches:
        alone = cost(switches, RegisterPath.MAILBOX, MOST_PORTS, duration_s)
        results |= _rows("live_real_time", {MOST_PORTS: alone})
        results["live_real_time_lateness_p99_s_by_viewers"] = lateness_by_viewers_s(
            switches, VIEWERS, viewer_rounds, VIEWED_S
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


if __name__ == "__main__":
    run_command(main, "live_ports")
