"""Meters, and the direct meters of tables. Rates are BMv2's: units per microsecond."""

from collections.abc import Sequence

from p4abs_switch.bmv2.errors import InputError
from p4abs_switch.console.commands.group import Group
from p4abs_switch.console.session import Session
from p4abs_switch.console.values import GREATEST_COUNT, whole, words
from p4abs_switch.errors import wrong_number
from p4abs_switch.protobuf import p4r
from p4abs_switch.runtime.meters import Meters, Rate, config_of, rates_of
from p4abs_switch.runtime.tables import Tables

_RATES = "<rate>:<burst> <rate>:<burst>, the lower one first, in units per microsecond and units"


class MeterCommands(Group):
    """`meter_set_rates` and its kin; a direct meter's index is its entry's handle."""

    def __init__(self, session: Session, tables: Tables) -> None:
        super().__init__(session, tables)
        self._meters = Meters(session, tables)

    def do_meter_set_rates(self, line: str) -> None:
        """Set a meter's rates: meter_set_rates <meter> <index> <rate>:<burst> <rate>:<burst>"""
        name, index, *rates = words(line, "meter index", more=True)
        config, number = _config(rates), whole(index, "the index")
        table = self.names.table_of_meter(name)
        if table is None:
            self._meters.write(self.names.meter(name), number, config)
        else:
            self._meters.write_direct(self.key(table, number), config)

    def do_meter_array_set_rates(self, line: str) -> None:
        """Set all cells' rates: meter_array_set_rates <meter> <rate>:<burst> <rate>:<burst>"""
        name, *rates = words(line, "meter", more=True)
        config, table = _config(rates), self.names.table_of_meter(name)
        if table is None:
            self._meters.write_all(self.names.meter(name), config)
        else:
            self._meters.write_all_direct(table, config)

    def do_meter_get_rates(self, line: str) -> None:
        """Read a meter's rates: meter_get_rates <meter> <index>"""
        name, index = words(line, "meter index")
        number = whole(index, "the index")
        table = self.names.table_of_meter(name)
        if table is None:
            config = self._meters.read(self.names.meter(name), number)
        else:
            config = self._meters.read_direct(self.key(table, number))
        for place, (rate, burst) in enumerate(rates_of(config or p4r.MeterConfig())):
            self.say(f"{place}: info rate = {rate}, burst size = {burst}")


def _config(texts: Sequence[str]) -> p4r.MeterConfig:
    """Two rates with their bursts. Raises InputError."""
    if len(texts) != 2:
        raise InputError(wrong_number(len(texts), "rate", _RATES))
    return config_of([_rate(text) for text in texts])


def _rate(text: str) -> Rate:
    rate, _, burst = text.partition(":")
    try:
        per_us = float(rate)
    except (ValueError, OverflowError):
        raise InputError(f"rate {text!r}; valid: {_RATES}") from None
    return per_us, whole(burst, f"the burst of {text}", GREATEST_COUNT)
