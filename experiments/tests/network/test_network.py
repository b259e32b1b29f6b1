"""Scenarios say what is wrong with them."""

from dataclasses import replace

import pytest
from p4abs_experiments.network import InvalidScenario, Link, PlainBuffer, QueueDisc, Queues, Sizing
from p4abs_experiments.network.cell import Cell


def test_a_path_names_links(scenario):
    plain = scenario()
    lost = replace(plain.traffic[0], path=("bottelneck",))
    with pytest.raises(InvalidScenario, match=r"'bottelneck'; valid: bottleneck"):
        replace(plain, traffic=(lost,))


def test_a_reverse_path_names_links(scenario):
    plain = scenario()
    lost = replace(plain.traffic[0], reverse_path=("back",))
    with pytest.raises(InvalidScenario, match="'back'"):
        replace(plain, traffic=(lost,))


def test_link_names_are_distinct(scenario):
    plain = scenario()
    with pytest.raises(InvalidScenario, match="distinct names"):
        replace(plain, links=plain.links * 2)


@pytest.mark.parametrize("measure_from_s", [-1.0, 2.0, 3.0])
def test_the_measurement_window_lies_within_the_run(scenario, measure_from_s):
    with pytest.raises(InvalidScenario, match="measure_from_s"):
        replace(scenario(duration_s=2.0), measure_from_s=measure_from_s)


def test_a_sizing_replaces_that_of_one_link(scenario):
    plain = scenario()
    plain = replace(plain, links=(*plain.links, Link("second", 1_000_000, None)))
    sizing = Sizing(initial_limit_bytes=7_000)
    changed = plain.with_sizing(sizing, "second")
    assert changed.link("second").sizing == sizing
    assert changed.link() == plain.link()


def test_an_unknown_link_lists_the_valid_ones(scenario):
    with pytest.raises(InvalidScenario, match="valid: bottleneck"):
        scenario().link("other")


def test_packets_are_those_of_the_narrowest_links(scenario):
    plain = scenario(duration_s=3.0)
    wide = Link("wide", 10 * plain.link().capacity_bps, None)
    through_both = replace(plain.traffic[0], path=("wide", "bottleneck"))
    scenario_of_two = replace(
        plain, links=(*plain.links, wide), traffic=(*plain.traffic, through_both)
    )
    assert Cell(plain).packets == pytest.approx(16e6 * 3 / 8 / 600)
    assert Cell(scenario_of_two).packets == Cell(plain).packets


@pytest.mark.parametrize("times", [((0.0, 1.0),), ((0.5, 0.4),), ((0.5, 1.0), (0.9, 1.2))])
def test_what_happens_has_its_order(scenario, times):
    plain = scenario()
    with pytest.raises(InvalidScenario, match="the stalls of bottleneck"):
        replace(plain, links=(replace(plain.link(), stalls=times),))
    with pytest.raises(InvalidScenario, match="the pauses of tcp"):
        replace(plain, traffic=(replace(plain.traffic[0], pauses=times),))


def test_changes_of_capacity_have_their_order(scenario):
    plain = scenario()
    changes = ((1.0, 8_000_000), (0.5, 9_000_000))
    with pytest.raises(InvalidScenario, match="capacity changes of bottleneck"):
        replace(plain, links=(replace(plain.link(), capacity_changes=changes),))


def test_the_mean_capacity_counts_every_rate_for_its_time():
    link = Link("link", 10, None, capacity_changes=((1.0, 20), (2.0, 40), (9.0, 80)))
    assert link.mean_capacity_bps(0.0, 4.0) == pytest.approx((10 + 20 + 2 * 40) / 4)
    assert link.mean_capacity_bps(1.5, 2.5) == pytest.approx(30)
    assert link.mean_capacity_bps(0.0, 0.5) == 10
    assert link.mean_capacity_bps(8.0, 10.0) == pytest.approx(60)


def with_second_queue(plain, **second):
    """The bottleneck's queue beside another one, with changes to that."""
    links = (plain.link(), replace(plain.link(), name="second", **second))
    return replace(plain, links=links, queues=(Queues(("bottleneck", "second")),))


@pytest.mark.parametrize(
    ("second", "message"),
    [
        ({"capacity_bps": 1_000_000}, "second differs from bottleneck"),
        ({"buffer": PlainBuffer()}, "second differs from bottleneck"),
        ({"buffer": QueueDisc("FifoQueueDisc"), "sizing": None}, "second needs a P4Buffer"),
        ({"stalls": ((0.5, 0.6),)}, "second cannot be disturbed"),
    ],
)
def test_queues_of_one_link_are_alike(scenario, second, message):
    assert with_second_queue(scenario()).is_queue("second")
    with pytest.raises(InvalidScenario, match=message):
        with_second_queue(scenario(), **second)


def test_a_queue_has_one_link(scenario):
    plain = with_second_queue(scenario())
    with pytest.raises(InvalidScenario, match="a queue has one link"):
        replace(plain, queues=plain.queues * 2)
    with pytest.raises(InvalidScenario, match="no link 'third'"):
        replace(plain, queues=(Queues(("bottleneck", "third")),))


def test_packets_of_queues_are_those_of_their_link(scenario):
    plain = scenario(duration_s=3.0)
    both = with_second_queue(plain)
    second = replace(plain.traffic[0], path=("second",))
    assert Cell(replace(both, traffic=(*both.traffic, second))).packets == Cell(plain).packets
