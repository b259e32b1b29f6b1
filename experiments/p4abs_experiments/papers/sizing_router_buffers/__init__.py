"""Appenzeller, Keslassy, McKeown, "Sizing router buffers" (extended version, 2004)."""

from p4abs_experiments.experiment import Experiment
from p4abs_experiments.papers.sizing_router_buffers.figure11 import LongFlows
from p4abs_experiments.papers.sizing_router_buffers.figure15 import Linecard
from p4abs_experiments.papers.sizing_router_buffers.figures3_6 import Sawtooth
from p4abs_experiments.papers.sizing_router_buffers.figures10_12 import ShortCompletion, ShortQueue
from p4abs_experiments.papers.sizing_router_buffers.figures13_14 import Mixes

EXPERIMENTS: tuple[Experiment, ...] = (
    Sawtooth(),
    ShortQueue(),
    LongFlows(),
    ShortCompletion(),
    Mixes(),
    Linecard(),
)
