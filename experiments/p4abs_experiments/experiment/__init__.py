"""What an experiment is made of.

optimum      the static optimum: the smallest fixed limit that meets both targets
estimate     a mean over random seeds and its confidence interval
seeds        how often a cell is run
sawteeth     how long a run must be
sample       one link of a cell under several random seeds
results      what an experiment gets to see of a run
row          the lines of its table
goal         a goal of the project: met, missed or undecided
judgement    the goals that every row of `abs` has, and how its rivals do
printed      where a table differs from its paper
min_buffer   experiments with links that are no bottleneck
reasons      what a run's series say about why it misses one
experiment   the base class: which cells, and what is made of their results
crossing     the smallest buffer that meets a target, read from a grid
"""

from p4abs_experiments.experiment.experiment import Experiment
from p4abs_experiments.experiment.results import Results

__all__ = ["Experiment", "Results"]
