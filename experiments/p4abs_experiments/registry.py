"""All experiments by name."""

from collections.abc import Mapping

from p4abs_experiments.experiment import Experiment
from p4abs_experiments.papers import (
    adaptive_buffer_sizing,
    adaptive_drop_tail,
    optimal_buffer_size,
    sizing_router_buffers,
    sla_perspective,
)

_PAPERS = (
    adaptive_buffer_sizing,
    sizing_router_buffers,
    adaptive_drop_tail,
    optimal_buffer_size,
    sla_perspective,
)

EXPERIMENTS: Mapping[str, Experiment] = {
    experiment.name: experiment for paper in _PAPERS for experiment in paper.EXPERIMENTS
}
