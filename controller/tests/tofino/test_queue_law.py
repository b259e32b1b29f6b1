"""The law against the stand-in's queues, in virtual time: dropped by the traffic manager, of which
it is known late, and as packets, or by the program in front of it.
"""

import asyncio

import pytest
from p4abs.session import SwitchController

from controller.tests.tofino.by_bfrt import NUMBER, with_queues
from controller.tests.tofino.controlling import settings_of
from controller.tests.tofino.programs import QUEUE_BUILD
from controller.tests.tofino.sde import QueuedPort, SdeSwitch
from controller.tests.tofino.sources import Sources
from controller.tests.tofino.traffic_manager import GAP_BYTES, NS

RATE_BPS = 10_000_000
INTERVAL_S = 0.2
TICKS, SETTLED = 1000, 500


class Traffic:
    """The Events of a run whose ticks let the sources send and time pass."""

    def __init__(self, switch: SdeSwitch, sources: Sources) -> None:
        self.samples = []
        self.stop = asyncio.Event()
        self.settled_at = (0, 0, 0)
        self._ticks = 0
        self._switch, self._sources = switch, sources

    def announce(self, message: object) -> None:
        """Nothing to tell."""

    def sampled(self, samples) -> None:
        self.samples.extend(samples)

    def tick(self) -> None:
        self._ticks += 1
        now_ns = round(self._ticks * INTERVAL_S * NS)
        self._sources.run(now_ns)
        self._switch.manager.run(now_ns)
        if self._ticks == SETTLED:
            self.settled_at = self.so_far()
        if self._ticks == TICKS:
            self.stop.set()

    def so_far(self) -> tuple[int, int, int]:
        """Bytes offered, dropped and on the wire, by the sources and the queue themselves."""
        queue = self._sources.queue
        wire_bytes = queue.sent_octets + GAP_BYTES * queue.sent_frames
        return self._sources.offered_bytes, queue.dropped_bytes, wire_bytes

    def since_settled(self) -> tuple[int, int, int]:
        offered, dropped, wire = self.settled_at
        now = self.so_far()
        return now[0] - offered, now[1] - dropped, now[2] - wire


async def run(monkeypatch, clock, crosses_limit: bool = True, **port: object) -> Traffic:
    switch = with_queues(monkeypatch, SdeSwitch())
    queue = switch.manager.add(NUMBER, RATE_BPS)
    queue.crosses_limit = crosses_limit
    return await controlled(clock, Traffic(switch, Sources(queue, 10, 0.05)), "tm", port)


async def run_queue(monkeypatch, clock, **port: object) -> Traffic:
    switch = with_queues(monkeypatch, SdeSwitch(QUEUE_BUILD))
    switch.manager.add(NUMBER, RATE_BPS)
    sources = Sources(QueuedPort(switch, NUMBER), 10, 0.05)
    return await controlled(clock, Traffic(switch, sources), "queue", port)


async def controlled(clock, traffic: Traffic, enforcement: str, port: dict[str, object]) -> Traffic:
    settings = settings_of(
        {"number": NUMBER, "capacity": "10Mbit", "max-limit": "2MB", **port},
        target="bfrt",
        enforcement=enforcement,
        interval=f"{INTERVAL_S}s",
    )
    assert await SwitchController(settings, None, traffic, clock).run(traffic.stop)
    return traffic


@pytest.mark.parametrize(("crosses_limit", "most"), [(True, 1.1), (False, 1.35)])
async def test_the_law_reaches_its_loss_target(monkeypatch, clock, crosses_limit, most) -> None:
    """As far as it is told of drops: where large frames are dropped rather than small ones, more is
    lost than the mean frame tells."""
    port = {"loss": 0.02, "utilization": 0.9, "initial-limit": "60kB"}
    traffic = await run(monkeypatch, clock, crosses_limit, **port)
    measured = traffic.samples[SETTLED:]
    told = sum(sample.interval.dropped_bytes for sample in measured)
    offered = sum(sample.interval.offered_bytes for sample in measured)
    assert told / offered == pytest.approx(0.02, rel=0.1)
    offered, dropped, _ = traffic.since_settled()
    assert 0.9 <= dropped / offered / 0.02 <= most


async def test_the_law_reaches_its_loss_target_where_the_program_drops(monkeypatch, clock) -> None:
    port = {"loss": 0.02, "utilization": 0.9, "initial-limit": "60kB"}
    traffic = await run_queue(monkeypatch, clock, **port)
    _, dropped, wire = traffic.since_settled()
    assert dropped / (dropped + wire) == pytest.approx(0.02, rel=0.1)


@pytest.mark.parametrize("run", [run, run_queue])
async def test_the_law_reaches_its_utilization_target(monkeypatch, clock, run) -> None:
    port = {"loss": 0.2, "utilization": 0.98, "initial-limit": "60kB"}
    traffic = await run(monkeypatch, clock, **port)
    wire_s = 8 * traffic.since_settled()[2] / RATE_BPS
    idle_share = 1 - wire_s / ((TICKS - SETTLED) * INTERVAL_S)
    assert idle_share == pytest.approx(0.02, rel=0.25)
