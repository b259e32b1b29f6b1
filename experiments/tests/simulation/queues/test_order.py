"""The queues of one link: in which order it serves them, and what each measures of itself."""

from collections.abc import Sequence

import pytest
from p4abs.errors import UserError
from p4abs_experiments.simulation.bottleneck import (
    PACKET_BYTES,
    RATE_BPS,
    SERIALIZATION_S,
    add_port,
)
from p4abs_experiments.simulation.ns3 import Port, Simulation
from p4abs_experiments.simulation.program import QUEUES_PROGRAM

from experiments.tests.simulation.traffic import add_mixed_traffic, add_overload

LIMIT_BYTES = 100 * PACKET_BYTES
SECONDS = 2.0


def add_queues(
    simulation: Simulation, count: int, weights: Sequence[int] = (), kind: str = "plain"
) -> list[Port]:
    names = [f"queue {number}" for number in range(count)]
    if kind == "plain":
        queues = simulation.add_plain_queues(names, RATE_BPS, weights)
    else:
        queues = simulation.add_p4_queues(names, RATE_BPS, QUEUES_PROGRAM.read_bytes(), weights)
    for queue in queues:
        queue.set_limit_bytes(LIMIT_BYTES)
    return queues


def add_load(
    simulation: Simulation, queue: Port, share: float, packet_bytes: int = PACKET_BYTES
) -> None:
    """UDP at a share of the link's rate."""
    simulation.add_cbr_flow(
        [queue], delay_s=0.0, packet_bytes=packet_bytes, rate_bps=share * RATE_BPS
    )


def sent_shares(queues: Sequence[Port]) -> list[float]:
    return [8 * queue.snapshot()[3] / RATE_BPS / SECONDS for queue in queues]


@pytest.mark.parametrize(
    ("loads", "sent"),
    [((2.0, 0.4), (0.6, 0.4)), ((2.0, 0.4, 0.9), (0.0, 0.1, 0.9)), ((0.2, 2.0), (0.0, 1.0))],
)
def test_by_strict_priority_a_queue_gets_what_higher_ones_leave(loads, sent) -> None:
    with Simulation(1) as simulation:
        queues = add_queues(simulation, len(loads))
        for queue, load in zip(queues, loads, strict=True):
            add_load(simulation, queue, load)
        simulation.run_until(SECONDS)
        assert sent_shares(queues) == pytest.approx(sent, abs=1e-3)


def test_a_high_queue_waits_for_the_frame_in_transmission_alone() -> None:
    with Simulation(1) as simulation:
        low, high = add_queues(simulation, 2)
        high.start_delay_record()
        add_load(simulation, low, 2.0, packet_bytes=1500)
        add_load(simulation, high, 0.317)
        simulation.run_until(SECONDS)
        frame_s = 8 * 1500 / RATE_BPS
        assert frame_s / 2 < high.delay_quantile_s(1.0) <= 1.01 * frame_s


@pytest.mark.parametrize("weights", [(1, 1), (1, 3), (1, 1, 6)])
def test_busy_queues_share_in_bytes_by_weight_whatever_their_packets(weights) -> None:
    lengths = (1500, 200, 600)
    with Simulation(1) as simulation:
        queues = add_queues(simulation, len(weights), weights)
        for queue, packet_bytes in zip(queues, lengths, strict=False):
            add_load(simulation, queue, 2.0, packet_bytes)
        simulation.run_until(SECONDS)
        shares = [weight / sum(weights) for weight in weights]
        assert sent_shares(queues) == pytest.approx(shares, abs=2e-3)


def test_a_share_that_a_queue_leaves_goes_to_the_others_by_weight() -> None:
    with Simulation(1) as simulation:
        queues = add_queues(simulation, 3, (6, 1, 3))
        for queue, load in zip(queues, (0.2, 2.0, 2.0), strict=True):
            add_load(simulation, queue, load)
        simulation.run_until(SECONDS)
        assert sent_shares(queues) == pytest.approx((0.2, 0.2, 0.6), abs=2e-3)


def test_turns_begin_with_the_lowest_queue() -> None:
    with Simulation(1) as simulation:
        queues = add_queues(simulation, 3, (1, 1, 6))
        queues[0].set_stalled(True)
        for queue in reversed(queues):
            add_overload(simulation, queue)
        simulation.run_until(0.1)
        queues[0].set_stalled(False)
        assert [queue.snapshot()[3] for queue in queues] == [PACKET_BYTES, 0, 0]


@pytest.mark.parametrize("weights", [(), (5,)])
def test_the_only_queue_of_a_link_is_a_port(weights) -> None:
    def history(port_of) -> list[tuple[int, ...]]:
        with Simulation(7) as simulation:
            port = port_of(simulation)
            add_mixed_traffic(simulation, port)
            rows = []
            for step in range(1000):
                simulation.run_until(step * 1e-3)
                rows.append(port.snapshot())
            return rows

    def alone(simulation: Simulation) -> Port:
        return add_queues(simulation, 1, weights)[0]

    def port(simulation: Simulation) -> Port:
        return add_port(simulation, "plain", LIMIT_BYTES)

    assert history(alone) == history(port)


def test_a_queue_that_waits_behind_others_is_not_idle() -> None:
    with Simulation(1) as simulation:
        low, high = add_queues(simulation, 2)
        add_load(simulation, low, 2.0)
        add_load(simulation, high, 0.25)
        simulation.run_until(SECONDS)
        assert low.idle_s() < 2 * SERIALIZATION_S
        sent_s = SECONDS * sent_shares([high])[0]
        # A frame of the same length is before each of them at most.
        assert 0 < SECONDS - high.idle_s() - sent_s <= sent_s + SERIALIZATION_S
        *_, unsaturated_us, unsaturated_bytes = high.snapshot()
        assert high.idle_s() == pytest.approx(
            unsaturated_us / 1e6 - 8 * unsaturated_bytes / RATE_BPS, abs=2e-6
        )


@pytest.mark.parametrize("weights", [(), (1, 1, 6)])
def test_the_program_tells_queues_apart_and_agrees_with_the_rule_packet_by_packet(weights) -> None:
    def history(kind: str) -> tuple[list[list[int]], list[float]]:
        counts, idle_s = [], []
        with Simulation(7) as simulation:
            queues = add_queues(simulation, 3, weights, kind)
            for number, queue in enumerate(queues):
                queue.set_limit_bytes((10 + 10 * number) * PACKET_BYTES)
            add_mixed_traffic(simulation, queues[0])
            add_mixed_traffic(simulation, queues[1])
            simulation.add_cbr_flow(
                queues[2:], delay_s=0.0, packet_bytes=PACKET_BYTES, rate_bps=0.3 * RATE_BPS,
                on_s=0.05, off_s=0.05,
            )  # fmt: skip
            for step in range(5_000):
                simulation.run_until(step * 1e-4)
                for queue in queues:
                    *known, unsaturated_us, unsaturated_bytes = queue.snapshot()
                    counts.append(known)
                    idle_s.append(unsaturated_us / 1e6 - 8 * unsaturated_bytes / RATE_BPS)
        return counts, idle_s

    (by_program, found_s), (by_rule, known_s) = history("p4"), history("plain")
    assert by_program == by_rule
    assert min(known_s[-3:]) > 0.01
    # The program learns of the end of a transmission by the next departure.
    assert found_s == pytest.approx(known_s, abs=8 * 1200 / RATE_BPS + 1e-4)


def test_rates_and_stalls_are_those_of_the_link() -> None:
    with Simulation(1) as simulation:
        low, high = add_queues(simulation, 2)
        add_overload(simulation, low)
        high.set_rate_bps(RATE_BPS // 2)
        simulation.run_until(1.0)
        assert low.rate_bps == RATE_BPS // 2
        assert 8 * low.snapshot()[3] == pytest.approx(RATE_BPS / 2, rel=1e-3)
        high.set_stalled(True)
        simulation.run_until(1.1)
        departed_bytes = low.snapshot()[3]
        simulation.run_until(2.0)
        assert low.snapshot()[3] == departed_bytes


@pytest.mark.parametrize(
    ("count", "weights", "message"),
    [
        (0, (), "from 1 to 8 queues"),
        (9, (), "from 1 to 8 queues"),
        (2, (1,), "as many weights as queues"),
        (2, (1, 0), "at least 1"),
    ],
)
def test_what_no_link_can_be_is_refused(count, weights, message) -> None:
    with Simulation(1) as simulation, pytest.raises(UserError, match=message):
        add_queues(simulation, count, weights)
