"""What an experiment is made of.

optimum      the static optimum: the smallest fixed limit that meets both targets
results      what an experiment gets to see of a run
row          the lines of its table
experiment   the base class: which cells, and what is made of their results
goal         findings that say whether a goal of the project was reached
crossing     the smallest buffer that meets a target, read from a grid
"""

from p4abs_experiments.experiment.experiment import Experiment
from p4abs_experiments.experiment.results import Results, Size

__all__ = ["Experiment", "Results", "Size"]
