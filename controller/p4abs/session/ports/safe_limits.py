"""The limits that a switch keeps when control ends."""

from collections import Counter
from collections.abc import Collection, Mapping

from p4abs.access.register_access import RegisterAccess
from p4abs.clock import Clock
from p4abs.config import SwitchSettings
from p4abs.control import Leaving
from p4abs.session.ports.controls import shared_out
from p4abs.session.ports.limits import PortLimits

_ATTEMPTS = 3
_DRAIN_S = 1.0
_LOOK_S = 0.02


def safe_limits(
    settings: SwitchSettings,
    last_limits: Mapping[int, int],
    capacities: Mapping[int, int | None],
    kept: Collection[int] = (),
) -> dict[int, int]:
    """Limits in bytes by port, within each port's bounds and the switch's memory.

    Ports that are `kept` under control have their last limits. Where the memory is too small, these
    and limits that are configured come before those that are not. Observed ports, whose limits stay
    what they are, have none here.
    """
    observed = {port.index for port in settings.port if port.is_observed}
    kept = {*kept, *observed}
    wanted = {
        port.index: last_limits[port.index]
        if port.index in kept
        else PortLimits(port).limit_to_leave(last_limits[port.index], capacities[port.index])
        for port in settings.port
    }
    ranks = {
        port.index: int(port.index in kept or port.safe_limit is not None) for port in settings.port
    }
    shared = shared_out(settings, wanted, ranks)
    return {number: limit for number, limit in shared.items() if number not in observed}


async def leave_limits(
    access: RegisterAccess,
    limits: Mapping[int, int],
    held_bytes: Mapping[int, int],
    memory_bytes: int | None,
    clock: Clock,
) -> None:
    """Writes the limits and checks that they are in force.

    With a shared memory, of which ports may hold `held_bytes` by now, falling limits are written
    first. Other ports get the freed memory when the queues in it have drained, or after a second.
    They do not get it if a port gives no news in that time, or does not show its limit in three
    attempts. Raises RpcError or ExchangeTimeout.
    """
    if memory_bytes is not None:
        others = (held for port, held in held_bytes.items() if port not in limits)
        leaving = Leaving(limits, held_bytes, memory_bytes - sum(others))
        limits = await _make_room(access, limits, leaving, clock)
    await _write(access, limits)


async def _make_room(
    access: RegisterAccess, limits: Mapping[int, int], leaving: Leaving, clock: Clock
) -> Mapping[int, int]:
    """Returns the limits for which there is room."""
    until_s, silent = clock.now_s() + _DRAIN_S, Counter[int]()
    if not leaving.is_done:
        leaving.look((await access.exchange(list(limits), {})).taken)
    while not leaving.is_done:
        taken = (await access.exchange(list(limits), leaving.limits)).taken
        leaving.observe(taken)
        silent = Counter({port: silent[port] + 1 for port in limits if port not in taken})
        if clock.now_s() >= until_s or _ATTEMPTS in silent.values():
            return leaving.limits if silent or not leaving.is_known else limits
        await clock.sleep_until(clock.now_s() + _LOOK_S)
    return limits


async def _write(access: RegisterAccess, limits: Mapping[int, int]) -> None:
    for _ in range(_ATTEMPTS):
        failures = (await access.exchange(list(limits), limits)).failures
        if not failures:
            return
        limits = {port: limits[port] for port in failures}
    raise next(iter(failures.values()))
