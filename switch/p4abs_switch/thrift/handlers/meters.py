"""Meters, and the direct meters of entries. Rates are in units per microsecond."""

from collections.abc import Sequence
from typing import Annotated, TypeAlias

from p4abs_switch.protobuf import p4i, p4r
from p4abs_switch.runtime.cells import UnknownCell
from p4abs_switch.runtime.meters import WrongBurst, WrongRate, config_of, rates_of
from p4abs_switch.thrift.handlers.handler import OF_ENTRIES, Meter, OfTarget, find, table_of
from p4abs_switch.thrift.protocol.service import Refusal
from p4abs_switch.thrift.protocol.shapes import I32, Meaning, Text
from p4abs_switch.thrift.refusals import Codes, MeterCode, TableCode, refusals
from p4abs_switch.thrift.structures import MeterRate
from p4abs_switch.thrift.target import Target

_OF_RATES = Codes(
    other=MeterCode.BAD_RATES_LIST,
    inputs={
        WrongRate: MeterCode.INVALID_INFO_RATE_VALUE,
        WrongBurst: MeterCode.INVALID_BURST_SIZE_VALUE,
    },
)


def _metered(target: Target, name: str) -> p4i.Table:
    table = table_of(target, name)
    if not target.loaded.names.has_meter(table):
        raise Refusal(TableCode.METERS_DISABLED, f"table {name} has no direct meter")
    return table


def _config(_target: Target, rates: Sequence[MeterRate]) -> p4r.MeterConfig:
    """Two rates, the lower one first. Raises Refusal."""
    with refusals(_OF_RATES):
        return _configured(rates)


MeteredTable: TypeAlias = Annotated[p4i.Table, Meaning(Text, _metered)]
Rates: TypeAlias = Annotated[p4r.MeterConfig, Meaning(list[MeterRate], _config)]


class Meters(OfTarget):
    """`bm_meter_...` calls."""

    codes = Codes(other=MeterCode.ERROR, inputs={UnknownCell: MeterCode.INVALID_INDEX})

    def bm_meter_array_set_rates(self, name: Text, rates: Rates) -> None:
        """An array's, or those of a table's entries."""
        meters, names = self._loaded.meters, self._loaded.names
        table = names.table_of_meter(name)
        if table is not None:
            meters.write_all_direct(table, rates)
            return
        code = MeterCode.INVALID_METER_NAME
        meters.write_all(find("meter", name, names.p4info.meters, code), rates)

    def bm_meter_set_rates(self, meter: Meter, index: I32, rates: Rates) -> None:
        self._loaded.meters.write(meter, index, rates)

    def bm_meter_get_rates(self, meter: Meter, index: I32) -> list[MeterRate]:
        return _told(self._loaded.meters.read(meter, index))


class DirectMeters(OfTarget):
    """Calls about the meters of entries."""

    codes = OF_ENTRIES

    def bm_mt_set_meter_rates(
        self, table: MeteredTable, entry_handle: I32, rates: list[MeterRate]
    ) -> None:
        key = self._loaded.tables.key(table, entry_handle)
        self._loaded.meters.write_direct(key, _configured(rates))

    def bm_mt_get_meter_rates(self, table: MeteredTable, entry_handle: I32) -> list[MeterRate]:
        key = self._loaded.tables.key(table, entry_handle)
        return _told(self._loaded.meters.read_direct(key))


def _configured(rates: Sequence[MeterRate]) -> p4r.MeterConfig:
    return config_of([(rate.units_per_micros, rate.burst_size) for rate in rates])


def _told(config: p4r.MeterConfig | None) -> list[MeterRate]:
    return [] if config is None else [MeterRate(*rate) for rate in rates_of(config)]
