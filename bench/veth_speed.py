"""Packets per second through a target over virtual links: generator, target, counter."""

from __future__ import annotations

import json
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from capabilities import PORTS, QUEUE, RECEIVER, SENDER
from network import Network
from targets import DEVICE_ID, GRPC_ADDRESS, Target

HERE = Path(__file__).resolve().parent
STATION = "02:00:00:00:00:02"
FRAME_BYTES = 1000
RUN_S = 1.0
ROUNDS = 3
TIMEOUT_S = 60.0
# 0: as fast as the generator goes. A target that is offered too much can forward less than its
# best, because the generator shares its cores: each target is judged at the rate it does best at.
OFFERED_PPS = (0, 800_000, 600_000, 450_000, 350_000, 250_000, 160_000, 120_000, 90_000, 60_000)


@dataclass(frozen=True)
class Speed:
    """packets_per_s: median of the rounds, at the offered rate that serves the target best."""

    packets_per_s: float
    offered_pps: int


class Bench:
    """One target with its program and one forwarding entry in place."""

    def __init__(self, kind: type[Target], network: Network, blast: Path, log: Path) -> None:
        self._network = network
        self._blast = blast
        kind(network, log).start()
        self._run(
            [
                *(sys.executable, str(HERE / "provision.py"), GRPC_ADDRESS, str(DEVICE_ID), QUEUE),
                *(STATION, str(RECEIVER)),
            ]
        )

    def packets_per_s(self, offered_pps: int) -> float:
        """What arrived behind the target while the generator ran, per second."""
        frames = round(RUN_S * (offered_pps or max(OFFERED_PPS)))
        before = self._received()
        report = json.loads(
            self._run(
                [
                    *(str(self._blast), self._network.test_end(SENDER), STATION),
                    *(str(FRAME_BYTES), str(frames), str(offered_pps)),
                ]
            )
        )
        return float((self._received() - before) / report["seconds"])

    def _received(self) -> int:
        counter = f"/sys/class/net/{self._network.test_end(RECEIVER)}/statistics/rx_packets"
        return int(self._run(["cat", counter]))

    def _run(self, command: Sequence[str]) -> str:
        done = self._network.run(command, timeout_s=TIMEOUT_S)
        if done.returncode != 0:
            raise RuntimeError(f"{' '.join(command)}: {done.stdout.strip()}")
        return str(done.stdout)


def best_offered_pps(kind: type[Target], blast: Path) -> int:
    """The offered rate at which the target forwards most."""
    with tempfile.TemporaryDirectory() as scratch, Network(PORTS) as network:
        bench = Bench(kind, network, blast, Path(scratch, "target.log"))
        return max(OFFERED_PPS, key=bench.packets_per_s)


def measure(kinds: Sequence[type[Target]], blast: Path) -> list[Speed]:
    """All targets' speeds, in alternating rounds, so that a noisy moment meets all of them."""
    offered = [best_offered_pps(kind, blast) for kind in kinds]
    results: list[list[float]] = [[] for _ in kinds]
    for _ in range(ROUNDS):
        for kind, rate, speeds in zip(kinds, offered, results, strict=True):
            with tempfile.TemporaryDirectory() as scratch, Network(PORTS) as network:
                bench = Bench(kind, network, blast, Path(scratch, "target.log"))
                speeds.append(bench.packets_per_s(rate))
    return [Speed(median(speeds), rate) for speeds, rate in zip(results, offered, strict=True)]
