"""Zhang and Loguinov, "ABS: Adaptive buffer sizing for heterogeneous networks", 2010."""

from p4abs_experiments.experiment import Experiment
from p4abs_experiments.papers.adaptive_buffer_sizing.figures.figure1 import Figure1
from p4abs_experiments.papers.adaptive_buffer_sizing.figures.figure4 import Figure4
from p4abs_experiments.papers.adaptive_buffer_sizing.figures.figure9 import Figure9
from p4abs_experiments.papers.adaptive_buffer_sizing.figures.figures2_3 import FIGURE_2, FIGURE_3
from p4abs_experiments.papers.adaptive_buffer_sizing.figures.figures5_6 import Figure5, Figure6
from p4abs_experiments.papers.adaptive_buffer_sizing.figures.figures7_8 import FIGURE_7, FIGURE_8
from p4abs_experiments.papers.adaptive_buffer_sizing.figures.non_bottleneck import NonBottleneck
from p4abs_experiments.papers.adaptive_buffer_sizing.tables.table1 import Table1
from p4abs_experiments.papers.adaptive_buffer_sizing.tables.tables2_3 import TABLES
from p4abs_experiments.papers.adaptive_buffer_sizing.tables.tofino import TABLES_BEHIND_TOFINO

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
    *TABLES_BEHIND_TOFINO,
)
