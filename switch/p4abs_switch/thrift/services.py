"""The services of simple_switch, by the names that clients call them."""

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

_STANDARD = (
    Entries,
    Profiles,
    Counters,
    Meters,
    Registers,
    ValueSets,
    Hashes,
    Ports,
    ProgramCalls,
)


def services(target: Target, learning: Learning) -> Services:
    """All that answers calls to a switch."""
    standard = [handler(target) for handler in _STANDARD]
    return Services(
        {
            "standard": [*standard, LearningCalls(learning)],
            "simple_pre_lag": [Multicast(target)],
            "simple_switch": [SimpleSwitchCalls(target)],
            "p4abs": [P4RuntimeCalls(target)],
        }
    )
