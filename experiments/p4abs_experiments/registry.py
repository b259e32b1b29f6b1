"""All experiments by name."""

from collections.abc import Mapping

from p4abs_experiments import families
from p4abs_experiments.experiment import Experiment
from p4abs_experiments.papers import (
    adaptive_buffer_sizing,
    adaptive_drop_tail,
    optimal_buffer_size,
    sizing_router_buffers,
    sla_perspective,
)

_FOLDERS = (
    adaptive_buffer_sizing,
    sizing_router_buffers,
    adaptive_drop_tail,
    optimal_buffer_size,
    sla_perspective,
    families,
)

EXPERIMENTS: Mapping[str, Experiment] = {
    experiment.name: experiment for folder in _FOLDERS for experiment in folder.EXPERIMENTS
}

MOVED: Mapping[str, str] = {
    "seed000-law-comparison": "seed000-table2 and seed000-table3",
    "seed004-figure5": "seed004-figure2",
    "seed004-figure6": "seed004-figure3",
    "seed004-figure9": "seed004-figure8",
    "seed004-figure10": "seed004-figures10-11",
    "seed004-figure11": "seed004-figures10-11",
}
"""Where to find what was once an experiment of its own."""
