"""How soon a switch answers a Read, and obeys SIGTERM, while packets keep it busy.

python -m serving.answers [--reads N] [--ends N] [--results FILE]

Prints as JSON, by what packets do, the 99th percentile of each in seconds: while it is flooded,
while a packet recirculates for ever, the same while a trace is written, and all of it at once; ends
also of one that has 32 ports and nothing to do. The Reads are of clone sessions, which the engine
has; an end is from the signal until the process is gone, of a switch that is started for it.
"""

import math
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import click
import grpc
from finsy.proto import p4r, p4r_grpc
from measurement import results_option, run
from p4abs.cli import run as run_command
from p4abs_switch.testbed.embedded import EmbeddedSwitch
from p4abs_switch.testbed.namespaces import enter_own
from p4abs_switch.testbed.process import Processes, RunningProcess
from workloads import ROOT

READS = 1000
ENDS = 50
PROGRAM = ROOT / "switch" / "tests" / "programs" / "recirculates_for_ever.json"
STATION, PORT = "station", "port"
ONE = {1: PORT}
MANY = {number: f"port{number}" for number in range(1, 33)}
ETHERTYPE_THAT_RECIRCULATES = 0x1234
SESSIONS = p4r.Entity(
    packet_replication_engine_entry=p4r.PacketReplicationEngineEntry(
        clone_session_entry=p4r.CloneSessionEntry()
    )
)
FLOOD = """
import socket
link = socket.socket(socket.AF_PACKET, socket.SOCK_RAW)
link.bind(("station", 0))
while True:
    try:
        link.send(bytes(60))
    except OSError:
        pass
"""


class Work(NamedTuple):
    """What keeps a switch busy."""

    is_flooded: bool = False
    recirculates: bool = False
    is_traced: bool = False


@click.command()
@click.option("--reads", type=click.IntRange(min=1), default=READS, show_default=True)
@click.option("--ends", type=click.IntRange(min=1), default=ENDS, show_default=True)
@results_option()
def main(reads: int, ends: int, results: Path | None) -> int:
    """Measures how soon a busy switch answers and ends."""
    return run(lambda: measure(reads, ends), results)


def measure(reads: int = READS, ends: int = ENDS) -> dict[str, Any]:
    """The 99th percentiles, in seconds. This process moves to a network namespace of its own."""
    enter_own()
    _link("set lo up")
    stations = {port: f"{port}peer" for port in MANY.values()} | {PORT: STATION}
    for port, station in stations.items():
        _link(f"add {station} type veth peer name {port}")
        _link(f"set {station} up")
        _link(f"set {port} up")
    works = {
        "flooded": Work(is_flooded=True),
        "recirculating": Work(recirculates=True),
        "recirculating_traced": Work(recirculates=True, is_traced=True),
        "all": Work(is_flooded=True, recirculates=True, is_traced=True),
    }
    answers, endings = {}, {}
    for name, work in works.items():
        with _busy(work) as switch:
            answers[name] = _p99(list(_read_times_s(switch.address, reads)))
        endings[name] = _p99([_end_time_s(work) for _ in range(ends)])
    endings["many_ports"] = _p99([_end_time_s(Work(), MANY) for _ in range(ends)])
    return {"busy_read_p99_s": answers, "busy_end_p99_s": endings}


def _link(words: str) -> None:
    subprocess.run(["ip", "link", *words.split()], check=True)


@contextmanager
def _busy(work: Work, interfaces: Mapping[int, str] = ONE) -> Iterator[RunningProcess]:
    """A switch that is kept busy."""
    with tempfile.TemporaryDirectory() as scratch, Processes() as processes:
        folder = Path(scratch)
        trace = folder / "trace" if work.is_traced else None
        switch = EmbeddedSwitch(interfaces=interfaces, program=PROGRAM, trace=trace)
        running = switch.start(folder / "log")
        try:
            if work.is_flooded:
                processes.start((sys.executable, "-c", FLOOD), subprocess.DEVNULL)
            if work.recirculates:
                _send(ETHERTYPE_THAT_RECIRCULATES)
            # What keeps it busy has begun, whatever it comes to by then.
            list(_read_times_s(running.address, 20))
            yield running
        finally:
            running.end()


def _send(ethertype: int) -> None:
    with socket.socket(socket.AF_PACKET, socket.SOCK_RAW) as link:
        link.bind((STATION, 0))
        link.send(bytes(12) + ethertype.to_bytes(2, "big") + bytes(46))


def _read_times_s(address: str, count: int) -> Iterator[float]:
    request = p4r.ReadRequest(device_id=1, entities=[SESSIONS])
    with grpc.insecure_channel(address) as channel:
        stub = p4r_grpc.P4RuntimeStub(channel)
        for _ in range(count):
            begin_s = time.perf_counter()
            list(stub.Read(request))
            yield time.perf_counter() - begin_s


def _end_time_s(work: Work, interfaces: Mapping[int, str] = ONE) -> float:
    with _busy(work, interfaces) as switch:
        begin_s = time.perf_counter()
        switch.send_signal(signal.SIGTERM)
        # Popen's own wait looks every 50 ms only.
        os.waitid(os.P_PID, switch.pid, os.WEXITED | os.WNOWAIT)
        return time.perf_counter() - begin_s


def _p99(times_s: Sequence[float]) -> float:
    return sorted(times_s)[math.ceil(0.99 * len(times_s)) - 1]


if __name__ == "__main__":
    run_command(main, "answers")
