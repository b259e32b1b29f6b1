"""Counters, and the direct counters of entries."""

from p4abs_switch.bmv2.names import Array, Table
from p4abs_switch.thrift.protocol.service import Refusal
from p4abs_switch.thrift.protocol.shapes import I32, Text
from p4abs_switch.thrift.refusals import CounterCode, TableCode, engine_refusals
from p4abs_switch.thrift.structures import CounterValue
from p4abs_switch.thrift.target import Target, cell, find

_U64 = (1 << 64) - 1


class Counters:
    """`bm_counter_...` calls, and those about the counters of entries."""

    def __init__(self, target: Target) -> None:
        self._target = target

    def bm_mt_read_counter(self, cxt_id: I32, table_name: Text, entry_handle: I32) -> CounterValue:
        table = self._counted(table_name)
        place = self._target.handles(table).place(entry_handle)
        with engine_refusals(TableCode.ERROR, missing=TableCode.INVALID_HANDLE):
            entry = self._target.engine.table_entry(table.name, *place)
        return CounterValue(entry.bytes, entry.packets)

    def bm_mt_reset_counters(self, cxt_id: I32, table_name: Text) -> None:
        table = self._counted(table_name)
        with engine_refusals(TableCode.ERROR):
            for key, priority in self._target.entries(table):
                self._target.engine.table_set_counter(table.name, key, 0, 0, priority)

    def bm_mt_write_counter(
        self, cxt_id: I32, table_name: Text, entry_handle: I32, value: CounterValue
    ) -> None:
        table = self._counted(table_name)
        key, priority = self._target.handles(table).place(entry_handle)
        counts = value.packets & _U64, value.bytes & _U64
        with engine_refusals(TableCode.ERROR, missing=TableCode.INVALID_HANDLE):
            self._target.engine.table_set_counter(table.name, key, *counts, priority)

    def bm_counter_read(self, cxt_id: I32, counter_name: Text, index: I32) -> CounterValue:
        place = cell(self._array(counter_name), index, CounterCode.INVALID_INDEX)
        packets, size = self._target.engine.counter_read(*place)
        return CounterValue(size, packets)

    def bm_counter_reset_all(self, cxt_id: I32, counter_name: Text) -> None:
        array = self._array(counter_name)
        for index in range(array.size):
            self._target.engine.counter_write(array.name, index, 0, 0)

    def bm_counter_write(
        self, cxt_id: I32, counter_name: Text, index: I32, value: CounterValue
    ) -> None:
        name, index = cell(self._array(counter_name), index, CounterCode.INVALID_INDEX)
        with engine_refusals(CounterCode.ERROR):
            self._target.engine.counter_write(name, index, value.packets & _U64, value.bytes & _U64)

    def _array(self, name: str) -> Array:
        counters = self._target.names.counters
        return find("counter", name, counters, CounterCode.INVALID_COUNTER_NAME)

    def _counted(self, name: str) -> Table:
        table = self._target.table(name)
        if not table.has_counter:
            raise Refusal(TableCode.COUNTERS_DISABLED, f"table {name} has no direct counter")
        return table
