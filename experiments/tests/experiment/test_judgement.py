"""Targets are bounds, for `abs` and for its rivals; what lies within an interval is undecided."""

from dataclasses import replace

import pytest
from p4abs_experiments.experiment.estimate import Estimate, estimate, jackknife
from p4abs_experiments.experiment.goal import Verdict, at_least, at_most, over_cells, together
from p4abs_experiments.experiment.judgement import (
    Judgement,
    below_the_optimum,
    goals,
    rivals,
    tally,
)
from p4abs_experiments.experiment.printed import deviations
from p4abs_experiments.experiment.row import LOSS_ONLY, TARGETS, Row

MET, UNDECIDED, MISSED = Verdict


def row(**changes: object) -> Row:
    """Half of the loss and all of the idle time that is allowed, by the optimum's buffer."""
    usual = Row(
        scenario="4 flows", policy="abs", n_flows=4, capacity_bps=16_000_000, seeds=5,
        mean_limit_bytes=60_000.0, std_limit_bytes=3_000.0, limit_p50_bytes=6e4,
        limit_p99_bytes=7e4, limit_max_bytes=8e4, static_optimum_bytes=60_000.0,
        binding="utilization", ratio=1.0, utilization=0.98, loss=0.01, target_utilization=0.98,
        target_loss=0.02, queue_delay_p50_s=0.01, queue_delay_p99_s=0.02, judged_by=TARGETS,
    )  # fmt: skip
    return replace(usual, **changes)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("mean", "half_width", "verdict"),
    [
        (0.9, None, MET), (1.1, None, MISSED), (0.9, 0.05, MET), (0.9, 0.2, UNDECIDED),
        (1.1, 0.2, UNDECIDED), (1.1, 0.05, MISSED),
        (float("nan"), None, UNDECIDED), (float("inf"), None, MISSED),
    ],
)  # fmt: skip
def test_a_bound_within_the_interval_is_undecided(
    mean: float, half_width: float | None, verdict: Verdict
) -> None:
    assert at_most(Estimate(mean, half_width), 1.0) is verdict
    assert at_least(Estimate(-mean, half_width), -1.0) is verdict


def test_one_miss_decides_and_all_must_be_met() -> None:
    assert together([MET, UNDECIDED, MISSED]) is MISSED
    assert together([MET, UNDECIDED]) is UNDECIDED
    assert together([MET, MET]) is MET


@pytest.mark.parametrize("asked", [0.9, 0.99, 0.999])
def test_idle_time_is_judged_as_a_share_of_what_is_allowed(asked: float) -> None:
    """99.74 % where 99.9 % are asked is 2.6 times the idle time allowed."""
    allowed = 1 - asked
    for share, verdict in ((1.04, MET), (1.06, MISSED), (2.6, MISSED)):
        used = row(target_utilization=asked, utilization=1 - share * allowed)
        assert Judgement(used).target is verdict


@pytest.mark.parametrize(("share", "verdict"), [(0.1, MET), (1.04, MET), (1.06, MISSED)])
def test_loss_is_a_bound_too(share: float, verdict: Verdict) -> None:
    assert Judgement(row(loss=share * 0.02)).target is verdict
    assert Judgement(row(loss=share * 0.02, loss_ci=0.002)).target in (verdict, UNDECIDED)


def test_where_loss_alone_is_asked_idle_time_does_not_matter() -> None:
    idle = row(utilization=0.3)
    assert Judgement(idle).target is MISSED
    assert Judgement(replace(idle, judged_by=LOSS_ONLY)).target is MET


def test_a_rival_is_judged_as_abs_is_and_its_price_stands_beside() -> None:
    bdp = row(policy="bdp", ratio=3.0)
    starved = replace(bdp, utilization=0.9, ratio=0.2)
    assert Judgement(bdp).target is Judgement(row()).target is MET
    (sentence,) = rivals([row(), bdp, starved, row(policy="optimum")])
    assert sentence.startswith(
        "bdp meets both targets in 1 of 2 cells. In these its limit is 3.00 times"
    )
    assert sentence.endswith("Over all cells it is 0.20 to 3.00 times.")


def test_goals_tell_cells_that_are_missed_from_those_that_are_undecided() -> None:
    rows = [
        row(scenario="good"),
        row(scenario="bad", utilization=0.97, ratio=1.3, ratio_ci=0.1),
        row(scenario="unclear", utilization_ci=0.01, ratio=1.1, ratio_ci=0.1),
        row(scenario="another question", judged_by=None, utilization=0.5),
    ]
    target, price = goals(rows)
    assert (target.verdict, price.verdict) == (MISSED, MISSED)
    assert "in 1 of 3 cells; missed: bad (1.50 times the allowed idle time); undecided" in (
        target.sentence
    )
    assert "undecided: unclear (1.10 ± 0.10)" in price.sentence
    target, price = goals([rows[0], rows[2]])
    assert (target.verdict, price.verdict) == (UNDECIDED, UNDECIDED)
    assert not goals([rows[3]])


def test_goals_say_which_targets_rows_are_held_against() -> None:
    both, alone = row(), row(judged_by=LOSS_ONLY)
    for rows, named in (([both], "both targets"), ([alone], "the loss"), ([both, alone], "its")):
        assert goals(rows)[0].sentence.startswith(f"abs meets {named}")


def test_what_keeps_its_bounds_below_the_optimum_is_counted() -> None:
    """The usual row's limit goes up to 80 kB, its 99 % quantile is 70 kB."""
    small = row(ratio=0.8, ratio_ci=0.1)
    rows = [
        row(),
        small,
        replace(small, ratio_ci=0.2),
        replace(small, loss=0.03),
        replace(small, static_optimum_bytes=75_000.0),
        replace(small, static_optimum_bytes=90_000.0),
    ]
    found = below_the_optimum([Judgement(each) for each in rows])
    assert found.startswith("In 3 cells")
    assert "In 2 of these, the limit's maximum" in found
    assert "in 1, even its 99 % quantile" in found
    assert "In the other 1, the limit never" in found
    assert not below_the_optimum([Judgement(row())])


def test_a_tally_names_what_there_is() -> None:
    assert tally([MET, MISSED, MET, None]) == "2 met, 1 missed of 3"
    assert tally([]) == ""


def test_the_jackknife_of_a_mean_is_its_usual_interval() -> None:
    values = [3.0, 5.0, 4.0, 8.0, 6.0]
    without = [(sum(values) - each) / 4 for each in values]
    found, usual = jackknife(sum(values) / 5, without), estimate(values)
    assert (found.mean, found.half_width) == (usual.mean, pytest.approx(usual.half_width))
    assert jackknife(1.0, ()).half_width is None


def test_limits_and_utilization_far_from_what_is_printed_are_listed() -> None:
    printed = row(paper_limit_packets=287.0, paper_utilization=0.979, policy="bdp")
    close = replace(printed, mean_limit_bytes=600 * 287.0, scenario="2 flows")
    (limit,) = deviations([printed, close], 600)
    assert limit == (
        "The limit of bdp in packets differs from the paper's in 1 of 2 cells: "
        "100 measured, 287 printed (4 flows)."
    )
    (used,) = deviations([replace(close, utilization=1.0)], 600)
    assert used.startswith("The utilization of bdp in % differs from the paper's in 1 of ")
    assert "100.0 measured, 97.9 printed (2 flows)" in used
    assert not deviations([close, row()], 600)
    assert not deviations([replace(close, mean_limit_bytes=1.0)], None)


def test_a_goal_over_cells_counts_those_that_meet_it_and_names_the_others() -> None:
    cells = [(Verdict.MET, "2 flows"), (Verdict.UNDECIDED, "4 flows"), (Verdict.MISSED, "8 flows")]
    goal = over_cells("The limit is calm", cells)
    assert goal.verdict is Verdict.MISSED
    assert goal.sentence == (
        "The limit is calm in 1 of 3 cells; missed: 8 flows; undecided: 4 flows."
    )
    assert (
        over_cells("The limit is calm", cells[:1]).sentence == "The limit is calm in 1 of 1 cells."
    )
