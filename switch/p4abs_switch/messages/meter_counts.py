"""What meters have counted by color, in messages (P4Runtime 1.5, section 9.4.3)."""

from finsy.proto import p4r

from p4abs_switch.engine_types import ColorCounts
from p4abs_switch.messages import counter_data
from p4abs_switch.status import invalid


def check_reset(what: str, data: p4r.MeterCounterData) -> None:
    """Raises RequestError INVALID_ARGUMENT, naming `what`, for counts other than 0.

    Controllers may reset counts, not set them (section 9.1.7); rollbacks and reconciliations
    restore them.
    """
    if any(packets or size_bytes for packets, size_bytes in counts(what, data)):
        raise invalid(f"{what}: counts by color can only be reset to 0")


def counts(what: str, data: p4r.MeterCounterData) -> ColorCounts:
    """The engine's counts. Raises RequestError INVALID_ARGUMENT for a negative number."""
    green, yellow, red = (
        counter_data.counts(what, color) for color in (data.green, data.yellow, data.red)
    )
    return green, yellow, red


def message(counted: ColorCounts) -> p4r.MeterCounterData:
    """The message of what the engine reports."""
    green, yellow, red = (counter_data.data(*color) for color in counted)
    return p4r.MeterCounterData(green=green, yellow=yellow, red=red)
