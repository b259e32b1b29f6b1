"""A demonstration that was never run: its settings, samples and results."""

from pathlib import Path

from p4abs_demonstration.measure.measurements import Result
from p4abs_demonstration.measure.phases import measure, schedule
from p4abs_demonstration.measure.quality import Quality
from p4abs_demonstration.measure.samples import Sample
from p4abs_demonstration.settings import Settings

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
"""The machine has disturbed the last phase."""
