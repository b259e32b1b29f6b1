"""The picture of a demonstration is drawn, disturbed or not."""

from pathlib import Path

import pytest
from absdemo.figure import draw
from p4abs_switch.demonstration.measure.measurements import Result
from p4abs_switch.demonstration.measure.phases import measure, schedule
from p4abs_switch.demonstration.measure.quality import Quality
from p4abs_switch.demonstration.measure.samples import Sample
from p4abs_switch.demonstration.settings import Settings

SETTINGS = Settings(
    target="embedded",
    flows=16,
    capacity_bps=10_000_000,
    capacity_declared_bps=10_500_000,
    delay_s=0.01,
    duration_s=20,
    congestion_control="reno",
    utilization=0.98,
    loss=0.02,
    policy="abs",
    disturb="none",
    results=Path("results"),
)
PHASES = schedule(SETTINGS.duration_s, SETTINGS.policy)
SAMPLES = [
    Sample(n * 0.02, 0.02, 25_000, 500, 24_500, 1_250_000, 1_250_000, "utilization")
    for n in range(1000)
]
RESULTS = [
    Result(phase, Quality(0.01, 0.0), measure(SAMPLES, phase, SETTINGS.capacity_bps))
    for phase in PHASES
]
DISTURBED = [*RESULTS[:-1], Result(PHASES[-1], Quality(0.12, 0.003), None)]


@pytest.mark.parametrize("results", [RESULTS, DISTURBED])
def test_the_picture_is_drawn(results: list[Result], tmp_path: Path) -> None:
    draw(tmp_path / "demo.png", SETTINGS, SAMPLES, results)
    assert (tmp_path / "demo.png").read_bytes().startswith(b"\x89PNG")
