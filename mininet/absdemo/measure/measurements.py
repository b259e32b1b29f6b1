"""Everything that a demonstration has measured."""

from dataclasses import dataclass
from typing import Any

from absdemo.measure.phases import Phase, Statistics
from absdemo.measure.samples import Sample


@dataclass(frozen=True)
class Measurements:
    """Samples in order of time, statistics per phase, and how well the controller kept time."""

    samples: list[Sample]
    phases: list[tuple[Phase, Statistics]]
    control_loop: dict[str, Any]
