"""Appenzeller, Keslassy, McKeown, "Sizing router buffers" (extended version, 2004)."""

from __future__ import annotations

from p4abs_experiments.experiment import Experiment
from p4abs_experiments.seed001.linecard import Linecard
from p4abs_experiments.seed001.long_flows import LongFlows
from p4abs_experiments.seed001.mixes import Mixes
from p4abs_experiments.seed001.sawtooth import Sawtooth
from p4abs_experiments.seed001.short_completion import ShortCompletion
from p4abs_experiments.seed001.short_queue import ShortQueue

EXPERIMENTS: tuple[Experiment, ...] = (
    Sawtooth(),
    ShortQueue(),
    LongFlows(),
    ShortCompletion(),
    Mixes(),
    Linecard(),
)
