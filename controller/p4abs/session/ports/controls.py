"""The ports' controls as the settings ask for them, at first and when these have changed."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from p4abs.config import PortSettings, SwitchSettings, UtilizationFrom
from p4abs.control import (
    ControlledPort,
    Hold,
    MemoryPool,
    Rank,
    Sizing,
    SwitchControl,
    filled,
)
from p4abs.measurements import Snapshot
from p4abs.policies import Policy
from p4abs.session.ports.limits import PortLimits

# The longest pause of the sources that a policy gets to see, where two intervals are not longer.
LONGEST_INTERVAL_S = 1.0


@dataclass(frozen=True, slots=True)
class AroundLimit:
    """A `Sizing` of a port whose limit is fixed; the policy decides, but its decisions are not
    written."""

    port: PortSettings
    limit_bytes: int

    def make_policy(self, capacity_bps: int) -> Policy[Any]:
        limits = PortLimits(self.port)
        first_bytes = self.limit_bytes or limits.first_limit(0, capacity_bps)
        return self.port.make_policy_near(limits.bounded(first_bytes, capacity_bps), capacity_bps)

    def first_limit(self, limit_bytes: int, capacity_bps: int) -> int:
        return self.limit_bytes


def make_port(
    port: PortSettings,
    limit_bytes: int,
    interval_s: float,
    capacity_bps: int | None = None,
    hold: Hold | None = None,
) -> ControlledPort:
    """A port that starts at this limit, with a policy for a capacity that is declared or given."""
    capacity_bps = port.given_capacity or capacity_bps or port.capacity
    limits = PortLimits(port)
    sizing: Sizing = limits
    if hold is not None:
        limit_bytes = limit_bytes or limits.first_limit(0, capacity_bps)
        sizing = AroundLimit(port, limit_bytes)
    return ControlledPort(
        port.index,
        port.capacity,
        None if capacity_bps is None else sizing.make_policy(capacity_bps),
        limit_bytes,
        max(LONGEST_INTERVAL_S, 2 * interval_s),
        sizing=sizing if port.given_capacity is None else None,
        measures_idle=port.utilization_from is UtilizationFrom.IDLE,
        rank=rank_of(port, hold),
        mtu_bytes=port.mtu,
        hold=hold,
        shares_link=port.queue is not None,
    )


def hold_of(port: PortSettings, released: Mapping[int, int]) -> Hold | None:
    """Why a port's limit stays what it is; `released` are limits in bytes to hold, by port."""
    if port.is_observed:
        return Hold()
    return Hold(released[port.index]) if port.index in released else None


def rank_of(port: PortSettings, hold: Hold | None) -> Rank:
    """The port's rank among those that share memory."""
    return Rank(port.priority, port.min_limit, port.lends_nothing or hold is not None)


def shared_out(
    settings: SwitchSettings, wanted: Mapping[int, int], ranks: Mapping[int, int]
) -> dict[int, int]:
    """Limits in bytes by port, within the memory.

    Ports of a higher rank get theirs first. A queue without a limit (0) could take all of the
    memory, so such a port gets a limit, last.
    """
    size_bytes, numbers = settings.memory_of_limits, [port.index for port in settings.port]
    if size_bytes is None:
        return {number: wanted[number] for number in numbers}
    lowest = min(ranks.values())
    limit_bytes = filled(
        size_bytes,
        np.array([wanted[number] or size_bytes for number in numbers], np.int64),
        np.array([port.kept_of_memory for port in settings.port], np.int64),
        np.array([ranks[number] if wanted[number] else lowest for number in numbers]),
    )
    return dict(zip(numbers, limit_bytes.tolist(), strict=True))


def adopt(
    control: SwitchControl,
    before: SwitchSettings,
    after: SwitchSettings,
    pool: MemoryPool,
    released: Mapping[int, int] = {},
    coming: Collection[int] = (),
) -> None:
    """Brings the limits within the bounds and the memory of `after`.

    A port that is to be sized otherwise, or whose limit has to move, begins anew at its limit; one
    that was only observed, at the limit in force. A static one that has another initial-limit
    begins anew at that.
    `released` as in hold_of(). Ports that are `coming` are left alone.
    """
    old = {port.index: port for port in before.port}
    known = capacities(control, after)
    moved = []
    staying = [port for port in after.port if port.index not in coming]
    for port in staying:
        capacity_bps = known[port.index]
        hold, was_observed = hold_of(port, released), old[port.index].is_observed
        # What was decided beside an observed port was never in force.
        has_decided = hold is None and not was_observed
        own_bytes = (control.own_limits() if has_decided else control.limits())[port.index]
        limit_bytes = PortLimits(port).brought_within(own_bytes, capacity_bps)
        if was_observed and not limit_bytes:
            limit_bytes = PortLimits(port).first_limit(0, capacity_bps)
        if hold is None and port.sets_limit(old[port.index]):
            limit_bytes = PortLimits(port).first_limit(0, capacity_bps)
        elif port.is_observed:
            limit_bytes = control.limit_in_force(port.index) or 0
        elif hold is not None:
            limit_bytes = released[port.index]
        if port.is_sized_like(old[port.index]) and limit_bytes == own_bytes:
            continue
        moved.append(make_port(port, limit_bytes, after.interval, capacity_bps, hold))
    granted = control.limits()
    control.adopt(moved)
    control.lend(
        {port.port: granted[port.port] for port in moved if is_lent(port, granted[port.port])}
    )
    control.rank({port.index: rank_of(port, hold_of(port, released)) for port in staying})
    control.share(pool)


def is_lent(port: ControlledPort, granted_bytes: int) -> bool:
    """Whether a port that begins anew has this much of the memory and needs more for its limit.

    The rest may stand in other ports' queues. The port gets it as they drain.
    """
    return port.hold is None and 0 < granted_bytes < port.limit_bytes


def take_over(
    limits: Mapping[int, int],
    lent: Mapping[int, int],
    control: SwitchControl,
    settings: SwitchSettings,
    pool: MemoryPool,
) -> None:
    """Goes on from the limits that another controller has left; 0: it has left none.

    Ports that have their limit already go on as they are.
    """
    own, known = control.own_limits(), capacities(control, settings)
    left = {
        port.index: PortLimits(port).brought_within(limits[port.index], known[port.index])
        for port in settings.port
        if not (port.is_observed or port.index in lent)
    }
    control.begin_at({port: limit for port, limit in left.items() if limit not in (0, own[port])})
    control.lend(lent)
    control.share(pool)


def lent_limits(settings: SwitchSettings, taken: Mapping[int, Snapshot]) -> dict[int, int]:
    """The limits in force, in bytes, by port, of ports whose memory is lent, however small.

    They do not show what those ports need.
    """
    if settings.memory_of_limits is None:
        return {}
    snapshots = ((port, taken.get(port.index)) for port in settings.port)
    return {
        port.index: now.limit_bytes
        for port, now in snapshots
        if now is not None and 0 < now.limit_bytes <= port.min_limit and not now.occupancy_bytes
    }


def capacities(control: SwitchControl, settings: SwitchSettings) -> dict[int, int | None]:
    """In bit/s, by port, as declared or else as measured; None: not known. Bounds are by these.

    Of one of several queues, what is declared is not its own but the link's.
    """
    known = control.capacities()
    return {port.index: port.given_capacity or known[port.index] for port in settings.port}


def presumed_limits(settings: SwitchSettings, known: Mapping[int, int]) -> dict[int, int]:
    """The limits that the other ports, which cannot be read, may have in force; 0: unknown.

    Another controller has given them no more of the memory than the `known` limits, by port, leave.
    """
    unknown = [port for port in settings.port if port.index not in known]
    memory = settings.memory_of_limits
    if memory is None or not unknown or not all(known.values()):
        return {port.index: 0 for port in unknown}
    share = (memory - sum(known.values())) // len(unknown)
    return {
        port.index: 0 if port.is_observed or share < port.min_limit else share for port in unknown
    }


def was_controlled(control: SwitchControl, limits: Mapping[int, int]) -> bool:
    """Whether the limits in force show that another controller has been at work since the last
    exchange.

    Limits that were on their way then may or may not have arrived.
    """
    own = control.limits()
    return any(
        limit
        and not control.is_beside(port)
        and limit not in (own[port], control.limit_in_force(port))
        for port, limit in limits.items()
    )


def decide_beside(
    control: SwitchControl, limits: Mapping[int, int], settings: SwitchSettings
) -> None:
    """Observed ports have got these limits from somebody else: their policies begin at these."""
    known = capacities(control, settings)
    control.adopt(
        [
            make_port(port, limits[port.index], settings.interval, known[port.index], Hold())
            for port in settings.port
            if port.index in limits
        ]
    )
