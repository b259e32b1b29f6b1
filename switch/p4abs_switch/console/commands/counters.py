"""Counters, and the direct counters of tables."""

from p4abs_switch.console.commands.group import Group
from p4abs_switch.console.session import Session
from p4abs_switch.console.values import GREATEST_COUNT, whole, words
from p4abs_switch.protobuf import p4r
from p4abs_switch.runtime.counters import Counters
from p4abs_switch.runtime.tables import Tables


class CounterCommands(Group):
    """`counter_read` and its kin; a direct counter's index is its entry's handle."""

    def __init__(self, session: Session, tables: Tables) -> None:
        super().__init__(session, tables)
        self._counters = Counters(session, tables)

    def do_counter_read(self, line: str) -> None:
        """Read a counter: counter_read <counter> <index>"""
        name, index = words(line, "counter index")
        number = whole(index, "the index")
        table = self.names.table_of_counter(name)
        if table is None:
            data = self._counters.read(self.names.counter(name), number)
        else:
            self.say(f"this is the direct counter for table {table.preamble.name}")
            data = self._counters.read_direct(self.key(table, number))
        self.say(f"{name}[{number}]= ({data.byte_count} bytes, {data.packet_count} packets)")

    def do_counter_write(self, line: str) -> None:
        """Write a counter: counter_write <counter> <index> <packets> <bytes>"""
        name, index, packets, count_bytes = words(line, "counter index packets bytes")
        number = whole(index, "the index")
        data = p4r.CounterData(
            packet_count=whole(packets, "packets", GREATEST_COUNT),
            byte_count=whole(count_bytes, "bytes", GREATEST_COUNT),
        )
        table = self.names.table_of_counter(name)
        if table is None:
            self._counters.write(self.names.counter(name), number, data)
        else:
            self.say(f"writing to direct counter for table {table.preamble.name}")
            self._counters.write_direct(self.key(table, number), data)
        self.say(f"{name}[{number}] has been updated")

    def do_counter_reset(self, line: str) -> None:
        """Set all cells to 0: counter_reset <counter>"""
        [name] = words(line, "counter")
        table = self.names.table_of_counter(name)
        if table is None:
            self._counters.reset(self.names.counter(name))
        else:
            self.say(f"this is the direct counter for table {table.preamble.name}")
            self._counters.reset_direct(table)
