"""Stanojevic and Shorten, "Adaptive tuning of drop-tail buffers for reducing queueing delays"."""

from __future__ import annotations

from p4abs_experiments.experiment import Experiment
from p4abs_experiments.seed002.changing_users import ChangingUsers
from p4abs_experiments.seed002.parameters import Parameters
from p4abs_experiments.seed002.table import Table
from p4abs_experiments.seed002.users import Users

EXPERIMENTS: tuple[Experiment, ...] = (Table(), Users(), ChangingUsers(), Parameters())
