"""All commands for any switch."""

from collections.abc import Callable

from p4abs_switch.console.commands.counters import CounterCommands
from p4abs_switch.console.commands.group import Group, say
from p4abs_switch.console.commands.indirect import IndirectCommands
from p4abs_switch.console.commands.meters import MeterCommands
from p4abs_switch.console.commands.mirroring import MirroringCommands
from p4abs_switch.console.commands.multicast import MulticastCommands
from p4abs_switch.console.commands.program import ProgramCommands
from p4abs_switch.console.commands.registers import RegisterCommands
from p4abs_switch.console.commands.value_sets import ValueSetCommands
from p4abs_switch.runtime.objects import Objects

_GROUPS = (
    *(ProgramCommands, IndirectCommands, RegisterCommands, CounterCommands, MeterCommands),
    *(MulticastCommands, MirroringCommands, ValueSetCommands),
)


def groups_of(objects: Objects, say: Callable[[str], None] = say) -> list[Group]:
    """The commands for the objects of a switch, by kind."""
    return [group(objects, say) for group in _GROUPS]
