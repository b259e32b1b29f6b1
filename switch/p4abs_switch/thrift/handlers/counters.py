"""Counters, and the direct counters of entries."""

from p4abs_switch.protobuf import p4i, p4r
from p4abs_switch.runtime.cells import UnknownCell
from p4abs_switch.thrift.handlers.entries import key_of
from p4abs_switch.thrift.protocol.service import Refusal
from p4abs_switch.thrift.protocol.shapes import I32, Text
from p4abs_switch.thrift.refusals import CounterCode, Inputs, TableCode, refusals
from p4abs_switch.thrift.structures import CounterValue
from p4abs_switch.thrift.target import Target, find

_I64 = (1 << 63) - 1
_INPUTS: Inputs = {UnknownCell: CounterCode.INVALID_INDEX}


class Counters:
    """`bm_counter_...` calls, and those about the counters of entries."""

    def __init__(self, target: Target) -> None:
        self._target = target

    def bm_mt_read_counter(self, cxt_id: I32, table_name: Text, entry_handle: I32) -> CounterValue:
        key = key_of(self._target, self._counted(table_name), entry_handle)
        with refusals(TableCode.ERROR, missing=TableCode.INVALID_HANDLE):
            return _told(self._target.loaded.counters.read_direct(key))

    def bm_mt_reset_counters(self, cxt_id: I32, table_name: Text) -> None:
        table = self._counted(table_name)
        with refusals(TableCode.ERROR):
            self._target.loaded.counters.reset_direct(table)

    def bm_mt_write_counter(
        self, cxt_id: I32, table_name: Text, entry_handle: I32, value: CounterValue
    ) -> None:
        key = key_of(self._target, self._counted(table_name), entry_handle)
        with refusals(TableCode.ERROR, missing=TableCode.INVALID_HANDLE):
            self._target.loaded.counters.write_direct(key, _data(value))

    def bm_counter_read(self, cxt_id: I32, counter_name: Text, index: I32) -> CounterValue:
        counter = self._array(counter_name)
        with refusals(CounterCode.ERROR, inputs=_INPUTS):
            return _told(self._target.loaded.counters.read(counter, index))

    def bm_counter_reset_all(self, cxt_id: I32, counter_name: Text) -> None:
        counter = self._array(counter_name)
        with refusals(CounterCode.ERROR):
            self._target.loaded.counters.reset(counter)

    def bm_counter_write(
        self, cxt_id: I32, counter_name: Text, index: I32, value: CounterValue
    ) -> None:
        counter = self._array(counter_name)
        with refusals(CounterCode.ERROR, inputs=_INPUTS):
            self._target.loaded.counters.write(counter, index, _data(value))

    def _array(self, name: str) -> p4i.Counter:
        counters = self._target.loaded.names.p4info.counters
        return find("counter", name, counters, CounterCode.INVALID_COUNTER_NAME)

    def _counted(self, name: str) -> p4i.Table:
        table = self._target.table(name)
        if not self._target.loaded.names.has_counter(table):
            raise Refusal(TableCode.COUNTERS_DISABLED, f"table {name} has no direct counter")
        return table


def _data(value: CounterValue) -> p4r.CounterData:
    return p4r.CounterData(packet_count=value.packets & _I64, byte_count=value.bytes & _I64)


def _told(data: p4r.CounterData) -> CounterValue:
    return CounterValue(data.byte_count, data.packet_count)
