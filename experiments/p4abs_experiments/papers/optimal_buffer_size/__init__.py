"""Avrachenkov, Ayesta and Piunovskiy, "Optimal choice of the buffer size in the
Internet routers", CDC 2005."""

from p4abs_experiments.experiment import Experiment
from p4abs_experiments.papers.optimal_buffer_size.corollaries import Corollaries
from p4abs_experiments.papers.optimal_buffer_size.figure7 import Figure7
from p4abs_experiments.papers.optimal_buffer_size.figure8 import Figure8

EXPERIMENTS: tuple[Experiment, ...] = (Figure7(), Figure8(), Corollaries())
