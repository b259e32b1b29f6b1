"""Meters, and the direct meters of entries. Rates are in units per microsecond."""

from collections.abc import Sequence
from math import isfinite

from p4abs_switch._engine import MeterConfig
from p4abs_switch.bmv2.names import Array, Table
from p4abs_switch.thrift.protocol.service import Refusal
from p4abs_switch.thrift.protocol.shapes import I32, Text
from p4abs_switch.thrift.refusals import MeterCode, TableCode, engine_refusals
from p4abs_switch.thrift.structures import MeterRate
from p4abs_switch.thrift.target import Target, cell, find

_US_PER_S = 1_000_000
_GREATEST_RATE = float(1 << 62)  # per second


class Meters:
    """`bm_meter_...` calls, and those about the meters of entries."""

    def __init__(self, target: Target) -> None:
        self._target = target

    def bm_mt_set_meter_rates(
        self, cxt_id: I32, table_name: Text, entry_handle: I32, rates: list[MeterRate]
    ) -> None:
        table = self._metered(table_name)
        key, priority = self._target.handles(table).place(entry_handle)
        try:
            config = _config(rates)
        except Refusal as refusal:
            raise Refusal(TableCode.ERROR, str(refusal)) from None
        with engine_refusals(TableCode.ERROR, missing=TableCode.INVALID_HANDLE):
            self._target.engine.table_meter_write(table.name, key, config, priority)

    def bm_mt_get_meter_rates(
        self, cxt_id: I32, table_name: Text, entry_handle: I32
    ) -> list[MeterRate]:
        table = self._metered(table_name)
        place = self._target.handles(table).place(entry_handle)
        with engine_refusals(TableCode.ERROR, missing=TableCode.INVALID_HANDLE):
            return _rates(self._target.engine.table_meter_read(table.name, *place))

    def bm_meter_array_set_rates(
        self, cxt_id: I32, meter_array_name: Text, rates: list[MeterRate]
    ) -> None:
        config, engine = _config(rates), self._target.engine
        for direct in self._target.names.direct_meters:
            if direct.name == meter_array_name:
                for key, priority in self._target.entries(self._target.table(direct.table)):
                    engine.table_meter_write(direct.table, key, config, priority)
                return
        array = self._array(meter_array_name)
        for index in range(array.size):
            engine.meter_write(array.name, index, config)

    def bm_meter_set_rates(
        self, cxt_id: I32, meter_array_name: Text, index: I32, rates: list[MeterRate]
    ) -> None:
        place = cell(self._array(meter_array_name), index, MeterCode.INVALID_INDEX)
        self._target.engine.meter_write(*place, _config(rates))

    def bm_meter_get_rates(
        self, cxt_id: I32, meter_array_name: Text, index: I32
    ) -> list[MeterRate]:
        place = cell(self._array(meter_array_name), index, MeterCode.INVALID_INDEX)
        return _rates(self._target.engine.meter_read(*place))

    def _array(self, name: str) -> Array:
        return find("meter", name, self._target.names.meters, MeterCode.INVALID_METER_NAME)

    def _metered(self, name: str) -> Table:
        table = self._target.table(name)
        if not table.has_meter:
            raise Refusal(TableCode.METERS_DISABLED, f"table {name} has no direct meter")
        return table


def _config(rates: Sequence[MeterRate]) -> MeterConfig:
    """Two rates, the lower one first. Raises Refusal."""
    if len(rates) != 2:
        raise Refusal(MeterCode.BAD_RATES_LIST, f"{len(rates)} rates; valid: 2")
    committed, peak = (_per_s(rate.units_per_micros) for rate in rates)
    if committed > peak:
        reason = "the first rate is above the second"
        raise Refusal(MeterCode.INVALID_INFO_RATE_VALUE, reason)
    bursts = [rate.burst_size for rate in rates]
    if min(bursts) < 0:
        raise Refusal(MeterCode.INVALID_BURST_SIZE_VALUE, f"bursts {bursts}; valid: from 0")
    with engine_refusals(MeterCode.INVALID_BURST_SIZE_VALUE):
        return MeterConfig(committed, bursts[0], peak, bursts[1])


def _per_s(units_per_us: float) -> int:
    per_s = units_per_us * _US_PER_S
    if not (isfinite(per_s) and 0 <= per_s <= _GREATEST_RATE):
        raise Refusal(MeterCode.INVALID_INFO_RATE_VALUE, f"rate {units_per_us}; valid: from 0")
    return round(per_s)


def _rates(config: MeterConfig | None) -> list[MeterRate]:
    if config is None:
        return []
    return [
        MeterRate(config.cir / _US_PER_S, config.cburst),
        MeterRate(config.pir / _US_PER_S, config.pburst),
    ]
