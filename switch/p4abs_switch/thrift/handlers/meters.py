"""Meters, and the direct meters of entries. Rates are in units per microsecond."""

from collections.abc import Sequence

from p4abs_switch.protobuf import p4i, p4r
from p4abs_switch.runtime.cells import UnknownCell
from p4abs_switch.runtime.meters import WrongBurst, WrongRate, config_of, rates_of
from p4abs_switch.thrift.handlers.entries import key_of
from p4abs_switch.thrift.protocol.service import Refusal
from p4abs_switch.thrift.protocol.shapes import I32, Text
from p4abs_switch.thrift.refusals import Inputs, MeterCode, TableCode, refusals
from p4abs_switch.thrift.structures import MeterRate
from p4abs_switch.thrift.target import Target, find

_INPUTS: Inputs = {UnknownCell: MeterCode.INVALID_INDEX}
_RATES: Inputs = {
    WrongRate: MeterCode.INVALID_INFO_RATE_VALUE,
    WrongBurst: MeterCode.INVALID_BURST_SIZE_VALUE,
}


class Meters:
    """`bm_meter_...` calls, and those about the meters of entries."""

    def __init__(self, target: Target) -> None:
        self._target = target

    def bm_mt_set_meter_rates(
        self, cxt_id: I32, table_name: Text, entry_handle: I32, rates: list[MeterRate]
    ) -> None:
        key = key_of(self._target, self._metered(table_name), entry_handle)
        with refusals(TableCode.ERROR, missing=TableCode.INVALID_HANDLE):
            self._target.loaded.meters.write_direct(key, config_of(_given(rates)))

    def bm_mt_get_meter_rates(
        self, cxt_id: I32, table_name: Text, entry_handle: I32
    ) -> list[MeterRate]:
        key = key_of(self._target, self._metered(table_name), entry_handle)
        with refusals(TableCode.ERROR, missing=TableCode.INVALID_HANDLE):
            return _told(self._target.loaded.meters.read_direct(key))

    def bm_meter_array_set_rates(
        self, cxt_id: I32, meter_array_name: Text, rates: list[MeterRate]
    ) -> None:
        config, loaded = _config(rates), self._target.loaded
        table = loaded.names.table_of_meter(meter_array_name)
        if table is None:
            loaded.meters.write_all(self._array(meter_array_name), config)
        else:
            loaded.meters.write_all_direct(table, config)

    def bm_meter_set_rates(
        self, cxt_id: I32, meter_array_name: Text, index: I32, rates: list[MeterRate]
    ) -> None:
        meter, config = self._array(meter_array_name), _config(rates)
        with refusals(MeterCode.ERROR, inputs=_INPUTS):
            self._target.loaded.meters.write(meter, index, config)

    def bm_meter_get_rates(
        self, cxt_id: I32, meter_array_name: Text, index: I32
    ) -> list[MeterRate]:
        meter = self._array(meter_array_name)
        with refusals(MeterCode.ERROR, inputs=_INPUTS):
            return _told(self._target.loaded.meters.read(meter, index))

    def _array(self, name: str) -> p4i.Meter:
        meters = self._target.loaded.names.p4info.meters
        return find("meter", name, meters, MeterCode.INVALID_METER_NAME)

    def _metered(self, name: str) -> p4i.Table:
        table = self._target.table(name)
        if not self._target.loaded.names.has_meter(table):
            raise Refusal(TableCode.METERS_DISABLED, f"table {name} has no direct meter")
        return table


def _config(rates: Sequence[MeterRate]) -> p4r.MeterConfig:
    """Two rates, the lower one first. Raises Refusal."""
    with refusals(MeterCode.BAD_RATES_LIST, inputs=_RATES):
        return config_of(_given(rates))


def _given(rates: Sequence[MeterRate]) -> list[tuple[float, int]]:
    return [(rate.units_per_micros, rate.burst_size) for rate in rates]


def _told(config: p4r.MeterConfig | None) -> list[MeterRate]:
    return [] if config is None else [MeterRate(*rate) for rate in rates_of(config)]
