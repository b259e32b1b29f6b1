"""What holds for the cells of every experiment."""

import pytest
from p4abs_experiments.campaign import Plan
from p4abs_experiments.network.identity import simulation_json
from p4abs_experiments.registry import EXPERIMENTS, MOVED
from p4abs_experiments.size import Size, slice_of

LISTED_TWICE = {"seed000-table2": 1}
"""With four flows, `bdp` and `stanford` ask for the same limit."""


@pytest.mark.parametrize("name", EXPERIMENTS)
def test_no_cell_is_listed_twice(name: str) -> None:
    cells = EXPERIMENTS[name].cells()
    different = {simulation_json(cell) for cell in cells}
    assert len(cells) - len(different) == LISTED_TWICE.get(name, 0)


@pytest.mark.parametrize("name", EXPERIMENTS)
def test_a_slice_is_small_and_measures_each_policy_once(name: str) -> None:
    cells = Plan(EXPERIMENTS[name], Size.QUICK).cells()
    assert 1 <= len(cells) <= 3
    assert len({cell.policy_label for cell in cells}) == len(cells)
    assert sum(cell.packets for cell in cells) < 130_000


def test_all_times_of_a_slice_are_shortened() -> None:
    for cell in EXPERIMENTS["families-disturbances"].cells():
        [short] = slice_of([cell])
        share = short.scenario.duration_s / cell.scenario.duration_s
        assert short.scenario.duration_s <= 4
        from_s = share * cell.scenario.measure_from_s
        assert short.scenario.measure_from_s == pytest.approx(from_s)
        for name in ("stalls", "outages"):
            spans = getattr(cell.scenario.link(), name)
            short_spans = getattr(short.scenario.link(), name)
            for span, short_span in zip(spans, short_spans, strict=True):
                assert short_span == pytest.approx([share * each for each in span])


def test_what_moved_is_found_where_it_is_said_to_be() -> None:
    for name, places in MOVED.items():
        assert name not in EXPERIMENTS
        assert {*places.split(" and ")} <= set(EXPERIMENTS)
