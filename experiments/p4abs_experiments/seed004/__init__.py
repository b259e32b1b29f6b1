"""Seed 004: Sommers, Barford, Greenberg and Willinger, "A SLA perspective on the router buffer
sizing problem", University of Wisconsin, technical report 1569, 2006."""

from __future__ import annotations

from p4abs_experiments.experiment import Experiment
from p4abs_experiments.seed004.agreements import FIGURE_10, FIGURE_11
from p4abs_experiments.seed004.profiles import PROFILES
from p4abs_experiments.seed004.table3 import Table3

EXPERIMENTS: tuple[Experiment, ...] = (*PROFILES, Table3(), FIGURE_10, FIGURE_11)
