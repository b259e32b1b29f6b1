"""The ports' controls as the settings ask for them, at first and when these have changed."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from p4abs.config import PortSettings, SwitchSettings, UtilizationFrom
from p4abs.control import (
    ControlledPort,
    Hold,
    MemoryPool,
    Rank,
    Sizing,
    SwitchControl,
    shares,
)
from p4abs.policies import Policy

# The longest pause of the sources that a policy gets to see, where two intervals are not longer.
LONGEST_INTERVAL_S = 1.0


@dataclass(frozen=True, slots=True)
class AroundLimit:
    """A `Sizing` of a port whose limit stays what it is: its policy decides beside it."""

    port: PortSettings
    limit_bytes: int

    def make_policy(self, capacity_bps: int) -> Policy[Any]:
        """See `Sizing`."""
        limit_bytes = self.port.first_limit(self.limit_bytes, capacity_bps)
        return self.port.make_policy_around(limit_bytes, capacity_bps)

    def first_limit(self, limit_bytes: int, capacity_bps: int) -> int:
        """See `Sizing`."""
        return self.limit_bytes


def make_port(
    port: PortSettings,
    limit_bytes: int,
    interval_s: float,
    capacity_bps: int | None = None,
    hold: Hold | None = None,
) -> ControlledPort:
    """A port that starts at this limit, with a policy for a capacity that is declared or given."""
    capacity_bps = port.capacity or capacity_bps
    sizing: Sizing = port
    if hold is not None:
        limit_bytes = limit_bytes or port.first_limit(0, capacity_bps)
        sizing = AroundLimit(port, limit_bytes)
    return ControlledPort(
        port.number,
        port.capacity,
        None if capacity_bps is None else sizing.make_policy(capacity_bps),
        limit_bytes,
        max(LONGEST_INTERVAL_S, 2 * interval_s),
        sizing=sizing if port.capacity is None else None,
        measures_idle=port.utilization_from is UtilizationFrom.IDLE,
        rank=Rank(port.priority, None if hold else port.least_limit_to_yield),
        mtu_bytes=port.mtu,
        hold=hold,
    )


def hold_of(port: PortSettings, released: Mapping[int, int]) -> Hold | None:
    """Why a port's limit stays what it is; `released` are limits in bytes to hold, by port."""
    if port.is_observed:
        return Hold()
    return Hold(released[port.number]) if port.number in released else None


def share_out(
    pool: MemoryPool,
    settings: SwitchSettings,
    wanted: Mapping[int, int],
    ranks: Mapping[int, int] | None = None,
) -> dict[int, int]:
    """Limits in bytes by port, within the memory; ports of a higher rank get theirs first.

    Without any limit, 0, a queue might take all of the memory: such a port is given one, last.
    """
    ranks = ranks or dict.fromkeys(wanted, 0)
    least = min(ranks.values())
    return shares(
        pool,
        {number: limit_bytes or pool.size_bytes or 0 for number, limit_bytes in wanted.items()},
        {port.number: port.min_limit for port in settings.port},
        {number: ranks[number] if limit_bytes else least for number, limit_bytes in wanted.items()},
    )


def priorities(settings: SwitchSettings) -> dict[int, int]:
    """By port: the ranks of what policies ask for."""
    return {port.number: port.priority for port in settings.port}


def adopt(
    control: SwitchControl,
    before: SwitchSettings,
    after: SwitchSettings,
    pool: MemoryPool,
    released: Mapping[int, int] = {},
) -> None:
    """Brings the limits within the bounds and the memory of `after`.

    A port that is to be sized otherwise, or whose limit has to move, begins anew at its limit.
    `released` as in hold_of().
    """
    old = {port.number: port for port in before.port}
    known = capacities(control, after)
    limits = _brought_within(control, control.limits(), known, after, pool)
    in_force, begun = control.limits(), []
    for port in after.port:
        limit_bytes, capacity_bps = limits[port.number], known[port.number]
        if port.is_sized_like(old[port.number]) and limit_bytes == in_force[port.number]:
            continue
        hold = hold_of(port, released)
        begun.append(make_port(port, limit_bytes, after.interval, capacity_bps, hold))
    control.adopt(begun)
    control.prioritize(priorities(after))


def inherit(
    limits: Mapping[int, int],
    control: SwitchControl,
    settings: SwitchSettings,
    pool: MemoryPool,
) -> None:
    """Goes on from the limits that another controller has left; 0: it has left none.

    Ports that have their limit already go on as they are.
    """
    in_force = control.limits()
    known = {number: limits[number] or own for number, own in in_force.items()}
    shared = _brought_within(control, known, capacities(control, settings), settings, pool)
    control.begin_at({port: limit for port, limit in shared.items() if limit != in_force[port]})


def capacities(control: SwitchControl, settings: SwitchSettings) -> dict[int, int | None]:
    """In bit/s, by port, as declared or else as measured; None: not known. Bounds are by these."""
    known = control.capacities()
    return {port.number: port.capacity or known[port.number] for port in settings.port}


def _brought_within(
    control: SwitchControl,
    limits: Mapping[int, int],
    capacities: Mapping[int, int | None],
    settings: SwitchSettings,
    pool: MemoryPool,
) -> dict[int, int]:
    """The limits, within the ports' bounds and the memory."""
    wanted = {
        port.number: control.limit_in_force(port.number) or 0
        if port.is_observed
        else port.brought_within(limits[port.number], capacities[port.number])
        for port in settings.port
    }
    return share_out(pool, settings, wanted, priorities(settings))
