"""The result files hold what the readers of the repository's README are promised."""

import csv
import io
import json
from pathlib import Path

import pytest
from absdemo.measure.phases import measure, schedule
from absdemo.measure.samples import Sample
from absdemo.report.figure import draw
from absdemo.report.summary import summarize, table, write_summary, write_timeseries
from absdemo.settings import Settings
from rich.console import Console

SETTINGS = Settings(
    "embedded", 16, 10_000_000, 0.01, 20, "reno", 0.98, 0.02, "abs", Path("results")
)
PHASES = schedule(SETTINGS.duration_s, SETTINGS.policy)
SAMPLES = [
    Sample(n * 0.02, 0.02, 25_000, 500, 24_500, 1_250_000, 1_250_000, "utilization")
    for n in range(1000)
]
RESULTS = [(phase, measure(SAMPLES, phase, SETTINGS.capacity_bps)) for phase in PHASES]


def test_summary_has_exactly_the_promised_keys(tmp_path: Path) -> None:
    write_summary(tmp_path / "summary.json", summarize(SETTINGS, RESULTS, {"ticks": 1}))
    summary = json.loads((tmp_path / "summary.json").read_text())
    assert set(summary) == {
        *("target", "policy", "congestion_control", "flows", "capacity_bps", "interval_s"),
        *("targets", "phases", "control_loop"),
    }
    assert summary["targets"] == {"utilization": 0.98, "loss": 0.02}
    for phase in summary["phases"]:
        assert set(phase) == {
            *("name", "start_s", "end_s", "utilization", "loss", "mean_limit_bytes"),
            *("queue_delay_p50_s", "queue_delay_p99_s", "binding"),
        }
    assert summary["phases"][0]["utilization"] == pytest.approx(0.98)


def test_timeseries_has_one_line_for_each_sample(tmp_path: Path) -> None:
    path = tmp_path / "timeseries.csv"
    write_timeseries(path, SAMPLES, PHASES, SETTINGS.capacity_bps)
    with path.open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == len(SAMPLES)
    assert float(rows[7]["loss"]) == pytest.approx(500 / 25_500, abs=1e-6)
    assert {row["phase"] for row in rows} == {phase.name for phase in PHASES}


def test_the_table_fits_80_columns() -> None:
    output = io.StringIO()
    Console(width=80, file=output).print(table(SETTINGS, RESULTS))
    text = output.getvalue()
    assert "…" not in text
    for phase in PHASES:
        assert phase.name in text


def test_the_picture_is_drawn(tmp_path: Path) -> None:
    draw(tmp_path / "demo.png", SETTINGS, SAMPLES, RESULTS)
    assert (tmp_path / "demo.png").read_bytes().startswith(b"\x89PNG")
