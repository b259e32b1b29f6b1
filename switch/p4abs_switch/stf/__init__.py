"""Packet tests in p4c's STF: a program's JSON and a test, run on the engine in virtual time.

The language is read as p4c's driver for BMv2 reads it, so that its tests need no change.
"""

from p4abs_switch.stf.errors import StfError
from p4abs_switch.stf.runner import Outcome
from p4abs_switch.stf.suite import Pair, find_pairs, run_pair, run_pairs

__all__ = ["Outcome", "Pair", "StfError", "find_pairs", "run_pair", "run_pairs"]
