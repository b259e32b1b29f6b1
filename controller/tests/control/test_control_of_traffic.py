"""The whole path from packets to limits: the real program, the real policy, virtual traffic."""

import asyncio

import pytest
from p4abs.access.program import load_program, program_path
from p4abs.config import Source, load_settings
from p4abs.control import Sample, Samples
from p4abs.session import SwitchController
from p4abs_switch import PortConfig
from p4abs_switch.runtime.programmed import Programmed
from p4abs_switch.server.serve import running
from p4abs_switch.testing import config

pytestmark = pytest.mark.usefixtures("patience")

CAPACITY_BPS = 10_000_000
IN_PORT, OUT_PORT = 1, 2
TICK_NS = 20_000_000
FRAME_BYTES = 1000
FULL_LOAD = CAPACITY_BPS * TICK_NS // (8 * FRAME_BYTES * 10**9)  # frames per tick
STATION = bytes.fromhex("02000000000b")
FRAME = STATION + bytes.fromhex("02000000000a88b5") + bytes(FRAME_BYTES - 14)
# IPv4, ECT(0), protocol 253, from 10.0.0.1 to 10.0.0.2.
ECN_FRAME = (
    STATION
    + bytes.fromhex("02000000000a0800450203da0000000040fd62230a0000010a000002")
    + bytes(FRAME_BYTES - 34)
)


class Traffic:
    """Injects frames at a rate and lets the switch's time pass, one interval per tick."""

    def __init__(
        self, engine, frames_per_tick: int, ticks: int, stop: asyncio.Event, frame: bytes
    ) -> None:
        self._frame = frame
        self.samples: list[Sample] = []
        self._engine = engine
        self._frames_per_tick = frames_per_tick
        self._ticks = ticks
        self._stop = stop
        self._now_ns = 0

    def announce(self, message: object) -> None:
        """Nothing to tell."""

    def sampled(self, samples: Samples) -> None:
        self.samples.extend(samples)

    def tick(self) -> None:
        step_ns = TICK_NS // self._frames_per_tick
        for index in range(self._frames_per_tick):
            self._engine.inject(IN_PORT, self._frame, self._now_ns + index * step_ns)
        self._now_ns += TICK_NS
        self._engine.run_until(self._now_ns)
        self._ticks -= 1
        if self._ticks == 0:
            self._stop.set()


async def samples_of(
    clock,
    frames_per_tick: int,
    path: str = "auto",
    frame: bytes = FRAME,
    program: str = "queue",
    **port: str,
) -> list[Sample]:
    """What the controller measures once the traffic flows."""
    switch_config = config(
        program=program_path(program),
        ports=[PortConfig(IN_PORT), PortConfig(OUT_PORT, rate_bps=CAPACITY_BPS)],
    )
    stop = asyncio.Event()
    async with running(switch_config, live=False) as switch:
        Programmed.of(switch.engine, program_path(program).read_bytes()).add(
            "AbsIngress.forwarding.ethernet_forward",
            [(int.from_bytes(STATION, "big"),)],
            "AbsIngress.forwarding.forward",
            OUT_PORT,
        )
        traffic = Traffic(switch.engine, frames_per_tick, 200, stop, frame)
        flags = {"number": "2", "initial-limit": "50kB", "policy": "static", **port}
        (settings,) = load_settings(
            Source(), {"grpc-addr": switch.address, "register-path": path}, [flags]
        ).switch
        controller = SwitchController(settings, load_program(program), traffic, clock)
        assert await controller.run(stop)
    assert len(traffic.samples) > 150
    return traffic.samples[50:]


@pytest.mark.parametrize("path", ["mailbox", "register-entry"])
@pytest.mark.parametrize("program", ["queue", "shared_queue", "virtual_queue"])
@pytest.mark.parametrize(
    ("frames_per_tick", "utilization", "loss"), [(FULL_LOAD + 5, 1.0, 1 / 6), (10, 0.4, 0.0)]
)
async def test_samples_measure_what_the_traffic_does(
    frames_per_tick, utilization, loss, program, path, clock
) -> None:
    measured = await samples_of(clock, frames_per_tick, path, program=program, capacity="10Mbit")
    duration_s = sum(sample.interval.duration_s for sample in measured)
    departed = sum(sample.interval.departed_bytes for sample in measured)
    idle_s = sum(sample.interval.idle_s for sample in measured)
    dropped = sum(sample.interval.dropped_bytes for sample in measured)
    offered = sum(sample.interval.offered_bytes for sample in measured)
    assert 8 * departed / (CAPACITY_BPS * duration_s) == pytest.approx(utilization, abs=0.005)
    assert 1 - idle_s / duration_s == pytest.approx(utilization, abs=0.001)
    assert dropped / offered == pytest.approx(loss, abs=0.005)
    assert max(sample.occupancy_bytes for sample in measured) <= 50_000
    assert all(
        0 <= sample.interval.least_backlog_bytes <= sample.interval.greatest_backlog_bytes <= 50_000
        for sample in measured
    )


@pytest.mark.parametrize("capacity", [{}, {"capacity": "8Mbit"}, {"capacity": "10.5Mbit"}])
async def test_a_saturated_link_tells_its_capacity(capacity, clock) -> None:
    measured = await samples_of(clock, FULL_LOAD + 5, **capacity)
    assert measured[-1].measured_capacity_bps == pytest.approx(CAPACITY_BPS, rel=0.005)
    assert sum(sample.interval.idle_s for sample in measured) < 1e-3
    assert measured[-1].queue_delay_s == pytest.approx(
        8 * measured[-1].occupancy_bytes / CAPACITY_BPS, rel=0.005
    )


async def test_a_link_that_is_never_saturated_does_not_tell_its_capacity(clock) -> None:
    measured = await samples_of(clock, 10)
    assert {sample.measured_capacity_bps for sample in measured} == {None}
    assert {sample.utilization for sample in measured} == {None}
    assert {sample.decided_limit_bytes for sample in measured} == {50_000}


@pytest.mark.parametrize("path", ["mailbox", "register-entry"])
@pytest.mark.parametrize("frame", [FRAME, ECN_FRAME])
@pytest.mark.parametrize("marking", ["true", "false"])
async def test_what_understands_ecn_is_marked_up_to_twice_the_limit(
    marking, frame, path, clock
) -> None:
    measured = await samples_of(
        clock, FULL_LOAD + 5, path, frame, capacity="10Mbit", **{"ecn-marking": marking}
    )
    marked_bytes = sum(sample.interval.marked_bytes for sample in measured)
    most_bytes = max(sample.occupancy_bytes for sample in measured)
    if marking == "true" and frame == ECN_FRAME:
        assert marked_bytes > 0
        assert 50_000 < most_bytes <= 100_000
    else:
        assert marked_bytes == 0
        assert most_bytes <= 50_000
