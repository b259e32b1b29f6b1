"""Counters, and the direct counters of entries."""

from p4abs_switch.protobuf import p4i, p4r
from p4abs_switch.runtime.cells import cell
from p4abs_switch.runtime.handles import key_only
from p4abs_switch.runtime.switch import Switch
from p4abs_switch.runtime.tables import Tables


class Counters:
    """A switch's counters; those of entries by the entries' keys."""

    def __init__(self, switch: Switch, tables: Tables) -> None:
        self._switch = switch
        self._tables = tables

    def read(self, counter: p4i.Counter, index: int) -> p4r.CounterData:
        """Raises UnknownCell."""
        [found] = self._switch.read(counter_entry=_entry(counter, index))
        return found.counter_entry.data

    def write(self, counter: p4i.Counter, index: int, data: p4r.CounterData) -> None:
        """Raises UnknownCell."""
        entry = _entry(counter, index)
        entry.data.CopyFrom(data)
        self._switch.modify(counter_entry=entry)

    def reset(self, counter: p4i.Counter) -> None:
        """Sets all cells to 0."""
        every_cell = p4r.CounterEntry(counter_id=counter.preamble.id, data=p4r.CounterData())
        self._switch.modify(counter_entry=every_cell)

    def read_direct(self, key: p4r.TableEntry) -> p4r.CounterData:
        """That of an entry which is there."""
        wanted = p4r.DirectCounterEntry(table_entry=key)
        found = self._switch.read(direct_counter_entry=wanted)
        return found[0].direct_counter_entry.data if found else p4r.CounterData()

    def write_direct(self, key: p4r.TableEntry, data: p4r.CounterData) -> None:
        entry = p4r.DirectCounterEntry(table_entry=key, data=data)
        self._switch.modify(direct_counter_entry=entry)

    def reset_direct(self, table: p4i.Table) -> None:
        """Sets those of all entries to 0."""
        for entry in self._tables.entries(table).values():
            self.write_direct(key_only(entry), p4r.CounterData())


def _entry(counter: p4i.Counter, index: int) -> p4r.CounterEntry:
    number = counter.preamble.id
    return p4r.CounterEntry(counter_id=number, index=cell("counter", counter, index))
