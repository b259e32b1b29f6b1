"""Speed and latency of a target over virtual links: generator, target, counter."""

from __future__ import annotations

import json
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from measurement import output
from p4abs_switch.testbed.network import Network
from targets import DEVICE_ID, PORTS, RECEIVER, SENDER, Kind
from workloads import ROOT, STATION_MAC, Workload

FRAME_BYTES = 1000
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
    """What arrived at the offered rate that serves the target best; compares by what arrived."""

    packets_per_s: float
    offered_pps: int


@dataclass(frozen=True)
class Latency:
    """From the sender to the kernel's receipt behind the target."""

    median_s: float
    p99_s: float


@dataclass(frozen=True)
class Round:
    """What a target reached in one round."""

    speed: Speed
    latency: Latency


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

    def packets_per_s(self, offered_pps: int) -> float:
        """What arrived behind the target while the generator ran, per second."""
        frames = round(RUN_S * (offered_pps or max(OFFERED_PPS)))
        before = self._received()
        report = json.loads(
            self._run(
                [
                    *(str(self._blast), "load", self._network.test_end(SENDER), STATION_MAC),
                    *(str(self._workload.destinations), str(FRAME_BYTES)),
                    *(str(frames), str(offered_pps)),
                ]
            )
        )
        return float((self._received() - before) / report["seconds"])

    def latency(self) -> Latency:
        """Of single frames, with nothing else to do."""
        report = json.loads(
            self._run(
                [
                    *(str(self._blast), "latency"),
                    *(self._network.test_end(SENDER), self._network.test_end(RECEIVER)),
                    *(STATION_MAC, str(self._workload.destinations), str(FRAME_BYTES)),
                    *(str(round(LATENCY_PPS * LATENCY_RUN_S)), str(LATENCY_PPS)),
                ]
            )
        )
        return Latency(report["median_s"], report["p99_s"])

    def _received(self) -> int:
        counter = f"/sys/class/net/{self._network.test_end(RECEIVER)}/statistics/rx_packets"
        return int(self._run(["cat", counter]))

    def _run(self, command: Sequence[str]) -> str:
        return output(self._network.run(command, timeout_s=TIMEOUT_S))


def run_round(kind: Kind, workload: Workload, blast: Path) -> Round:
    """The latency, then the offered rates, up to FUTILE times what the target did best."""
    best = Speed(0.0, 0)
    with tempfile.TemporaryDirectory() as scratch, Network(PORTS) as network:
        bench = Bench(kind, workload, network, blast, Path(scratch, "target.log"))
        latency = bench.latency()
        for rate in OFFERED_PPS:
            if best.packets_per_s and (rate or max(OFFERED_PPS)) > FUTILE * best.packets_per_s:
                break
            best = max(best, Speed(bench.packets_per_s(rate), rate))
    return Round(best, latency)


def measure(kinds: Sequence[Kind], workload: Workload, blast: Path) -> list[tuple[Round, ...]]:
    """Each target's rounds. They alternate, so that a noisy moment meets all targets."""
    rounds = [[run_round(kind, workload, blast) for kind in kinds] for _ in range(ROUNDS)]
    return list(zip(*rounds, strict=True))
