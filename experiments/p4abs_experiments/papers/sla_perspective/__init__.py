"""Sommers, Barford, Greenberg and Willinger, "A SLA perspective on the router buffer
sizing problem", University of Wisconsin, technical report 1569, 2006."""

from p4abs_experiments.experiment import Experiment
from p4abs_experiments.papers.sla_perspective.figures2_9 import PROFILES
from p4abs_experiments.papers.sla_perspective.figures10_11 import Figures1011
from p4abs_experiments.papers.sla_perspective.table3 import Table3

EXPERIMENTS: tuple[Experiment, ...] = (*PROFILES, Table3(), Figures1011())
