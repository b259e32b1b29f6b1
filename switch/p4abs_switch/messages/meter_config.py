"""Meter configurations in messages (P4Runtime 1.5, section 9.4)."""

from finsy.proto import p4r

from p4abs_switch._engine import MeterConfig
from p4abs_switch.program.objects import Meter
from p4abs_switch.status import engine_errors, invalid


def config(meter: Meter, message: p4r.MeterConfig) -> MeterConfig:
    """The engine's configuration. Raises RequestError INVALID_ARGUMENT."""
    what = f"meter {meter.name}"
    values = (message.cir, message.cburst, message.pir, message.pburst, message.eburst)
    if min(values) < 0:
        raise invalid(f"{what}: rates and bursts cannot be negative")
    if message.eburst and not meter.has_excess:
        raise invalid(f"{what} is no single-rate three-color meter; it takes no eburst")
    if meter.is_single_rate and (message.cir, message.cburst) != (message.pir, message.pburst):
        raise invalid(f"{what} has a single rate: pir and pburst must equal cir and cburst")
    with engine_errors():
        return MeterConfig(*values)


def message(configured: MeterConfig) -> p4r.MeterConfig:
    """The message of a configuration."""
    return p4r.MeterConfig(
        cir=configured.cir,
        cburst=configured.cburst,
        pir=configured.pir,
        pburst=configured.pburst,
        eburst=configured.eburst,
    )
