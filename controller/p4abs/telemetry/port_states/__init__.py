"""The states of a switch's ports as telemetry keeps them.

switch_states    judged once a second
overdriven       links that carry more than was declared
changes          what is said when they change
words            why a port is in its state
"""

from p4abs.telemetry.port_states.changes import messages
from p4abs.telemetry.port_states.switch_states import Change, SwitchStates

__all__ = ["Change", "SwitchStates", "messages"]
