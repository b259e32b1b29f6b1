"""Meters, and the direct meters of tables. Rates are BMv2's: units per microsecond."""

from collections.abc import Sequence

from finsy.proto import p4i, p4r

from p4abs_switch.console.commands.group import Group
from p4abs_switch.console.error import CommandError
from p4abs_switch.console.handles import key_only
from p4abs_switch.console.names import find, listed
from p4abs_switch.console.values import GREATEST_COUNT, whole, words

_US_PER_S = 1_000_000
_RATES = "<rate>:<burst> <rate>:<burst>, the lower one first, in units per microsecond and units"


class MeterCommands(Group):
    """`meter_set_rates` and its kin; a direct meter's index is its entry's handle."""

    def do_meter_set_rates(self, line: str) -> None:
        """Set a meter's rates: meter_set_rates <meter> <index> <rate>:<burst> <rate>:<burst>"""
        name, index, *rates = words(line, "meter index", more=True)
        config, number = _config(rates), whole(index, "the index")
        table = self._table_of(name)
        if table is None:
            self.session.modify(meter_entry=self._cell(name, number, config))
        else:
            direct = p4r.DirectMeterEntry(table_entry=self._key(table, number), config=config)
            self.session.modify(direct_meter_entry=direct)

    def do_meter_array_set_rates(self, line: str) -> None:
        """Set all cells' rates: meter_array_set_rates <meter> <rate>:<burst> <rate>:<burst>"""
        name, *rates = words(line, "meter", more=True)
        config, table = _config(rates), self._table_of(name)
        if table is None:
            entry = p4r.MeterEntry(meter_id=self._meter(name).preamble.id, config=config)
            self.session.modify(meter_entry=entry)
            return
        for each in self.handles.entries(table).values():
            direct = p4r.DirectMeterEntry(table_entry=key_only(each), config=config)
            self.session.modify(direct_meter_entry=direct)

    def do_meter_get_rates(self, line: str) -> None:
        """Read a meter's rates: meter_get_rates <meter> <index>"""
        name, index = words(line, "meter index")
        number = whole(index, "the index")
        table = self._table_of(name)
        if table is None:
            found = self.session.read(meter_entry=self._cell(name, number, None))
            configs = [each.meter_entry.config for each in found]
        else:
            direct = p4r.DirectMeterEntry(table_entry=self._key(table, number))
            found = self.session.read(direct_meter_entry=direct)
            configs = [each.direct_meter_entry.config for each in found]
        for config in configs:
            for place, (rate, burst) in enumerate(
                ((config.cir, config.cburst), (config.pir, config.pburst))
            ):
                self.say(f"{place}: info rate = {rate / _US_PER_S}, burst size = {burst}")

    def _meter(self, name: str) -> p4i.Meter:
        try:
            return find("meter", name, self.names.p4info.meters)
        except CommandError as error:
            raise CommandError(
                f"{error}; direct: {listed(self.names.p4info.direct_meters)}"
            ) from None

    def _cell(self, name: str, index: int, config: p4r.MeterConfig | None) -> p4r.MeterEntry:
        meter = self._meter(name)
        if index >= meter.size:
            raise CommandError(
                f"meter {meter.preamble.name} has no cell {index}; valid: 0 to {meter.size - 1}"
            )
        cell = p4r.Index(index=index)
        return p4r.MeterEntry(meter_id=meter.preamble.id, index=cell, config=config)

    def _table_of(self, name: str) -> p4i.Table | None:
        """The table of a direct meter."""
        try:
            direct = find("direct meter", name, self.names.p4info.direct_meters)
        except CommandError:
            return None
        return self.names.table_of_id(direct.direct_table_id)

    def _key(self, table: p4i.Table, handle: int) -> p4r.TableEntry:
        return key_only(self.handles.find(table, handle))


def _config(texts: Sequence[str]) -> p4r.MeterConfig:
    """Two rates with their bursts. Raises CommandError."""
    if len(texts) != 2:
        raise CommandError(f"{len(texts)} rates; valid: {_RATES}")
    (cir, cburst), (pir, pburst) = (_rate(text) for text in texts)
    return p4r.MeterConfig(cir=cir, cburst=cburst, pir=pir, pburst=pburst)


def _rate(text: str) -> tuple[int, int]:
    """Units per second and units."""
    rate, _, burst = text.partition(":")
    try:
        per_s = round(float(rate) * _US_PER_S)
    except (ValueError, OverflowError):
        per_s = -1
    if not 0 <= per_s < 1 << 63:
        raise CommandError(f"rate {text!r}; valid: {_RATES}")
    return per_s, whole(burst, f"the burst of {text}", GREATEST_COUNT)
