"""All experiments by name."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from importlib.util import find_spec

from p4abs_experiments.experiment import Experiment

_SEEDS = ("seed000", "seed001", "seed002", "seed003", "seed004")


def _collected() -> dict[str, Experiment]:
    found: dict[str, Experiment] = {}
    for seed in _SEEDS:
        name = f"{__package__}.{seed}"
        if find_spec(name) is None or find_spec(name).origin is None:  # type: ignore[union-attr]
            continue
        for experiment in getattr(import_module(name), "EXPERIMENTS", ()):
            found[experiment.name] = experiment
    return found


EXPERIMENTS: Mapping[str, Experiment] = _collected()
