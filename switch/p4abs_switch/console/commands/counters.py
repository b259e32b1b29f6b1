"""Counters, and the direct counters of tables."""

from typing import Annotated, TypeAlias

from p4abs_switch.console.commands.arguments import Index, number
from p4abs_switch.console.commands.group import Group
from p4abs_switch.console.values import GREATEST_COUNT
from p4abs_switch.protobuf import p4r

Packets: TypeAlias = Annotated[int, number("packets", GREATEST_COUNT)]
Bytes: TypeAlias = Annotated[int, number("bytes", GREATEST_COUNT)]


class CounterCommands(Group):
    """`counter_read` and its kin; a direct counter's index is its entry's handle."""

    def do_counter_read(self, counter: str, index: Index) -> None:
        """Read a counter: counter_read <counter> <index>"""
        table = self.names.table_of_counter(counter)
        if table is None:
            data = self.objects.counters.read(self.names.counter(counter), index)
        else:
            self.say(f"this is the direct counter for table {table.preamble.name}")
            data = self.objects.counters.read_direct(self.key(table, index))
        self.say(f"{counter}[{index}]= ({data.byte_count} bytes, {data.packet_count} packets)")

    def do_counter_write(self, counter: str, index: Index, packets: Packets, bytes_: Bytes) -> None:
        """Write a counter: counter_write <counter> <index> <packets> <bytes>"""
        data = p4r.CounterData(packet_count=packets, byte_count=bytes_)
        table = self.names.table_of_counter(counter)
        if table is None:
            self.objects.counters.write(self.names.counter(counter), index, data)
        else:
            self.say(f"writing to direct counter for table {table.preamble.name}")
            self.objects.counters.write_direct(self.key(table, index), data)
        self.say(f"{counter}[{index}] has been updated")

    def do_counter_reset(self, counter: str) -> None:
        """Set all cells to 0: counter_reset <counter>"""
        table = self.names.table_of_counter(counter)
        if table is None:
            self.objects.counters.reset(self.names.counter(counter))
        else:
            self.say(f"this is the direct counter for table {table.preamble.name}")
            self.objects.counters.reset_direct(table)
