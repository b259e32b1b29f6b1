"""What an experiment is made of.

optimum      the static optimum: the smallest fixed limit that meets both targets
estimate     a mean over random seeds and its confidence interval
seeds        how often a cell is run
sawteeth     how long a run must be
sample       one link of a cell under several random seeds
results      what an experiment gets to see of a run
row          the lines of its table
goal         findings that say whether a goal of the project was reached, and how exactly
verdicts     the goals of `abs` that can be asked of every scenario
min_buffer the goals of links that are no bottleneck
reasons      what a run's series say about why it misses one
experiment   the base class: which cells, and what is made of their results
crossing     the smallest buffer that meets a target, read from a grid
"""

from p4abs_experiments.experiment.experiment import Experiment
from p4abs_experiments.experiment.results import Results, Size

__all__ = ["Experiment", "Results", "Size"]
