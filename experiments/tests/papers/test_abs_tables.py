"""Tables 2 and 3: what is run agrees with what the paper prints, and the goals are judged."""

from dataclasses import replace

import numpy as np
import pytest
from p4abs_experiments.experiment import Results, Size
from p4abs_experiments.experiment.goal import MET, MISSED, NARROW, WIDE
from p4abs_experiments.experiment.optimum import Optimum
from p4abs_experiments.experiment.verdicts import goals
from p4abs_experiments.network import PACKET_BYTES, P4Buffer
from p4abs_experiments.network.identity import optimum_key_of, simulation_json
from p4abs_experiments.network.policies import fixed_limit_bytes
from p4abs_experiments.papers.adaptive_buffer_sizing.published import TABLE_2, TABLE_3
from p4abs_experiments.papers.adaptive_buffer_sizing.tables.tables2_3 import TABLES
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
        "bottleneck", 16_000_000, limit_bytes, std_bytes, *[limit_bytes] * 3, 0.0, utilization,
        loss, 0, 0, 0, 0.0, 0.0, 0.0, 0.0, STEADY,
    )  # fmt: skip


def _results(optimum: Optimum, *links: LinkResult) -> Results:
    """A cell of `abs` with one link result per random seed."""
    first = next(c for c in TABLES[0].cells(Size.FULL) if c.policy_label == "abs")
    cells = [replace(first, seed=seed) for seed in range(1, len(links) + 1)]
    return Results(
        size=Size.FULL,
        cells=cells,
        by_simulation={
            simulation_json(cell): CellResult((link,), (), 1.0, 1.0, {})
            for cell, link in zip(cells, links, strict=True)
        },
        optima={optimum_key_of(first.scenario): optimum},
    )


UTILIZATION_BINDS = Optimum("bottleneck", 60_000.0, "utilization", (), ())
GOOD = _link(62_000.0, 0.9805, 0.001, 3_000.0)


def test_a_calm_limit_near_the_optimum_meets_every_goal() -> None:
    sentences = goals(_results(UTILIZATION_BINDS, GOOD), NARROW)
    assert [sentence.startswith(MET) for sentence in sentences] == [True] * 3


@pytest.mark.parametrize(
    ("change", "missed"),
    [
        ({"utilization": 0.9785}, 0),
        ({"mean_limit_bytes": 63_600.0}, 1),
        ({"std_limit_bytes": 6_400.0}, 2),
    ],
)
def test_each_goal_is_missed_alone(change: dict[str, float], missed: int) -> None:
    sentences = goals(_results(UTILIZATION_BINDS, replace(GOOD, **change)), NARROW)
    assert [sentence.startswith(MISSED) for sentence in sentences] == [
        number == missed for number in range(3)
    ]


def test_a_goal_is_judged_at_the_end_of_the_confidence_interval() -> None:
    above, below = (replace(GOOD, mean_limit_bytes=limit) for limit in (64_000.0, 60_000.0))
    sentences = goals(_results(UTILIZATION_BINDS, above, below), NARROW)
    assert [sentence.startswith(MISSED) for sentence in sentences] == [False, True, False]
    assert "1.03 ± 0.42" in sentences[1]


def test_where_loss_binds_the_loss_rate_is_judged() -> None:
    lossy = replace(GOOD, utilization=1.0, loss=0.0203)
    sentences = goals(_results(replace(UTILIZATION_BINDS, binding="loss"), lossy), NARROW)
    assert sentences[0].startswith(MISSED)
    assert "2.030 %" in sentences[0]


def test_without_an_optimum_both_targets_are_kept() -> None:
    results = replace(_results(UTILIZATION_BINDS, GOOD), optima={})
    assert goals(results, WIDE)[0].startswith(MET)
    starved = replace(_results(UTILIZATION_BINDS, replace(GOOD, utilization=0.9765)), optima={})
    (sentence,) = goals(starved, WIDE)
    assert sentence.startswith(MISSED)
    assert "97.65 % (98 % asked)" in sentence
