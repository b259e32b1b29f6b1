"""Links behind the arithmetic of the Tofino programs, against what the simulator counts itself."""

from dataclasses import replace

import pytest
from p4abs.measurements import Snapshot
from p4abs_experiments._tofino import Switch
from p4abs_experiments.network import (
    CbrFlows,
    InvalidScenario,
    Link,
    P4Buffer,
    Scenario,
    Sizing,
    TcpFlows,
)
from p4abs_experiments.network.cell import Cell
from p4abs_experiments.network.tofino import TofinoBuffer
from p4abs_experiments.run.process import run_in_process
from p4abs_experiments.simulation.bottleneck import PACKET_BYTES, RATE_BPS
from p4abs_experiments.simulation.ns3 import Port, Simulation
from p4abs_experiments.simulation.simulate import simulate
from p4abs_experiments.simulation.tofino.mailbox import Mailbox
from p4abs_experiments.simulation.tofino.program import TOFINO_PROGRAM
from p4abs_experiments.simulation.tofino.scaled_clock import ScaledClock
from p4abs_experiments.simulation.tofino.simulate import simulate_behind_tofinos

from experiments.tests.simulation.traffic import add_mixed_traffic

LONGEST_PACKET_BYTES = PACKET_BYTES + 600
MAX_OFF_BYTES = 2 * LONGEST_PACKET_BYTES
"""Of a backlog: a frame that the virtual queue counts otherwise, and one in transmission."""

PADDING_BYTES = 400
"""Of the handshakes' frames to 84 bytes of the wire, as short as which the program counts none."""

WRAP_S = 0.7
CLOCKS_GBPS = [1, 10, 25, 400]
LIMIT_BYTES = 30 * PACKET_BYTES


class Bottleneck:
    """A port behind a Tofino with mixed traffic; the stamp wraps after WRAP_S."""

    def __init__(self, simulation: Simulation, clock_gbps: int, limit_bytes: int) -> None:
        clock_bps = clock_gbps * 10**9
        clock = ScaledClock(RATE_BPS, clock_bps)
        self.switch = Switch(
            TOFINO_PROGRAM.read_bytes(),
            f"gbps_{clock_gbps}",
            link_bps=RATE_BPS,
            clock_bps=clock_bps,
            start_ns=clock.start_ns(WRAP_S),
        )
        self.mailbox = Mailbox(self.switch, clock)
        self.port: Port = simulation.add_queue_disc_port(
            "bottleneck", RATE_BPS, "TofinoQueueDisc", {"Switch": str(self.switch.number)}
        )
        self.flows = add_mixed_traffic(simulation, self.port)
        self.mailbox.write_limit(limit_bytes)


def sizing(**changes) -> Sizing:
    return replace(Sizing(initial_limit_bytes=60_000, policy="abs"), **changes)


def scenario(sizing: Sizing | None, clock_gbps: int = 10) -> Scenario:
    link = Link("bottleneck", RATE_BPS, sizing, TofinoBuffer(clock_gbps=clock_gbps))
    flows = TcpFlows(count=4, path=("bottleneck",), rtt_s=(0.02, 0.03), start_s=(0, 0.1))
    return Scenario(
        name="dumbbell",
        links=(link,),
        traffic=(flows,),
        n_flows=4,
        duration_s=8.0,
        measure_from_s=4.0,
    )


@pytest.mark.parametrize("clock_gbps", CLOCKS_GBPS)
def test_the_mailbox_tells_what_the_port_counts(clock_gbps) -> None:
    with Simulation(7) as simulation:
        bottleneck = Bottleneck(simulation, clock_gbps, LIMIT_BYTES)
        for step in range(1, 1500):
            simulation.run_until(step * 1e-3)
            counted, told = Snapshot(*bottleneck.port.snapshot()), bottleneck.mailbox.snapshot()
            assert 0 <= told.admitted_bytes - counted.admitted_bytes <= PADDING_BYTES
            assert told.dropped_bytes == counted.dropped_bytes
            assert abs(told.occupancy_bytes - counted.occupancy_bytes) <= MAX_OFF_BYTES
        assert counted.dropped_bytes > 100 * PACKET_BYTES


def test_the_stamp_wraps_when_it_is_asked_to() -> None:
    clock = ScaledClock(link_bps=16_000_000, clock_bps=10 * 10**9)
    assert clock.start_ns(625.0) == 2**48 - 10**9
    assert clock.start_ns(0.0) == 0


@pytest.mark.parametrize("clock_gbps", CLOCKS_GBPS)
def test_time_goes_on_as_the_simulations_when_the_stamp_wraps(clock_gbps) -> None:
    with Simulation(1) as simulation:
        bottleneck = Bottleneck(simulation, clock_gbps, LIMIT_BYTES)
        begun_us = bottleneck.mailbox.snapshot().timestamp_us
        stamp_us = 1e6 * clock_gbps / RATE_BPS  # a nanosecond of the program's time
        for step in range(1, 150):
            simulation.run_until(step * 0.01)
            passed_us = bottleneck.mailbox.snapshot().timestamp_us - begun_us
            assert passed_us == pytest.approx(step * 1e4, abs=stamp_us + 1)


def test_a_limit_holds_what_stands_in_the_queue() -> None:
    def greatest_backlog_bytes(limit_bytes: int) -> int:
        with Simulation(7) as simulation:
            bottleneck = Bottleneck(simulation, 10, limit_bytes)
            bottleneck.port.start_backlog_window()
            simulation.run_until(1.5)
            return bottleneck.port.start_backlog_window()[1]

    for packets in (10, 40):
        limit_bytes = packets * PACKET_BYTES
        max_bytes = greatest_backlog_bytes(limit_bytes)
        assert max_bytes == pytest.approx(limit_bytes, abs=MAX_OFF_BYTES)


def test_the_extremes_are_those_since_the_last_snapshot() -> None:
    with Simulation(7) as simulation:
        bottleneck = Bottleneck(simulation, 10, LIMIT_BYTES)
        assert bottleneck.mailbox.snapshot().least_backlog_bytes is None
        bottleneck.port.start_backlog_window()
        for step in range(1, 75):
            simulation.run_until(step * 0.02)
            minimum, maximum = bottleneck.port.start_backlog_window()
            told = bottleneck.mailbox.snapshot()
            # The port's window has its last moment in it, the program's begins with its first.
            min_bytes = min(told.least_backlog_bytes, told.occupancy_bytes)
            assert min_bytes == pytest.approx(minimum, abs=MAX_OFF_BYTES)
            assert told.greatest_backlog_bytes == pytest.approx(maximum, abs=MAX_OFF_BYTES)


@pytest.mark.parametrize("packets", [10, 40, 160])
@pytest.mark.parametrize("clock_gbps", CLOCKS_GBPS)
def test_sources_that_do_not_react_lose_what_they_lose_behind_the_v1model_program(
    packets, clock_gbps
) -> None:
    fixed = sizing(policy="static", initial_limit_bytes=packets * PACKET_BYTES)
    bursts = CbrFlows(
        count=25, path=("bottleneck",), rate_bps=1.3e6, packet_bytes=PACKET_BYTES,
        on_s=0.1, off_s=0.1,
    )  # fmt: skip
    behind = replace(scenario(fixed, clock_gbps), traffic=(bursts,))
    plain = replace(behind, links=(replace(behind.link(), buffer=P4Buffer()),))
    expected, found = simulate(Cell(plain)).link(), simulate_behind_tofinos(Cell(behind)).link()
    assert expected.loss > 0.01
    assert found.loss == pytest.approx(expected.loss, rel=0.01)
    assert found.utilization == pytest.approx(expected.utilization, rel=0.001)


def test_the_law_controls_the_link() -> None:
    link = simulate_behind_tofinos(Cell(scenario(sizing()))).link()
    assert link.utilization == pytest.approx(0.98, abs=0.015)
    assert link.utilization == pytest.approx(1 - link.idle, abs=1e-4)
    assert len(set(link.series.limit_bytes)) > 50


def test_a_fixed_limit_stays() -> None:
    fixed = sizing(policy="static", initial_limit_bytes=24_000)
    link = simulate_behind_tofinos(Cell(scenario(fixed))).link()
    assert set(link.series.limit_bytes) == {24_000}
    assert link.dropped_bytes > 0


def test_a_process_simulates_it_too_and_as_often_as_asked_the_same() -> None:
    cell = Cell(scenario(sizing()))
    _, result = run_in_process(cell)
    again = simulate_behind_tofinos(cell)
    assert result.link().admitted_bytes == again.link().admitted_bytes
    assert result.link().mean_limit_bytes == again.link().mean_limit_bytes


@pytest.mark.parametrize(
    ("refused", "reason"),
    [
        (scenario(None), "needs a sizing"),
        (scenario(sizing(max_limit_bytes=2**28 + 1)), "at most 268435456"),
        (scenario(sizing(memory=((0.0, 30_000),))), "without memory"),
        (scenario(sizing(), clock_gbps=11), "gbps_11"),
    ],
)
def test_what_no_tofino_can_be_is_refused(refused: Scenario, reason: str) -> None:
    with pytest.raises(InvalidScenario, match=f"link bottleneck: .*{reason}"):
        simulate_behind_tofinos(Cell(refused))


def test_what_goes_wrong_in_the_controller_ends_the_simulation() -> None:
    def step() -> None:
        raise ZeroDivisionError

    with Simulation(1) as simulation:
        bottleneck = Bottleneck(simulation, 10, LIMIT_BYTES)
        bottleneck.switch.set_control(20_000, step)
        with pytest.raises(ZeroDivisionError):
            simulation.run_until(1.0)
