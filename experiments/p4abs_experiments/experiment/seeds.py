"""How often a cell is run at full size."""

from p4abs_experiments.network.cell import Cell
from p4abs_experiments.network.policies import adaptive_policies

SEEDS = (1, 2, 3, 4, 5)
"""Of every static optimum, and of every cell whose limit a policy moves, unless an experiment has
its own."""

MANY_SEEDS = tuple(range(1, 21))
"""Where runs scatter by more than what is asked for: with the five a goal could be neither met nor
missed. Durations do not become shorter by them."""

_FAR_OFF = ("abs-paper", "abs-paper-abs", "adt")
"""Policies whose limits drift, or miss a target, by far more than seeds differ."""


def seeds_of(cell: Cell, seeds: tuple[int, ...]) -> tuple[int, ...]:
    """`seeds` for a cell whose limit a policy moves; the cell's own for a fixed limit and for
    policies of which one run says as much as several."""
    moving = {policy.name for policy in adaptive_policies(cell.scenario)}
    return seeds if moving.difference(_FAR_OFF) else (cell.seed,)
