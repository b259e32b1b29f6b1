"""Meters, and the direct meters of tables. Rates are BMv2's: units per microsecond."""

from collections.abc import Sequence

from p4abs_switch.console.commands.arguments import Index
from p4abs_switch.console.commands.group import Group
from p4abs_switch.console.values import GREATEST_COUNT, whole
from p4abs_switch.errors import InputError, wrong_number
from p4abs_switch.protobuf import p4r
from p4abs_switch.runtime.meters import Rate, config_of, rates_of

_RATES = "<rate>:<burst> <rate>:<burst>, the lower one first, in units per microsecond and units"


class MeterCommands(Group):
    """`meter_set_rates` and its kin; a direct meter's index is its entry's handle."""

    def do_meter_set_rates(self, meter: str, index: str, *rates: str) -> None:
        """Set a meter's rates: meter_set_rates <meter> <index> <rate>:<burst> <rate>:<burst>"""
        config, number = _config(rates), whole(index, "the index")
        table = self.names.table_of_meter(meter)
        if table is None:
            self.objects.meters.write(self.names.meter(meter), number, config)
        else:
            self.objects.meters.write_direct(self.key(table, number), config)

    def do_meter_array_set_rates(self, meter: str, *rates: str) -> None:
        """Set all cells' rates: meter_array_set_rates <meter> <rate>:<burst> <rate>:<burst>"""
        config, table = _config(rates), self.names.table_of_meter(meter)
        if table is None:
            self.objects.meters.write_all(self.names.meter(meter), config)
        else:
            self.objects.meters.write_all_direct(table, config)

    def do_meter_get_rates(self, meter: str, index: Index) -> None:
        """Read a meter's rates: meter_get_rates <meter> <index>"""
        table = self.names.table_of_meter(meter)
        if table is None:
            config = self.objects.meters.read(self.names.meter(meter), index)
        else:
            config = self.objects.meters.read_direct(self.key(table, index))
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
        per_us = float(rate if rate.isascii() and "_" not in rate else "")
    except (ValueError, OverflowError):
        raise InputError(f"rate {text!r}; valid: {_RATES}") from None
    return per_us, whole(burst, f"the burst of {text}", GREATEST_COUNT)
