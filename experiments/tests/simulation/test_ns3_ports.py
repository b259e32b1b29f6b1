"""What the simulator's ports admit, drop and count; what is said where ns-3 is missing."""

import importlib
import sys

import pytest
from p4abs.errors import UserError
from p4abs_experiments.simulation.bottleneck import (
    PACKET_BYTES,
    RATE_BPS,
    SERIALIZATION_S,
    add_port,
)
from p4abs_experiments.simulation.ns3 import Port, Simulation

from experiments.tests.simulation.traffic import add_mixed_traffic, add_overload

KINDS = ["p4", "plain", "fifo"]
TAIL_DROP = 20 * PACKET_BYTES
STEP_S = 1e-4  # a third of a packet's serialisation time

History = list[tuple[int, ...]]


def history(kind: str, limits_bytes: dict[int, int], seed: int = 7) -> History:
    """Counters, and drops and arrivals of every flow, after every step; the limit changes at the
    steps given."""
    with Simulation(seed) as simulation:
        port = add_port(simulation, kind, TAIL_DROP)
        flows = add_mixed_traffic(simulation, port)
        rows = []
        for step in range(15_000):
            if step in limits_bytes:
                port.set_limit_bytes(limits_bytes[step])
            simulation.run_until(step * STEP_S)
            losses = [flow.lost_packets() for flow in flows]
            arrivals = [flow.offered_packets() for flow in flows]
            *counters, _, _ = port.snapshot()  # test_ns3_idle_time.py compares the rest
            rows.append((*counters, *losses, *arrivals))
        return rows


def test_p4_and_plain_port_agree_packet_by_packet_under_changing_limits() -> None:
    limits = {4000: TAIL_DROP // 4, 6000: TAIL_DROP * 3, 9000: 700, 9500: 0, 11_000: TAIL_DROP}
    by_program = history("p4", limits)
    assert by_program == history("plain", limits)
    assert by_program[-1][2] > 100 * PACKET_BYTES


def test_p4_port_agrees_with_the_queue_disc_of_ns3() -> None:
    assert history("p4", {}) == history("fifo", {})


def test_a_seed_fixes_everything() -> None:
    assert history("p4", {}, seed=3) == history("p4", {}, seed=3)
    assert history("p4", {}, seed=3) != history("p4", {}, seed=4)


@pytest.mark.parametrize(
    ("type_id", "attributes"),
    [
        ("FifoQueueDisc", {"MaxSize": "12000B"}),
        ("RedQueueDisc", {"MaxSize": "60000B", "MinTh": "6000", "MaxTh": "18000"}),
        ("RedQueueDisc", {"MaxSize": "60000B", "MinTh": "6000", "MaxTh": "18000", "ARED": "true"}),
        ("PieQueueDisc", {"MaxSize": "60000B", "QueueDelayReference": "5ms"}),
        ("CoDelQueueDisc", {"MaxSize": "60000B"}),
        ("RemQueueDisc", {"MaxSize": "12000B", "Target": "5"}),
    ],
)
def test_queue_discs_account_for_every_byte(type_id: str, attributes: dict[str, str]) -> None:
    with Simulation(1) as simulation:
        port = simulation.add_queue_disc_port("disc", RATE_BPS, type_id, attributes)
        check_conservation(simulation, port)


@pytest.mark.parametrize("kind", ["p4", "plain"])
def test_tail_drop_ports_account_for_every_byte(kind: str) -> None:
    with Simulation(1) as simulation:
        check_conservation(simulation, add_port(simulation, kind, TAIL_DROP))


def check_conservation(simulation: Simulation, port: Port) -> None:
    flows = add_mixed_traffic(simulation, port)
    for second in (1, 2, 3):
        simulation.run_until(second)
        timestamp_us, admitted, dropped, departed, *_ = port.snapshot()
        assert timestamp_us == second * 1_000_000
        assert sum(flow.offered_bytes() for flow in flows) == admitted + dropped
        assert sum(flow.lost_bytes() for flow in flows) == dropped > 0
        assert admitted - departed == port.occupancy_bytes() >= 0
        assert departed * 8 <= RATE_BPS * second + 8 * 1200


@pytest.mark.parametrize("kind", ["p4", "plain"])
def test_a_limit_below_the_occupancy_drops_arrivals_until_the_queue_has_drained(kind: str) -> None:
    with Simulation(1) as simulation:
        port = add_port(simulation, kind, 100 * PACKET_BYTES)
        add_overload(simulation, port)
        simulation.run_until(1)
        assert port.occupancy_bytes() == 100 * PACKET_BYTES
        _, admitted, _, departed, *_ = port.snapshot()
        port.set_limit_bytes(10 * PACKET_BYTES)
        simulation.run_until(1 + 90 * SERIALIZATION_S - 1e-9)
        assert port.snapshot()[1] == admitted
        assert port.snapshot()[3] - departed == 90 * PACKET_BYTES
        simulation.run_until(1 + 95 * SERIALIZATION_S)
        assert port.snapshot()[1] - admitted == 5 * PACKET_BYTES
        assert port.occupancy_bytes() == 10 * PACKET_BYTES


@pytest.mark.parametrize("kind", KINDS)
def test_cbr_below_capacity_is_never_dropped(kind: str) -> None:
    with Simulation(1) as simulation:
        port = add_port(simulation, kind, PACKET_BYTES)
        flow = add_overload(simulation, port, times=0.99)
        simulation.run_until(5)
        assert flow.lost_packets() == 0
        assert flow.offered_packets() == pytest.approx(0.99 * 5 / SERIALIZATION_S, abs=1)


@pytest.mark.parametrize("kind", KINDS)
def test_an_overloaded_link_is_always_busy_and_drops_the_rest(kind: str) -> None:
    with Simulation(1) as simulation:
        port = add_port(simulation, kind, 10 * PACKET_BYTES)
        add_overload(simulation, port, times=1.25)
        simulation.run_until(1)
        first = port.snapshot()
        simulation.run_until(4)
        last = port.snapshot()
        assert (last[3] - first[3]) * 8 == pytest.approx(3 * RATE_BPS, abs=8 * PACKET_BYTES)
        arrived = last[1] + last[2] - first[1] - first[2]
        assert (last[2] - first[2]) / arrived == pytest.approx(0.2, abs=1e-3)


def test_no_limit_admits_everything() -> None:
    with Simulation(1) as simulation:
        port = add_port(simulation, "p4", 0)
        flow = add_overload(simulation, port, times=3.0)
        simulation.run_until(1)
        assert flow.lost_packets() == 0
        assert port.occupancy_bytes() * 8 == pytest.approx(2 * RATE_BPS, rel=1e-3)


def test_queue_disc_ports_refuse_what_ns3_does_not_know() -> None:
    with Simulation(1) as simulation:
        with pytest.raises(UserError, match=r"no queue disc Rem; there are .*RedQueueDisc"):
            simulation.add_queue_disc_port("disc", RATE_BPS, "Rem", {})
        with pytest.raises(UserError, match="RedQueueDisc has no attribute Max"):
            simulation.add_queue_disc_port("disc", RATE_BPS, "RedQueueDisc", {"Max": "1"})
        port = simulation.add_queue_disc_port("disc", RATE_BPS, "FifoQueueDisc", {})
        with pytest.raises(UserError, match="MaxSize cannot be changed"):
            port.set_limit_bytes(1)


def test_a_program_that_is_none_is_refused() -> None:
    with Simulation(1) as simulation, pytest.raises(UserError, match="cannot be loaded"):
        simulation.add_p4_port("bottleneck", RATE_BPS, b"{}", 1000)


def test_a_missing_ns3_is_one_line_that_names_the_package(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "p4abs_experiments._ns3", None)
    monkeypatch.delitem(sys.modules, "p4abs_experiments.simulation.ns3", raising=False)
    with pytest.raises(UserError, match="libns3-dev") as caught:
        importlib.import_module("p4abs_experiments.simulation.ns3")
    assert "\n" not in str(caught.value)
