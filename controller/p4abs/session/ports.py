"""The ports' controls as the settings ask for them, at first and when these have changed."""

from collections.abc import Mapping

from p4abs.config import PortSettings, SwitchSettings, UtilizationFrom
from p4abs.control import AdjustablePort, MemoryPool

# The longest pause of the sources that a policy gets to see, where two intervals are not longer.
LONGEST_INTERVAL_S = 1.0


def make_port(port: PortSettings, limit_bytes: int, interval_s: float) -> AdjustablePort:
    """The control of a port that starts at this limit."""
    return AdjustablePort(
        port.number,
        port.capacity,
        None if port.capacity is None else port.make_policy(port.capacity),
        limit_bytes,
        max(LONGEST_INTERVAL_S, 2 * interval_s),
        sizing=port if port.capacity is None else None,
        measures_idle=port.utilization_from is UtilizationFrom.IDLE,
    )


def adopt(
    controls: Mapping[int, AdjustablePort],
    before: SwitchSettings,
    after: SwitchSettings,
    pool: MemoryPool,
) -> None:
    """Brings the limits within the bounds and the memory of `after`.

    A port that is to be sized otherwise, or whose limit has to move, begins anew at its limit.
    """
    capacities = {
        port.number: port.capacity or controls[port.number].measured_capacity_bps
        for port in after.port
    }
    limits = pool.shares(
        {
            port.number: port.bounded(controls[port.number].limit_bytes, capacities[port.number])
            for port in after.port
        },
        {port.number: port.min_limit for port in after.port},
    )
    old = {port.number: port for port in before.port}
    for port in after.port:
        control, limit_bytes = controls[port.number], limits[port.number]
        if port.is_sized_like(old[port.number]) and limit_bytes == control.limit_bytes:
            continue
        capacity_bps = capacities[port.number]
        control.adopt(
            None if capacity_bps is None else port.make_policy(capacity_bps),
            limit_bytes,
            port if port.capacity is None else None,
        )
