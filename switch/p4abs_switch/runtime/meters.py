"""Meters, and the direct meters of entries. Rates are BMv2's: units per microsecond."""

from collections.abc import Sequence
from math import isfinite
from typing import TypeAlias

from p4abs_switch.errors import InputError, wrong_number
from p4abs_switch.protobuf import p4i, p4r
from p4abs_switch.runtime.cells import cell
from p4abs_switch.runtime.handles import key_only, resource_of
from p4abs_switch.runtime.switch import Switch
from p4abs_switch.runtime.tables import Tables

_US_PER_S = 1_000_000
_GREATEST = 1 << 63  # of P4Runtime's rates and bursts

Rate: TypeAlias = tuple[float, int]
"""Units per microsecond, and the burst in units."""


class WrongRate(InputError):
    """A rate that no meter can have."""


class WrongBurst(InputError):
    """A burst that no meter can have."""


def config_of(rates: Sequence[Rate]) -> p4r.MeterConfig:
    """Two rates, the lower one first. Raises InputError, WrongRate, WrongBurst."""
    if len(rates) != 2:
        raise InputError(wrong_number(len(rates), "rate", "2"))
    (committed, cburst), (peak, pburst) = rates
    cir, pir = _per_s(committed), _per_s(peak)
    if cir > pir:
        raise WrongRate(f"the first rate, {committed:g}, is above the second, {peak:g}")
    for burst in (cburst, pburst):
        if not 0 <= burst < _GREATEST:
            raise WrongBurst(f"burst {burst}; valid: 0 to {_GREATEST - 1}")
    return p4r.MeterConfig(cir=cir, cburst=cburst, pir=pir, pburst=pburst)


def rates_of(config: p4r.MeterConfig) -> list[Rate]:
    """The two rates of a config."""
    return [(config.cir / _US_PER_S, config.cburst), (config.pir / _US_PER_S, config.pburst)]


class Meters:
    """A switch's meters; those of entries by the entries' keys. A meter without a config lets
    everything pass."""

    def __init__(self, switch: Switch, tables: Tables) -> None:
        self._switch = switch
        self._tables = tables

    def read(self, meter: p4i.Meter, index: int) -> p4r.MeterConfig | None:
        """Raises UnknownCell."""
        [found] = self._switch.read(meter_entry=_entry(meter, index))
        return _config(found.meter_entry)

    def write(self, meter: p4i.Meter, index: int, config: p4r.MeterConfig) -> None:
        """Raises UnknownCell."""
        entry = _entry(meter, index)
        entry.config.CopyFrom(config)
        self._switch.modify(meter_entry=entry)

    def write_all(self, meter: p4i.Meter, config: p4r.MeterConfig) -> None:
        """Configures all cells alike."""
        every_cell = p4r.MeterEntry(meter_id=meter.preamble.id, config=config)
        self._switch.modify(meter_entry=every_cell)

    def read_direct(self, key: p4r.TableEntry) -> p4r.MeterConfig | None:
        """That of an entry which is there."""
        wanted = p4r.DirectMeterEntry(table_entry=key)
        found = self._switch.read(direct_meter_entry=wanted)
        meter = resource_of(key, [each.direct_meter_entry for each in found])
        return None if meter is None else _config(meter)

    def write_direct(self, key: p4r.TableEntry, config: p4r.MeterConfig) -> None:
        entry = p4r.DirectMeterEntry(table_entry=key, config=config)
        self._switch.modify(direct_meter_entry=entry)

    def write_all_direct(self, table: p4i.Table, config: p4r.MeterConfig) -> None:
        """Configures those of all entries alike."""
        for entry in self._tables.entries(table).values():
            self.write_direct(key_only(entry), config)


def _per_s(units_per_us: float) -> int:
    per_s = units_per_us * _US_PER_S
    if not (isfinite(per_s) and 0 <= round(per_s) < _GREATEST):
        raise WrongRate(f"rate {units_per_us:g}; valid: 0 to {_GREATEST // _US_PER_S}")
    return round(per_s)


def _config(entry: p4r.MeterEntry | p4r.DirectMeterEntry) -> p4r.MeterConfig | None:
    return entry.config if entry.HasField("config") else None


def _entry(meter: p4i.Meter, index: int) -> p4r.MeterEntry:
    return p4r.MeterEntry(meter_id=meter.preamble.id, index=cell("meter", meter, index))
