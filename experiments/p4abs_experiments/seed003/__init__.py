"""Seed 003: Avrachenkov, Ayesta and Piunovskiy, "Optimal choice of the buffer size in the
Internet routers", CDC 2005."""

from __future__ import annotations

from p4abs_experiments.experiment import Experiment
from p4abs_experiments.seed003.corollaries import Corollaries
from p4abs_experiments.seed003.figure7 import Figure7
from p4abs_experiments.seed003.figure8 import Figure8

EXPERIMENTS: tuple[Experiment, ...] = (Figure7(), Figure8(), Corollaries())
