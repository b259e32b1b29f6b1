"""Counters, and the direct counters of entries."""

from typing import Annotated, TypeAlias

from p4abs_switch.protobuf import p4i, p4r
from p4abs_switch.runtime.cells import UnknownCell
from p4abs_switch.thrift.handlers.handler import OF_ENTRIES, Counter, OfTarget, table_of
from p4abs_switch.thrift.protocol.service import Refusal
from p4abs_switch.thrift.protocol.shapes import I32, Meaning, Text
from p4abs_switch.thrift.refusals import Codes, CounterCode, TableCode
from p4abs_switch.thrift.structures import CounterValue
from p4abs_switch.thrift.target import Target

_I64 = (1 << 63) - 1


def _counted(target: Target, name: str) -> p4i.Table:
    table = table_of(target, name)
    if not target.loaded.names.has_counter(table):
        raise Refusal(TableCode.COUNTERS_DISABLED, f"table {name} has no direct counter")
    return table


CountedTable: TypeAlias = Annotated[p4i.Table, Meaning(Text, _counted)]


class Counters(OfTarget):
    """`bm_counter_...` calls."""

    codes = Codes(other=CounterCode.ERROR, inputs={UnknownCell: CounterCode.INVALID_INDEX})

    def bm_counter_read(self, counter: Counter, index: I32) -> CounterValue:
        return _told(self._loaded.counters.read(counter, index))

    def bm_counter_reset_all(self, counter: Counter) -> None:
        self._loaded.counters.reset(counter)

    def bm_counter_write(self, counter: Counter, index: I32, value: CounterValue) -> None:
        self._loaded.counters.write(counter, index, _data(value))


class DirectCounters(OfTarget):
    """Calls about the counters of entries."""

    codes = OF_ENTRIES

    def bm_mt_read_counter(self, table: CountedTable, entry_handle: I32) -> CounterValue:
        key = self._loaded.tables.key(table, entry_handle)
        return _told(self._loaded.counters.read_direct(key))

    def bm_mt_reset_counters(self, table: CountedTable) -> None:
        self._loaded.counters.reset_direct(table)

    def bm_mt_write_counter(
        self, table: CountedTable, entry_handle: I32, value: CounterValue
    ) -> None:
        key = self._loaded.tables.key(table, entry_handle)
        self._loaded.counters.write_direct(key, _data(value))


def _data(value: CounterValue) -> p4r.CounterData:
    return p4r.CounterData(packet_count=value.packets & _I64, byte_count=value.bytes & _I64)


def _told(data: p4r.CounterData) -> CounterValue:
    return CounterValue(data.byte_count, data.packet_count)
