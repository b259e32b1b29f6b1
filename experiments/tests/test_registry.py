"""What holds for the cells of every experiment."""

import pytest
from p4abs_experiments.experiment import Size
from p4abs_experiments.network.identity import simulation_json
from p4abs_experiments.registry import EXPERIMENTS, MOVED

LISTED_TWICE = {("seed000-table2", Size.FULL): 1}
"""With four flows, `bdp` and `stanford` ask for the same limit."""


@pytest.mark.parametrize("size", Size)
@pytest.mark.parametrize("name", EXPERIMENTS)
def test_no_cell_is_listed_twice(name: str, size: Size) -> None:
    cells = EXPERIMENTS[name].cells(size)
    different = {simulation_json(cell) for cell in cells}
    assert len(cells) - len(different) == LISTED_TWICE.get((name, size), 0)


def test_what_moved_is_found_where_it_is_said_to_be() -> None:
    for name, places in MOVED.items():
        assert name not in EXPERIMENTS
        assert {*places.split(" and ")} <= set(EXPERIMENTS)
