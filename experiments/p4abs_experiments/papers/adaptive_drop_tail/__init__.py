"""Stanojevic and Shorten, "Adaptive tuning of drop-tail buffers for reducing queueing delays"."""

from p4abs_experiments.experiment import Experiment
from p4abs_experiments.papers.adaptive_drop_tail.figure2 import Users
from p4abs_experiments.papers.adaptive_drop_tail.figure3 import ChangingUsers
from p4abs_experiments.papers.adaptive_drop_tail.figure4 import Parameters
from p4abs_experiments.papers.adaptive_drop_tail.table import Table

EXPERIMENTS: tuple[Experiment, ...] = (Table(), Users(), ChangingUsers(), Parameters())
