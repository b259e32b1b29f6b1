"""Two-way traffic: acknowledgements wait in the queue of the data that go their way."""

import pytest
from p4abs_experiments.network import Link, P4Buffer, PlainBuffer, Scenario, Sizing, TcpFlows
from p4abs_experiments.network.cell import Cell
from p4abs_experiments.network.two_way import both_ways
from p4abs_experiments.simulation.simulate import simulate

CAPACITY_BPS = 8_000_000
PACKET_BYTES = 600
ACKNOWLEDGEMENT_BYTES = 14 + 20 + 20
LINKS = ("there", "back")


def scenario(*traffic: TcpFlows, buffer=P4Buffer(), limit_bytes: int = 60_000) -> Scenario:  # noqa: B008
    sizing = Sizing(initial_limit_bytes=limit_bytes)
    return Scenario(
        name="two-way",
        links=tuple(Link(name, CAPACITY_BPS, sizing, buffer) for name in LINKS),
        traffic=traffic,
        n_flows=4,
        duration_s=6.0,
        measure_from_s=0.0,
    )


FLOWS = TcpFlows(count=4, path=("there",), rtt_s=(0.03, 0.05), start_s=(0.0, 0.1))


@pytest.mark.parametrize("buffer", [P4Buffer(), PlainBuffer()])
def test_every_byte_of_a_link_is_data_one_way_or_acknowledgements_of_the_other(buffer) -> None:
    result = simulate(Cell(scenario(*both_ways(FLOWS, *LINKS), buffer=buffer)))
    for there, back in (LINKS, LINKS[::-1]):
        data_bytes = sum(flow.offered_bytes for flow in result.of(there).flows)
        arrived_bytes = result.link(there).admitted_bytes + result.link(there).dropped_bytes
        # Every data packet that gets through is acknowledged; those that wait are not yet.
        delivered = sum(flow.offered_packets - flow.lost_packets for flow in result.of(back).flows)
        waiting = result.link(back).series.occupancy_bytes[-1] / ACKNOWLEDGEMENT_BYTES
        acknowledgements_bytes = arrived_bytes - data_bytes
        # Selective acknowledgements, of which there are few, are longer.
        assert acknowledgements_bytes >= (delivered - waiting) * ACKNOWLEDGEMENT_BYTES
        assert acknowledgements_bytes < 1.1 * delivered * ACKNOWLEDGEMENT_BYTES
        assert result.link(there).utilization > 0.7
        lost_data_bytes = sum(flow.lost_bytes for flow in result.of(there).flows)
        assert result.link(there).dropped_bytes >= lost_data_bytes > 0


def test_acknowledgements_that_wait_make_round_trips_longer() -> None:
    """A window of w packets and a round trip r give w / r; the queue on the way back is in r."""
    one = TcpFlows(
        count=1,
        path=("there",),
        reverse_path=("back",),
        rtt_s=(0.03, 0.03),
        window_bytes=20 * (PACKET_BYTES - ACKNOWLEDGEMENT_BYTES),
        name="one",
    )
    others = TcpFlows(count=8, path=("back",), rtt_s=(0.03, 0.05), name="others")
    alone = simulate(Cell(scenario(one, limit_bytes=120_000)))
    against = simulate(Cell(scenario(one, others, limit_bytes=120_000)))
    slower = alone.of("one").goodput_bps / against.of("one").goodput_bps
    queueing_s = 8 * against.link("back").mean_occupancy_bytes / CAPACITY_BPS
    assert queueing_s > 0.03
    assert slower == pytest.approx(1 + queueing_s / 0.03, rel=0.35)
