"""Sizing rules from the literature: a buffer computed from configured figures, one rule a module.

`rule` is what they share.
"""

from p4abs.policies.rules.bdp import Bdp
from p4abs.policies.rules.bscl import Bscl
from p4abs.policies.rules.delay_cap import DelayCap
from p4abs.policies.rules.fluid import Fluid
from p4abs.policies.rules.fpq import Fpq
from p4abs.policies.rules.stanford import Stanford

__all__ = ["Bdp", "Bscl", "DelayCap", "Fluid", "Fpq", "Stanford"]
