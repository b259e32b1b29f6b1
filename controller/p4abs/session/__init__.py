"""Switches under control, from the first connection to the limits that are left behind."""

from p4abs.session.adoptable import begun_ports, is_adoptable
from p4abs.session.attempts import FirstAnswer
from p4abs.session.controller import SwitchController, Unreachable
from p4abs.session.events import Events, Message, SwitchState, limit_text
from p4abs.session.fleet import FleetControl, NotLeftWell
from p4abs.session.ports.releases import PortControlState
from p4abs.session.replicas import Candidacy, Replica, check_replicated, parse_replica

__all__ = [
    "Candidacy",
    "Events",
    "FirstAnswer",
    "FleetControl",
    "Message",
    "NotLeftWell",
    "PortControlState",
    "Replica",
    "SwitchController",
    "SwitchState",
    "Unreachable",
    "begun_ports",
    "check_replicated",
    "is_adoptable",
    "limit_text",
    "parse_replica",
]
