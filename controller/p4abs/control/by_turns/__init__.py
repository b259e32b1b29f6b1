"""The control of a few ports, one after the other.

ports_by_turns    the ports of a switch
adjustable_port   one of them, whose settings may change
"""

from p4abs.control.by_turns.adjustable_port import AdjustablePort
from p4abs.control.by_turns.ports_by_turns import PortsByTurns

__all__ = ["AdjustablePort", "PortsByTurns"]
