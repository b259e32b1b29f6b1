"""Does a controller's memory stay, with 1000 ports of four switches and all who can watch them?

memory.py [--duration S] [--interval S] [--results FILE]

The ports are under traffic; metrics are scraped, the page is looked at, and all samples go to
Parquet, which may take a gigabyte of disk meanwhile. Prints as JSON what the controller had in
memory in each tenth of the time, its median, as each scrape takes some megabytes for a moment; and
by how much the last three tenths are above the second to the fifth, by their medians, too. What
samples take while the machine keeps them from being written does not count; what stays of it does.
The first tenth does not count: what is bounded fills. `samples` are those in the tables, and
`samples_share` how much of what intervals without a miss would have brought; `answers` are those to
a scraper and to a viewer. Ends with status 1 if memory grew, or if it was hardly put to the test:
without an answer, or with less than half of the samples.
"""

import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from statistics import median_low
from typing import Any

import click
from fleet.controller import INTERVAL_S, Controller
from fleet.models import EMBEDDED
from fleet.recovery import ALL_PORTS
from fleet.switches import Switches
from fleet.viewers import METRICS, METRICS_ADDRESS, PAGE, PAGE_ADDRESS, PAGE_S, answers, reader
from measurement import MeasurementFailed, results_option, run
from p4abs.cli import run as run_command
from p4abs_switch.command_line.options import option
from p4abs_switch.testbed.process import RunningProcess
from pyarrow.parquet import read_metadata
from veth.blast import build_blast

DURATION_S = 1800.0
LONGEST_S = 3000.0  # traffic lasts a little longer
PARTS = 10
EARLY, LATE = slice(1, 5), slice(-3, None)
LOOK_S = 0.5
# How often they are read.
READ_S = {METRICS: 10.0, PAGE: PAGE_S}
GROWTH_LIMIT_BYTES = 4 << 20
MIN_SAMPLES_SHARE = 0.5


@click.command()
@option(
    "--duration", "In seconds.", type=click.FloatRange(min=10, max=LONGEST_S), default=DURATION_S
)
@option(
    "--interval",
    "Of control, in seconds.",
    type=click.FloatRange(min=0.001, max=1),
    default=INTERVAL_S,
)
@results_option()
def main(duration: float, interval: float, results: Path | None) -> int:
    """Controls 1000 ports with metrics, page and samples, and looks at the controller's memory."""
    return run(lambda: measure(duration, interval), results)


def measure(duration_s: float, interval_s: float) -> dict[str, Any]:
    """The controller's memory, and how many samples it wrote.

    Raises ProcessFailed and MeasurementFailed.
    """
    with (
        tempfile.TemporaryDirectory() as name,
        Switches(EMBEDDED, build_blast(), Path(name)) as switches,
    ):
        scratch = Path(name, "controller")
        options = (
            *("--metrics", METRICS_ADDRESS, "--web", PAGE_ADDRESS),
            *("--samples", str(scratch / "all.parquet")),
        )
        controller = Controller(switches, ALL_PORTS, scratch, *options, interval_s=interval_s)
        readers = {
            url: reader(switches, f"reader-of-{Path(url).name}", url, period_s)
            for url, period_s in READ_S.items()
        }
        parts_bytes = _memory(controller, [*readers.values()], duration_s)
        for each in readers.values():
            each.end()
        controller.end()
        answered = {url: answers(each) for url, each in readers.items()}
        samples = sum(read_metadata(table).num_rows for table in scratch.glob("*.parquet"))
    growth_bytes = median_low(parts_bytes[LATE]) - median_low(parts_bytes[EARLY])
    samples_share = samples / (sum(ALL_PORTS) * duration_s / interval_s)
    was_tested = all(answered.values()) and samples_share >= MIN_SAMPLES_SHARE
    return {
        "duration_s": duration_s,
        "interval_s": interval_s,
        "samples": samples,
        "samples_share": samples_share,
        "answers": answered,
        "memory_bytes_by_tenth": parts_bytes,
        "memory_growth_bytes": growth_bytes,
        "passed": was_tested and growth_bytes < GROWTH_LIMIT_BYTES,
    }


def _memory(
    controller: Controller, readers: Sequence[RunningProcess], duration_s: float
) -> list[int]:
    """What it had in memory in each of PARTS equal parts of the time, the median.

    Raises MeasurementFailed if a part passed without a look.
    """
    seen_bytes: list[list[int]] = [[] for _ in range(PARTS)]
    begin_s = time.monotonic()
    while (share := (time.monotonic() - begin_s) / duration_s) < 1:
        controller.check_alive()
        for each in readers:
            each.check_alive()
        seen_bytes[int(share * PARTS)].append(controller.resident_bytes())
        time.sleep(LOOK_S)
    if not all(seen_bytes):
        raise MeasurementFailed("the machine stood still for a tenth of --duration: make it longer")
    return [median_low(seen) for seen in seen_bytes]


if __name__ == "__main__":
    run_command(main, "memory")
