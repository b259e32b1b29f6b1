"""Switches under control, from the first connection to the limits that are left behind."""

from p4abs.session.controller import SwitchController, Unreachable
from p4abs.session.events import Events
from p4abs.session.first_answer import FirstAnswer
from p4abs.session.fleet import NotLeftWell, control_fleet
from p4abs.session.message import Message
from p4abs.session.state import SwitchState

__all__ = [
    "Events",
    "FirstAnswer",
    "Message",
    "NotLeftWell",
    "SwitchController",
    "SwitchState",
    "Unreachable",
    "control_fleet",
]
