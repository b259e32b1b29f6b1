"""Zhang and Loguinov, "ABS: Adaptive buffer sizing for heterogeneous networks", 2010."""

from __future__ import annotations

from p4abs_experiments.experiment import Experiment
from p4abs_experiments.seed000.aqm import Table1
from p4abs_experiments.seed000.gains import FIGURE_2, FIGURE_3
from p4abs_experiments.seed000.law_comparison import LawComparison
from p4abs_experiments.seed000.load_changes import Figure4
from p4abs_experiments.seed000.mixes import FIGURE_7, FIGURE_8
from p4abs_experiments.seed000.monotonicity import Figure1
from p4abs_experiments.seed000.non_bottleneck import NonBottleneck
from p4abs_experiments.seed000.parking_lot import Figure9
from p4abs_experiments.seed000.tables import TABLES
from p4abs_experiments.seed000.web import Figure5, Figure6

EXPERIMENTS: tuple[Experiment, ...] = (
    *TABLES,
    Table1(),
    Figure1(),
    FIGURE_2,
    FIGURE_3,
    Figure4(),
    Figure5(),
    Figure6(),
    FIGURE_7,
    FIGURE_8,
    Figure9(),
    NonBottleneck(),
    LawComparison(),
)
