"""Three queues of a port that share its link by weights, from packets to limits in virtual time."""

import asyncio

import pytest
from p4abs.access.program import load_program, program_path
from p4abs.config import Source, SwitchSettings, load_settings
from p4abs.control import Sample
from p4abs.queues import QueueAddress
from p4abs.session import SwitchController
from p4abs_switch import PortConfig
from p4abs_switch.runtime.programmed import Programmed
from p4abs_switch.server.serve import running
from p4abs_switch.testing import config

from controller.tests.control.queues.test_control_of_queues import FRAME_BYTES, frame
from controller.tests.control.test_control_of_traffic import STATION, TICK_NS, Traffic

pytestmark = pytest.mark.usefixtures("patience")

CAPACITY_BPS = 10_000_000
HALF = 300  # ticks; the link carries 25 frames in each
STEADY, BURST, BURST_TICKS = 6, 16, 4
OFFERED_BPS = [8 * FRAME_BYTES * frames * 1e9 / TICK_NS for frames in (STEADY, BURST / BURST_TICKS)]
IN_PORT, OUT_PORT = 1, 2
WEIGHTS = (1, 1, 6)
CODE_POINTS = (0, 10, 46)  # best effort, a bulk class, voice
FIRST_LIMIT = 12_000
INDICES = [QueueAddress(OUT_PORT, queue).index for queue in range(len(WEIGHTS))]


class Kinds(Traffic):
    """Three classes: steady frames, bursts in every fourth tick, and steady frames that end
    half-way."""

    def __init__(self, engine, stop: asyncio.Event) -> None:
        super().__init__(engine, 1, 2 * HALF, stop, b"")

    def tick(self) -> None:
        steady, bursts, ending = (frame(code_point) for code_point in CODE_POINTS)
        self._inject(steady, STEADY)
        if self._ticks % BURST_TICKS == 0:
            self._inject(bursts, BURST, spread=0.1)
        if self._ticks > HALF:
            self._inject(ending, 24)
        self._now_ns += TICK_NS
        self._engine.run_until(self._now_ns)
        self._ticks -= 1
        if self._ticks == 0:
            self._stop.set()

    def _inject(self, packet: bytes, count: int, spread: float = 1.0) -> None:
        for at in range(count):
            self._engine.inject(IN_PORT, packet, self._now_ns + int(spread * TICK_NS * at / count))


def settings_of(address: str) -> SwitchSettings:
    queues = [
        {"number": number, "dscp": [code_point] if code_point else []}
        for number, code_point in enumerate(CODE_POINTS)
    ]
    limits = {"initial-limit": f"{FIRST_LIMIT}B", "max-limit": "60kB"}
    port = {"number": OUT_PORT, "capacity": "10Mbit", "policy": "abs", **limits, "queue": queues}
    return load_settings(Source({"port": [port]}), {"grpc-addr": address}).switch[0]


async def samples_of(clock) -> list[list[Sample]]:
    """Of each queue."""
    out = PortConfig(OUT_PORT, rate_bps=CAPACITY_BPS, queues=len(WEIGHTS), weights=WEIGHTS)
    program = program_path("shared_queue")
    stop, switch_config = asyncio.Event(), config(program=program, ports=[PortConfig(IN_PORT), out])
    async with running(switch_config, live=False) as switch:
        Programmed.of(switch.engine, program.read_bytes()).add(
            "AbsIngress.forwarding.ethernet_forward",
            [(int.from_bytes(STATION, "big"),)],
            "AbsIngress.forwarding.forward",
            OUT_PORT,
        )
        traffic = Kinds(switch.engine, stop)
        settings = settings_of(switch.address)
        controller = SwitchController(settings, load_program("shared_queue"), traffic, clock)
        assert await controller.run(stop)
    return [[each for each in traffic.samples if each.port == index] for index in INDICES]


def carried_bps(samples: list[Sample]) -> float:
    duration_s = sum(sample.interval.duration_s for sample in samples)
    return 8 * sum(sample.interval.departed_bytes for sample in samples) / duration_s


def dropped_bytes(samples: list[Sample]) -> int:
    return sum(sample.interval.dropped_bytes for sample in samples)


async def test_each_queue_gets_its_share_of_the_link_and_a_limit_of_its_own(clock) -> None:
    """All queues are offered more than their shares; then the heaviest one falls silent, and the
    others have room for what they are offered."""
    crowded, roomy = [], []
    for samples in await samples_of(clock):
        crowded.append(samples[HALF // 4 : HALF - 1])
        roomy.append(samples[HALF + 10 :])
        assert all(each.occupancy_bytes <= max(each.limit_bytes, FIRST_LIMIT) for each in samples)
    for weight, samples in zip(WEIGHTS, crowded, strict=True):
        share_bps = CAPACITY_BPS * weight / sum(WEIGHTS)
        assert carried_bps(samples) == pytest.approx(share_bps, rel=0.01)
        assert samples[-1].measured_capacity_bps == pytest.approx(share_bps, rel=0.01)
        assert sum(sample.interval.idle_s for sample in samples) == 0
        assert dropped_bytes(samples) > 0
        assert samples[-1].limit_bytes > 2 * FIRST_LIMIT
    for load_bps, before, samples in zip(OFFERED_BPS, crowded[:2], roomy[:2], strict=True):
        assert carried_bps(samples) == pytest.approx(load_bps, rel=0.02)
        assert dropped_bytes(samples) == 0
        assert samples[-1].measured_capacity_bps > 3 * before[-1].measured_capacity_bps
        assert samples[-1].limit_bytes < 0.9 * before[-1].limit_bytes
    assert carried_bps(roomy[2]) == 0
    assert {sample.limit_bytes for sample in roomy[2]} == {crowded[2][-1].limit_bytes}
