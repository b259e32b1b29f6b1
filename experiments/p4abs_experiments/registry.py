"""All experiments by name."""

from __future__ import annotations

from collections.abc import Mapping

from p4abs_experiments import seed000, seed001, seed002, seed003, seed004
from p4abs_experiments.experiment import Experiment

EXPERIMENTS: Mapping[str, Experiment] = {
    experiment.name: experiment
    for seed in (seed000, seed001, seed002, seed003, seed004)
    for experiment in seed.EXPERIMENTS
}
