"""All that can be done with the objects of a switch's program."""

from p4abs_switch.runtime.cells import Counters, Registers
from p4abs_switch.runtime.meters import Meters
from p4abs_switch.runtime.names import Names
from p4abs_switch.runtime.profiles import Profiles
from p4abs_switch.runtime.replication import Replication
from p4abs_switch.runtime.switch import Switch
from p4abs_switch.runtime.tables import Tables
from p4abs_switch.runtime.value_sets import ValueSets


class Objects:
    """Those of a switch, which know of no entry, member or node yet."""

    def __init__(self, switch: Switch) -> None:
        self.switch = switch
        self.tables = Tables(switch)
        self.profiles = Profiles(switch)
        self.counters = Counters(switch, self.tables)
        self.meters = Meters(switch, self.tables)
        self.registers = Registers(switch)
        self.value_sets = ValueSets(switch)
        self.replication = Replication(switch)

    @property
    def names(self) -> Names:
        """The objects by name, also where another program has come."""
        return self.switch.names
