"""The services of simple_switch, by the names that clients call them."""

from collections.abc import Callable, Mapping
from typing import TypeAlias

from p4abs_switch.thrift.handlers.counters import Counters
from p4abs_switch.thrift.handlers.entries import Entries
from p4abs_switch.thrift.handlers.hashes import Hashes
from p4abs_switch.thrift.handlers.learning import LearningCalls
from p4abs_switch.thrift.handlers.meters import Meters
from p4abs_switch.thrift.handlers.multicast import Multicast
from p4abs_switch.thrift.handlers.p4runtime import P4RuntimeCalls
from p4abs_switch.thrift.handlers.ports import Ports
from p4abs_switch.thrift.handlers.profiles import Profiles
from p4abs_switch.thrift.handlers.program import ProgramCalls
from p4abs_switch.thrift.handlers.registers import Registers
from p4abs_switch.thrift.handlers.simple_switch import SimpleSwitchCalls
from p4abs_switch.thrift.handlers.value_sets import ValueSets
from p4abs_switch.thrift.learning import Learning
from p4abs_switch.thrift.protocol.service import Services
from p4abs_switch.thrift.target import Target

_Handler: TypeAlias = Callable[[Target], object]

HANDLERS: Mapping[str, tuple[_Handler, ...]] = {
    "standard": (
        *(Entries, Profiles, Counters, Meters, Registers),
        *(ValueSets, Hashes, Ports, ProgramCalls),
    ),
    "simple_pre_lag": (Multicast,),
    "simple_switch": (SimpleSwitchCalls,),
    "p4abs": (P4RuntimeCalls,),
}
"""What answers the calls of each service that are about a switch."""


def services(target: Target, learning: Learning) -> Services:
    """All that answers calls to a switch."""
    of_target = {
        service: [handler(target) for handler in handlers] for service, handlers in HANDLERS.items()
    }
    return Services({**of_target, "standard": [*of_target["standard"], LearningCalls(learning)]})
