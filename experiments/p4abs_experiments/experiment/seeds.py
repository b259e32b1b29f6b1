"""How often a cell is run at full size."""

from p4abs_experiments.network.cell import Cell
from p4abs_experiments.network.policies import adaptive_policies

SEEDS = (1, 2, 3, 4, 5)
"""Of every static optimum, and of every cell whose limit a policy moves."""


def seeds_of(cell: Cell) -> tuple[int, ...]:
    """SEEDS for a cell whose limit a policy moves; a fixed limit is run with the cell's own."""
    return SEEDS if adaptive_policies(cell.scenario) else (cell.seed,)
