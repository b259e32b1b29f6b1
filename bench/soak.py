"""Runs the embedded switch at full load for a while, with a controller that polls it every 20 ms.

soak.py [--duration S] [--offered PPS] [--results FILE]

Afterwards every byte that was offered must have been counted, as admitted or as dropped, and the
target must not have grown. Frames that found the receive ring full, because something else kept the
packet thread from running, never reached the program: the target reports them, and they are shown
as lost. The port behind which the traffic ends is slower than the traffic, and the controller sets
another limit at every poll, so that frames are both admitted and dropped. Ends with status 1 if
bytes are missing or memory grew.
"""

import json
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import click
from measurement import (
    MeasurementFailed,
    output,
    resident_bytes,
    results_option,
    run,
)
from p4abs.cli import run as run_command
from p4abs_switch.command_line.options import option
from p4abs_switch.testbed.network import Network
from p4abs_switch.testbed.process import RunningProcess
from targets import DEVICE_ID, PORTS, RECEIVER, SENDER, embedded
from veth.blast import build_blast
from veth.forwarding import Bench
from workloads import ABS, ROOT, STATION_MAC

DURATION_S = 600.0
# As much as the target takes without losing frames before they reach the program.
OFFERED_PPS = 300_000
FRAME_BYTES = 1000
RECEIVER_RATE = "1gbit"
SETTLED_S = 30.0  # memory is compared from here on: pools have grown to their size
SETTLED_SHARE = 0.2  # or from here on, if that is earlier
SAMPLE_INTERVAL_S = 1.0
GROWTH_LIMIT_BYTES = 4 << 20
LOST = re.compile(r"port \d+: (\d+) received frames were lost before the program")
QUIET_S = 5.0  # the controller polls until nothing has been counted for so long


def slow_receiver(network: Network, log: Path) -> RunningProcess:
    """The embedded switch, RECEIVER's link at RECEIVER_RATE."""
    return embedded(network, log, {RECEIVER: f"rate={RECEIVER_RATE}"})


@click.command()
@option("--duration", "Of the load, in seconds.", type=click.FloatRange(min=1), default=DURATION_S)
@option("--offered", "Packets per second.", type=click.IntRange(min=1), default=OFFERED_PPS)
@results_option()
def main(duration: float, offered: int, results: Path | None) -> int:
    """Runs the embedded switch at full load for a while, with a controller that polls it."""
    return run(lambda: soak(duration, offered), results)


def soak(duration_s: float, offered_pps: int) -> dict[str, Any]:
    """The load, the polls and the memory of one run."""
    with tempfile.TemporaryDirectory() as scratch, Network(PORTS) as network:
        blast = build_blast()
        log = Path(scratch, "target.log")
        bench = Bench(slow_receiver, ABS, network, blast, log)
        poller = _start(network, _poll_command(bench.target.address))
        load = _start(network, _load_command(network, blast, duration_s, offered_pps))
        memory_bytes = list(_memory(bench.target, load))
        report, polls = _report(load, QUIET_S), _report(poller, 10 * QUIET_S)
        bench.target.end()
        lost_bytes = sum(map(int, LOST.findall(log.read_text()))) * FRAME_BYTES
    offered_bytes = report["sent_packets"] * FRAME_BYTES
    missing_bytes = offered_bytes - polls["admitted_bytes"] - polls["dropped_bytes"] - lost_bytes
    settled = memory_bytes[round(min(SETTLED_S, SETTLED_SHARE * duration_s)) :]
    if len(settled) < 2:
        raise MeasurementFailed("the load has ended before memory could be compared")
    growth_bytes = settled[-1] - settled[0]
    return {
        "duration_s": report["seconds"],
        "offered_pps": report["sent_packets"] / report["seconds"],
        "offered_bytes": offered_bytes,
        **polls,
        "lost_bytes": lost_bytes,
        "missing_bytes": missing_bytes,
        "memory_bytes": settled[-1],
        "memory_growth_bytes": growth_bytes,
        "passed": missing_bytes == 0 and growth_bytes < GROWTH_LIMIT_BYTES,
    }


def _poll_command(address: str) -> list[str]:
    poll = [sys.executable, str(ROOT / "bench" / "poll.py"), address, str(DEVICE_ID)]
    return [*poll, str(ABS.program), str(RECEIVER), str(QUIET_S)]


def _load_command(network: Network, blast: Path, duration_s: float, offered_pps: int) -> list[str]:
    return [
        *(str(blast), "load", network.test_end(SENDER), STATION_MAC, str(ABS.destinations)),
        *(str(FRAME_BYTES), str(round(duration_s * offered_pps)), str(offered_pps)),
    ]


def _start(network: Network, command: Sequence[str]) -> subprocess.Popen[bytes]:
    return network.start(command, subprocess.PIPE)


def _report(process: subprocess.Popen[bytes], timeout_s: float) -> dict[str, Any]:
    try:
        printed, _ = process.communicate(timeout=timeout_s)
    except subprocess.TimeoutExpired as error:
        raise MeasurementFailed(str(error)) from None
    done = subprocess.CompletedProcess(process.args, process.returncode, printed.decode())
    report: dict[str, Any] = json.loads(output(done))
    return report


def _memory(target: RunningProcess, load: subprocess.Popen[bytes]) -> Iterator[int]:
    """The target's resident bytes, every SAMPLE_INTERVAL_S until the load has ended."""
    while load.poll() is None:
        target.check_alive()
        yield resident_bytes(target.pid)
        time.sleep(SAMPLE_INTERVAL_S)


if __name__ == "__main__":
    run_command(main, "soak")
