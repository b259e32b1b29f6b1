"""Tables 2 and 3: what is run agrees with what the paper prints, and the goals are judged."""

from dataclasses import replace

import numpy as np
import pytest
from p4abs_experiments.experiment import Results, Size
from p4abs_experiments.experiment.goal import MET, MISSED
from p4abs_experiments.experiment.optimum import Optimum
from p4abs_experiments.network import PACKET_BYTES, P4Buffer
from p4abs_experiments.network.cell import Cell
from p4abs_experiments.network.identity import optimum_key_of, simulation_json
from p4abs_experiments.network.policies import fixed_limit_bytes
from p4abs_experiments.papers.adaptive_buffer_sizing.published import TABLE_2, TABLE_3
from p4abs_experiments.papers.adaptive_buffer_sizing.tables.tables2_3 import GOAL, TABLES
from p4abs_experiments.papers.adaptive_buffer_sizing.verdicts import verdicts
from p4abs_experiments.simulation.result import CellResult, LinkResult, LinkSeries

SECONDS = np.arange(1.0, 241.0)
STEADY = LinkSeries(SECONDS, *[np.full(240, 6000.0)] * 5)
"""A limit that stays, with drops in every second."""


def test_both_tables_print_the_same_row_for_16_flows_at_16_mbps() -> None:
    assert TABLE_2[16] == TABLE_3[16]


@pytest.mark.parametrize("policy", ["bdp", "stanford", "bscl"])
def test_rules_ask_for_the_limits_that_the_seed_prints(policy: str) -> None:
    for table in TABLES:
        for cell in table.cells(Size.FULL):
            printed = cell.paper.limit_packets
            if cell.policy_label != policy or printed is None:
                continue
            limit = fixed_limit_bytes(cell.scenario.link())
            assert limit is not None
            assert limit / PACKET_BYTES == pytest.approx(printed, rel=0.015, abs=1.3)


def test_every_cell_goes_through_the_p4_program() -> None:
    for table in TABLES:
        assert all(isinstance(c.scenario.link().buffer, P4Buffer) for c in table.cells(Size.FULL))


def test_every_row_of_the_seed_has_a_cell_of_every_printed_policy() -> None:
    for table, published in zip(TABLES, (TABLE_2, TABLE_3), strict=True):
        printed = [c for c in table.cells(Size.FULL) if c.paper.limit_packets is not None]
        policies = {(c.scenario.name, c.policy_label) for c in printed}
        assert len(policies) >= 4 * len(published)


def _link(limit_bytes: float, utilization: float, loss: float, std_bytes: float) -> LinkResult:
    return LinkResult(
        "bottleneck", 16_000_000, limit_bytes, std_bytes, 0.0, utilization, loss, 0, 0, 0,
        0.0, 0.0, 0.0, 0.0, STEADY,
    )  # fmt: skip


def _results(link: LinkResult, optimum: Optimum) -> Results:
    cell = next(c for c in TABLES[0].cells(Size.FULL) if c.policy_label == "abs")
    return Results(
        size=Size.FULL,
        cells=[cell],
        by_simulation={simulation_json(cell): CellResult((link,), (), 1.0, 1.0, {})},
        optima={optimum_key_of(cell.scenario): optimum},
    )


UTILIZATION_BINDS = Optimum("bottleneck", 60_000.0, "utilization", (), ())
GOOD = _link(63_000.0, 0.982, 0.001, 3_000.0)


def test_a_calm_limit_near_the_optimum_meets_every_goal() -> None:
    sentences = verdicts(_results(GOOD, UTILIZATION_BINDS), GOAL)
    assert [sentence.startswith(MET) for sentence in sentences] == [True] * 3


@pytest.mark.parametrize(
    ("change", "missed"),
    [
        ({"utilization": 0.9765}, 0),
        ({"mean_limit_bytes": 66_600.0}, 1),
        ({"std_limit_bytes": 6_400.0}, 2),
    ],
)
def test_each_goal_is_missed_alone(change: dict[str, float], missed: int) -> None:
    sentences = verdicts(_results(replace(GOOD, **change), UTILIZATION_BINDS), GOAL)
    assert [sentence.startswith(MISSED) for sentence in sentences] == [
        number == missed for number in range(3)
    ]


def test_where_loss_binds_the_loss_rate_is_judged() -> None:
    lossy = replace(GOOD, utilization=1.0, loss=0.0207)
    sentences = verdicts(_results(lossy, replace(UTILIZATION_BINDS, binding="loss")), GOAL)
    assert sentences[0].startswith(MISSED)
    assert "2.070 %" in sentences[0]


def test_a_cell_without_optimum_is_named_and_not_judged() -> None:
    cell: Cell = TABLES[0].cells(Size.FULL)[0]
    results = _results(GOOD, UTILIZATION_BINDS)
    sentences = verdicts(replace(results, optima={}), GOAL)
    assert cell.policy_label == "abs"
    assert sentences == ["No run of abs has a static optimum to compare with."]
