"""The services of simple_switch, by the names that clients call them."""

from collections.abc import Mapping, Sequence

from p4abs_switch.thrift.handlers.counters import Counters, DirectCounters
from p4abs_switch.thrift.handlers.entries import Entries
from p4abs_switch.thrift.handlers.handler import OfTarget
from p4abs_switch.thrift.handlers.hashes import Hashes
from p4abs_switch.thrift.handlers.learning import LearningCalls
from p4abs_switch.thrift.handlers.meters import DirectMeters, Meters
from p4abs_switch.thrift.handlers.multicast import Multicast
from p4abs_switch.thrift.handlers.p4runtime import P4RuntimeCalls
from p4abs_switch.thrift.handlers.ports import Ports
from p4abs_switch.thrift.handlers.profiles import Profiles
from p4abs_switch.thrift.handlers.program import Ids, ProgramCalls
from p4abs_switch.thrift.handlers.registers import Registers
from p4abs_switch.thrift.handlers.simple_switch import SimpleSwitchCalls
from p4abs_switch.thrift.handlers.value_sets import ValueSets
from p4abs_switch.thrift.learning import Learning
from p4abs_switch.thrift.protocol.service import Services
from p4abs_switch.thrift.target import Target

HANDLERS: Mapping[str, Sequence[type[OfTarget]]] = {
    "standard": (
        *(Entries, Profiles, Counters, DirectCounters, Meters, DirectMeters, Registers),
        *(ValueSets, Hashes, Ports, ProgramCalls, Ids),
    ),
    "simple_pre_lag": (Multicast,),
    "simple_switch": (SimpleSwitchCalls,),
    "p4abs": (P4RuntimeCalls,),
}
"""What answers the calls of each service that are about a switch."""


def services(target: Target, learning: Learning) -> Services:
    """All that answers calls to a switch."""
    of_target = {name: [each(target) for each in of] for name, of in HANDLERS.items()}
    return Services({**of_target, "standard": [*of_target["standard"], LearningCalls(learning)]})
