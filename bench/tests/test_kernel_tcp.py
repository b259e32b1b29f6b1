"""The kernel's TCP beside ns-3's: what is compared, and what counts as a difference."""

import math
from pathlib import Path

import pytest
from kernel_tcp import page, rows, simulated
from kernel_tcp.loads import CAPACITY_BPS, LOADS, STRETCHES
from p4abs_experiments.network.policies import fixed_limit_bytes

LOAD, (FIXED, *_, LAW) = LOADS[0], STRETCHES


def row(utilization: float = 0.99, loss: float = 0.02, limit_bytes: float = 50e3) -> rows.Row:
    return rows.Row.of(LOAD, LAW, 1, utilization, loss, limit_bytes)


def compared(live: list[rows.Row], virtual: list[rows.Row]) -> page.Comparison:
    (found,) = page.compare(live, virtual)
    return found


@pytest.mark.parametrize(
    ("simulated", "differs"),
    [
        (row(), []),
        (row(loss=0.0219, limit_bytes=54e3, utilization=0.9), []),
        (row(loss=0.023), ["loss"]),
        (row(limit_bytes=56e3), ["limit"]),
        (row(utilization=0.8), ["utilization"]),
    ],
)
def test_what_is_further_apart_than_a_tenth_of_the_live_value_differs(
    simulated: rows.Row, differs: list[str]
) -> None:
    assert compared([row()], [simulated]).differs == differs


def test_intervals_of_both_are_allowed_for() -> None:
    scattered = [row(loss=0.01), row(loss=0.03), row(loss=0.02)]
    assert compared(scattered, [row(loss=0.026)]).differs == []
    assert compared(scattered, [row(loss=0.06)]).differs == ["loss"]


def test_losses_too_small_to_be_told_apart_are_equal() -> None:
    assert compared([row(loss=0.0002)], [row(loss=0.0009)]).differs == []


def test_a_live_run_that_was_disturbed_is_no_result() -> None:
    disturbed = rows.Row.without_result(LOAD, LAW, 1, "12.0% of intervals missed")
    assert list(page.compare([disturbed], [row()])) == []


def test_the_page_counts_the_rows_that_agree_and_marks_the_others() -> None:
    text = page.page([compared([row()], [row(loss=0.03)])], "a machine", "Because.")
    assert "0 of 1 rows agree" in text
    assert "**2.00, 3.00**" in text
    assert text.endswith("Because.\n")


def test_rows_are_read_as_they_were_written(tmp_path: Path) -> None:
    written = [row(), rows.Row.without_result(LOAD, FIXED, 2, "disturbed")]
    rows.write(tmp_path / "rows.csv", written)
    whole, disturbed = rows.read(tmp_path / "rows.csv")
    assert whole == written[0]
    assert (disturbed.note, math.isnan(disturbed.loss)) == ("disturbed", True)
    assert rows.read(tmp_path / "none.csv") == []


def test_the_simulated_limit_drains_in_the_time_that_names_it() -> None:
    link = simulated.scenario(LOAD, FIXED).link()
    assert fixed_limit_bytes(link) == round(FIXED.drain_s * CAPACITY_BPS / 8)
    assert fixed_limit_bytes(simulated.scenario(LOAD, LAW).link()) is None
