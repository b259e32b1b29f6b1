"""Counters, and the direct counters of tables."""

from finsy.proto import p4i, p4r

from p4abs_switch.console.commands.group import Group
from p4abs_switch.console.error import CommandError
from p4abs_switch.console.handles import key_only
from p4abs_switch.console.names import find, listed
from p4abs_switch.console.values import GREATEST_COUNT, whole, words


class CounterCommands(Group):
    """`counter_read` and its kin; a direct counter's index is its entry's handle."""

    def do_counter_read(self, line: str) -> None:
        """Read a counter: counter_read <counter> <index>"""
        name, index = words(line, "counter index")
        number = whole(index, "the index")
        data = p4r.CounterData()
        table = self._table_of(name)
        if table is None:
            wanted = self._cell(name, number)
            for found in self.session.read(counter_entry=wanted):
                data = found.counter_entry.data
        else:
            self.say(f"this is the direct counter for table {table.preamble.name}")
            entry = self.handles.find(table, number)
            direct = p4r.DirectCounterEntry(table_entry=key_only(entry))
            for found in self.session.read(direct_counter_entry=direct):
                data = found.direct_counter_entry.data
        self.say(f"{name}[{number}]= ({data.byte_count} bytes, {data.packet_count} packets)")

    def do_counter_write(self, line: str) -> None:
        """Write a counter: counter_write <counter> <index> <packets> <bytes>"""
        name, index, packets, count_bytes = words(line, "counter index packets bytes")
        number = whole(index, "the index")
        data = p4r.CounterData(
            packet_count=whole(packets, "packets", GREATEST_COUNT),
            byte_count=whole(count_bytes, "bytes", GREATEST_COUNT),
        )
        table = self._table_of(name)
        if table is None:
            cell = self._cell(name, number)
            cell.data.CopyFrom(data)
            self.session.modify(counter_entry=cell)
        else:
            self.say(f"writing to direct counter for table {table.preamble.name}")
            key = key_only(self.handles.find(table, number))
            direct = p4r.DirectCounterEntry(table_entry=key, data=data)
            self.session.modify(direct_counter_entry=direct)
        self.say(f"{name}[{number}] has been updated")

    def do_counter_reset(self, line: str) -> None:
        """Set all cells to 0: counter_reset <counter>"""
        [name] = words(line, "counter")
        table, zero = self._table_of(name), p4r.CounterData()
        if table is None:
            counter = self._counter(name)
            every_cell = p4r.CounterEntry(counter_id=counter.preamble.id, data=zero)
            self.session.modify(counter_entry=every_cell)
            return
        self.say(f"this is the direct counter for table {table.preamble.name}")
        for entry in self.handles.entries(table).values():
            direct = p4r.DirectCounterEntry(table_entry=key_only(entry), data=zero)
            self.session.modify(direct_counter_entry=direct)

    def _counter(self, name: str) -> p4i.Counter:
        try:
            return find("counter", name, self.names.p4info.counters)
        except CommandError as error:
            raise CommandError(
                f"{error}; direct: {listed(self.names.p4info.direct_counters)}"
            ) from None

    def _cell(self, name: str, index: int) -> p4r.CounterEntry:
        counter = self._counter(name)
        if index >= counter.size:
            valid = f"0 to {counter.size - 1}"
            raise CommandError(
                f"counter {counter.preamble.name} has no cell {index}; valid: {valid}"
            )
        cell = p4r.Index(index=index)
        return p4r.CounterEntry(counter_id=counter.preamble.id, index=cell)

    def _table_of(self, name: str) -> p4i.Table | None:
        """The table of a direct counter."""
        try:
            direct = find("direct counter", name, self.names.p4info.direct_counters)
        except CommandError:
            return None
        return self.names.table_of_id(direct.direct_table_id)
