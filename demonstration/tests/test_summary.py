"""The result files hold what the readers of the repository's README are promised."""

import csv
import io
import json
from dataclasses import replace
from pathlib import Path

import pytest
from p4abs_demonstration.measure.measurements import Result
from p4abs_demonstration.report.summary import (
    remarks,
    soon_line,
    summarize,
    table,
    write_summary,
    write_timeseries,
)
from rich.console import Console

from demonstration.tests.invented import DISTURBED, PHASES, RESULTS, SAMPLES, SETTINGS


def test_summary_has_exactly_the_promised_keys(tmp_path: Path) -> None:
    write_summary(tmp_path / "summary.json", summarize(SETTINGS, RESULTS, {"ticks": 1}))
    summary = json.loads((tmp_path / "summary.json").read_text())
    assert set(summary) == {
        *("target", "policy", "congestion_control", "flows", "capacity_bps"),
        *(
            "capacity_declared_bps",
            "disturbance",
            "interval_s",
            "targets",
            "phases",
            "control_loop",
        ),
    }
    assert summary["targets"] == {"utilization": 0.98, "loss": 0.02}
    for phase in summary["phases"]:
        assert set(phase) == {
            *("name", "start_s", "end_s", "disturbed", "missed_intervals", "unseen_traffic"),
            *("utilization", "loss", "mean_limit_bytes", "max_limit_bytes"),
            *("changes_load", "soon_limit_ratio"),
            *("queue_delay_p50_s", "queue_delay_p99_s", "binding", "unreachable"),
        }
    assert summary["phases"][0]["utilization"] == pytest.approx(0.98)


def test_a_disturbed_phase_has_its_shares_and_no_figures() -> None:
    *kept, disturbed = summarize(SETTINGS, DISTURBED, {})["phases"]
    assert disturbed["disturbed"]
    assert (disturbed["missed_intervals"], disturbed["unseen_traffic"]) == (0.12, 0.003)
    assert set(disturbed) == set(kept[0])
    assert disturbed["utilization"] is disturbed["loss"] is disturbed["mean_limit_bytes"] is None
    assert not any(phase["disturbed"] for phase in kept)


def test_the_limit_soon_after_flows_left_and_returned_is_told() -> None:
    line = soon_line(RESULTS)
    assert "(half of the flows leave)" in line
    assert "(they return)" in line
    assert soon_line(RESULTS[:2]) == ""


def test_each_disturbed_phase_is_told_with_its_shares() -> None:
    assert remarks(RESULTS) == []
    (line,) = remarks(DISTURBED)
    assert PHASES[-1].name in line
    assert "12.0% of intervals missed, 0.30% of the traffic unseen" in line


def test_a_target_out_of_reach_is_told() -> None:
    first = RESULTS[0]
    assert first.statistics is not None
    statistics = replace(first.statistics, unreachable="utilization 98%: sources offer 76%")
    (line,) = remarks([replace(first, statistics=statistics), *RESULTS[1:]])
    assert line == f"{PHASES[0].name}: unreachable: utilization 98%: sources offer 76%"


def test_timeseries_has_one_line_for_each_sample(tmp_path: Path) -> None:
    path = tmp_path / "timeseries.csv"
    write_timeseries(path, SAMPLES, PHASES, SETTINGS.capacity_bps)
    with path.open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == len(SAMPLES)
    assert float(rows[7]["loss"]) == pytest.approx(500 / 25_500, abs=1e-6)
    assert {row["phase"] for row in rows} == {phase.name for phase in PHASES}


@pytest.mark.parametrize("results", [RESULTS, DISTURBED])
def test_the_table_fits_80_columns(results: list[Result]) -> None:
    output = io.StringIO()
    Console(width=80, file=output).print(table(SETTINGS, results))
    text = output.getvalue()
    assert ("disturbed" in text) == (results is DISTURBED)
    assert "…" not in text
    for phase in PHASES:
        assert phase.name in text


@pytest.mark.parametrize(
    ("utilization", "loss", "verdict"),
    [
        (0.98, 0.02, "met"),
        (0.971, 0.0229, "met"),
        (0.969, 0.0, "missed"),
        (1.0, 0.0231, "missed"),
    ],
)
def test_the_table_tells_which_phases_meet_both_targets(
    utilization: float, loss: float, verdict: str
) -> None:
    result = RESULTS[0]
    assert result.statistics is not None
    statistics = replace(result.statistics, utilization=utilization, loss=loss)
    output = io.StringIO()
    Console(width=80, file=output).print(table(SETTINGS, [replace(result, statistics=statistics)]))
    (row,) = (line for line in output.getvalue().splitlines() if PHASES[0].name in line)
    assert row.split()[-1] == verdict
