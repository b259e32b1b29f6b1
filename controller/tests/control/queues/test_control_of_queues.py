"""Two queues of a port from packets to limits, by strict priority and virtual traffic."""

import asyncio
from dataclasses import dataclass

import pytest
from p4abs.access.program import load_program, program_path
from p4abs.config import Source, SwitchSettings, load_settings
from p4abs.control import Sample
from p4abs.errors import UserError
from p4abs.inspection import inspect
from p4abs.queues import QueueAddress
from p4abs.session import SwitchController
from p4abs_switch import PortConfig
from p4abs_switch.runtime.programmed import Programmed
from p4abs_switch.server.serve import running
from p4abs_switch.testing import config

from controller.tests.control.test_control_of_traffic import STATION, TICK_NS, Traffic

pytestmark = pytest.mark.usefixtures("patience")

CAPACITY_BPS = 10_000_000
FRAME_BYTES = 1000
IN_PORT, OUT_PORT = 1, 2
BEST_EFFORT, VOICE = 0, 46
LOW, HIGH = QueueAddress(OUT_PORT, 0).index, QueueAddress(OUT_PORT, 7).index
SAFE_LIMITS = {LOW: 70_000, HIGH: 30_000}


def frame(dscp: int) -> bytes:
    """IPv4 with protocol 253, from 10.0.0.1 to 10.0.0.2."""
    header = bytearray.fromhex("450003da0000000040fd00000a0000010a000002")
    header[1] = dscp << 2
    words = sum(int.from_bytes(header[at : at + 2]) for at in range(0, 20, 2))
    header[10:12] = (0xFFFF - (words % 0xFFFF)).to_bytes(2)
    ethernet = STATION + bytes.fromhex("02000000000a0800")
    return (ethernet + header).ljust(FRAME_BYTES, b"\0")


class TwoClasses(Traffic):
    """So many frames of each class in a tick, evenly spread."""

    def __init__(self, engine, per_tick: dict[int, int], ticks: int, stop: asyncio.Event) -> None:
        super().__init__(engine, 1, ticks, stop, b"")
        self._arrivals = sorted(
            (TICK_NS * at // count, frame(dscp))
            for dscp, count in per_tick.items()
            for at in range(count)
        )

    def tick(self) -> None:
        for after_ns, packet in self._arrivals:
            self._engine.inject(IN_PORT, packet, self._now_ns + after_ns)
        self._now_ns += TICK_NS
        self._engine.run_until(self._now_ns)
        self._ticks -= 1
        if self._ticks == 0:
            self._stop.set()


class Silent:
    """Nobody listens."""

    def announce(self, message: object) -> None:
        """Nothing."""


@dataclass
class Came:
    """What came of a run: the samples of each queue, once the traffic flows, and what is left
    and what `p4abs check` says of that."""

    samples: dict[int, list[Sample]]
    checked: list[str]
    limits_left: dict[int, int]


def settings_of(address: str, path: str) -> SwitchSettings:
    queues = [
        {"number": 0, "safe-limit": f"{SAFE_LIMITS[LOW]}B"},
        {"number": 7, "safe-limit": f"{SAFE_LIMITS[HIGH]}B", "dscp": [VOICE]},
    ]
    port = {"number": OUT_PORT, "capacity": "10Mbit", "policy": "static", "queue": queues}
    tables = {"port": [{**port, "initial-limit": "50kB"}]}
    return load_settings(Source(tables), {"grpc-addr": address, "register-path": path}).switch[0]


async def run(clock, path: str, per_tick: dict[int, int]) -> Came:
    ports = [PortConfig(IN_PORT), PortConfig(OUT_PORT, rate_bps=CAPACITY_BPS)]
    stop, program = asyncio.Event(), program_path("shared_queue")
    async with running(config(program=program, ports=ports), live=False) as switch:
        programmed = Programmed.of(switch.engine, program.read_bytes())
        programmed.add(
            "AbsIngress.forwarding.ethernet_forward",
            [(int.from_bytes(STATION, "big"),)],
            "AbsIngress.forwarding.forward",
            OUT_PORT,
        )
        traffic = TwoClasses(switch.engine, per_tick, 200, stop)
        settings = settings_of(switch.address, path)
        controller = SwitchController(settings, load_program("shared_queue"), traffic, clock)
        assert await controller.run(stop)
        left = switch.engine.registers_read([("queue_limit_bytes", at) for at in (LOW, HIGH)])
        found = await inspect(settings, None, clock, 0.0)
    samples = {
        queue: [sample for sample in traffic.samples if sample.port == queue][50:]
        for queue in (LOW, HIGH)
    }
    checked = [settings.named(str(finding)) for finding in found]
    return Came(samples, checked, dict(zip((LOW, HIGH), left, strict=True)))


def share(samples: list[Sample], of: str) -> float:
    """Of the offered bytes."""
    offered = sum(sample.interval.offered_bytes for sample in samples)
    return sum(getattr(sample.interval, of) for sample in samples) / offered


def busy(samples: list[Sample]) -> float:
    duration_s = sum(sample.interval.duration_s for sample in samples)
    return 1 - sum(sample.interval.idle_s for sample in samples) / duration_s


@pytest.mark.parametrize("path", ["mailbox", "register-entry"])
async def test_a_queue_is_sized_by_what_higher_ones_leave_to_it(clock, path: str) -> None:
    """The link carries 25 frames a tick: 15 of the high class, which leave 10 of 20 low ones."""
    came = await run(clock, path, {BEST_EFFORT: 20, VOICE: 15})
    low, high = came.samples[LOW], came.samples[HIGH]
    assert share(low, "dropped_bytes") == pytest.approx(0.5, abs=0.01)
    assert share(high, "dropped_bytes") == 0
    assert busy(low) == pytest.approx(1.0, abs=1e-3)
    assert 0.6 <= busy(high) < 0.95
    assert low[-1].measured_capacity_bps == pytest.approx(0.4 * CAPACITY_BPS, rel=0.03)
    assert max(sample.occupancy_bytes for sample in low) <= 50_000
    assert came.limits_left == SAFE_LIMITS
    assert "ok           dscp: port 2 queue 7: the entries are as configured" in came.checked
    assert not [line for line in came.checked if line.startswith("differs")]


@pytest.mark.parametrize("path", ["mailbox", "register-entry"])
async def test_a_queue_to_which_nothing_is_left_is_measured_all_the_same(clock, path: str) -> None:
    """Its intervals end, nothing of it leaves, and it is not idle."""
    came = await run(clock, path, {BEST_EFFORT: 5, VOICE: 26})
    low = came.samples[LOW]
    assert len(low) > 100
    assert share(low, "dropped_bytes") == pytest.approx(1.0, abs=0.01)
    assert busy(low) == pytest.approx(1.0, abs=1e-3)


async def test_a_program_of_one_queue_is_refused_by_name_before_anything_is_written(clock) -> None:
    async with running(config(program=program_path("queue")), live=False) as switch:
        settings, stop = settings_of(switch.address, "auto"), asyncio.Event()
        with pytest.raises(UserError, match=r"^port 2 queue 7: the program has one queue a port; "):
            await SwitchController(settings, None, Silent(), clock).run(stop)
        limits = switch.engine.registers_read([("queue_limit_bytes", OUT_PORT)])
    assert limits == [0]


async def test_a_queue_alone_on_its_link_is_what_a_port_with_one_queue_is(clock) -> None:
    came = await run(clock, "mailbox", {BEST_EFFORT: 10})
    assert busy(came.samples[LOW]) == pytest.approx(0.4, abs=0.001)
    assert came.samples[HIGH] == [] or busy(came.samples[HIGH]) == 0
