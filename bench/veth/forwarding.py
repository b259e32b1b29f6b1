"""Speed and latency of a target over virtual links: generator, target, counter."""

import json
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from measurement import MeasurementFailed, by_turns, output
from p4abs_switch.testbed.network import Network
from targets import DEVICE_ID, PORTS, RECEIVER, SENDER, Kind
from workloads import ROOT, STATION_MAC, Workload

FRAME_BYTES = (64, 1000)
RUN_S = 1.0
LATENCY_RUN_S = 3.0
LATENCY_PPS = 1000
ROUNDS = 5
TIMEOUT_S = 60.0
# A target that is offered too much can forward less than its best, because the generator shares
# its cores: each target is judged at the rate it does best at. Ascending, because an overload can
# weigh on what comes after it; 0 is as fast as the generator goes.
OFFERED_PPS = (
    *(40_000, 50_000, 60_000, 70_000, 85_000, 100_000, 130_000),
    *(180_000, 250_000, 350_000, 450_000, 550_000, 650_000, 750_000, 900_000, 0),
)
FUTILE = 4


@dataclass(frozen=True, order=True)
class Speed:
    """What arrived, and what the generator sent for it; compares by what arrived."""

    packets_per_s: float
    offered_pps: float


@dataclass(frozen=True)
class Latency:
    """From the sender to the kernel's receipt behind the target, of the frames that arrived."""

    median_s: float
    p99_s: float
    offered_pps: float
    lost_share: float


@dataclass(frozen=True)
class Round:
    """What a target reached in one round with frames of one length."""

    speed: Speed
    latency: Latency
    half_load: Latency


class Bench:
    """One target with its program and one forwarding entry in place."""

    def __init__(
        self, kind: Kind, workload: Workload, network: Network, blast: Path, log: Path
    ) -> None:
        self._workload = workload
        self._network = network
        self._blast = blast
        self.target = kind(network, log)
        provision = (sys.executable, str(ROOT / "bench" / "provision.py"))
        self._run([*provision, self.target.address, str(DEVICE_ID), workload.name])

    def speed(self, frame_bytes: int, offered_pps: int) -> Speed:
        """What arrived behind the target while the generator ran, at a rate or as fast as it goes,
        which is 0."""
        frames = round(RUN_S * (offered_pps or max(OFFERED_PPS)))
        before = self._received()
        interfaces = [self._network.test_end(SENDER)]
        report = self._generate("load", interfaces, frame_bytes, frames, offered_pps)
        arrived = self._received() - before
        return Speed(arrived / report["seconds"], report["sent_packets"] / report["seconds"])

    def latency(self, frame_bytes: int, offered_pps: int, duration_s: float) -> Latency:
        """Of all frames, which are sent one by one. Raises MeasurementFailed if none arrives."""
        interfaces = [self._network.test_end(SENDER), self._network.test_end(RECEIVER)]
        frames = round(offered_pps * duration_s)
        report = self._generate("latency", interfaces, frame_bytes, frames, offered_pps)
        if not report["received_packets"]:
            raise MeasurementFailed(f"none of {frames} frames arrived behind the switch")
        sent = report["sent_packets"]
        lost_share = 1 - report["received_packets"] / sent
        return Latency(report["median_s"], report["p99_s"], sent / report["seconds"], lost_share)

    def _generate(
        self, how: str, interfaces: Sequence[str], frame_bytes: int, frames: int, offered_pps: int
    ) -> dict[str, Any]:
        """What `blast` reports."""
        numbers = (self._workload.destinations, frame_bytes, frames, offered_pps)
        command = [str(self._blast), how, *interfaces, STATION_MAC, *map(str, numbers)]
        report: dict[str, Any] = json.loads(self._run(command))
        return report

    def _received(self) -> int:
        counter = f"/sys/class/net/{self._network.test_end(RECEIVER)}/statistics/rx_packets"
        return int(self._run(["cat", counter]))

    def _run(self, command: Sequence[str]) -> str:
        return output(self._network.run(command, timeout_s=TIMEOUT_S))


def run_round(kind: Kind, workload: Workload, blast: Path) -> dict[int, Round]:
    """A target's results by the frames' length in bytes, from one start of it."""
    with tempfile.TemporaryDirectory() as scratch, Network(PORTS) as network:
        bench = Bench(kind, workload, network, blast, Path(scratch, "target.log"))
        return {frame_bytes: _round(bench, frame_bytes) for frame_bytes in FRAME_BYTES}


def _round(bench: Bench, frame_bytes: int) -> Round:
    """The latency of single frames; the offered rates, up to FUTILE times what the target did
    best; and the latency at half of that."""
    best = Speed(0.0, 0.0)
    latency = bench.latency(frame_bytes, LATENCY_PPS, LATENCY_RUN_S)
    for rate in OFFERED_PPS:
        if best.packets_per_s and (rate or max(OFFERED_PPS)) > FUTILE * best.packets_per_s:
            break
        best = max(best, bench.speed(frame_bytes, rate))
    half_load = bench.latency(frame_bytes, round(best.packets_per_s / 2), RUN_S)
    return Round(best, latency, half_load)


def measure(
    kinds: Sequence[Kind], workload: Workload, blast: Path, rounds: int = ROUNDS
) -> list[list[dict[int, Round]]]:
    """Each target's rounds, by turns."""
    ways = {kind: partial(run_round, kind, workload, blast) for kind in kinds}
    return [*by_turns(rounds, ways).values()]
