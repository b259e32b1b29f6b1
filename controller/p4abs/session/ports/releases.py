"""Ports that people have returned to their safe limits."""

from collections.abc import Callable
from enum import StrEnum

from p4abs.clock import Clock
from p4abs.config import PortSettings, SwitchSettings
from p4abs.control import ControlLoop, SwitchControl
from p4abs.errors import P4absError, UserError
from p4abs.session.events import limit_text
from p4abs.session.ports.controls import capacities, hold_of, make_port
from p4abs.session.ports.limits import PortLimits
from p4abs.session.ports.safe_limits import safe_limits

# How long a switch may take, beside two intervals, to show a limit that somebody waits for.
CONFIRM_S = 2.0


class PortControlState(StrEnum):
    """Who decides a port's limit. The text is shown to users."""

    CONTROLLED = "in control"
    OBSERVED = "observed"
    RELEASED = "held by safe limit"


class Releases:
    """The released ports of one switch: each keeps its safe limit until it is taken back.

    `limits` are theirs in bytes. `in_charge` gives the loop and the settings of a switch that is in
    control, and else raises UserError.
    """

    def __init__(
        self,
        in_charge: Callable[[], tuple[ControlLoop, SwitchSettings]],
        clock: Clock,
        announce: Callable[[str], None],
    ) -> None:
        self.limits: dict[int, int] = {}
        self._in_charge = in_charge
        self._clock = clock
        self._announce = announce

    def state(self, port: PortSettings) -> PortControlState:
        """Of a port, while the switch is in control."""
        if port.is_observed:
            return PortControlState.OBSERVED
        is_released = port.index in self.limits
        return PortControlState.RELEASED if is_released else PortControlState.CONTROLLED

    def take_over(self, others: "Releases", settings: SwitchSettings) -> None:
        """Takes over those of an earlier controller of the switch."""
        self.limits |= others.limits
        self.adopt(settings)

    def adopt(self, settings: SwitchSettings) -> None:
        """Ports that are only observed now, or that are gone, are no longer released. The others
        have the safe limits of these settings, but no more of a shared memory than before."""
        held = {port.index: self.limits.get(port.index, 0) for port in settings.port}
        given = {port.index: port.given_capacity for port in settings.port}
        safe = safe_limits(settings, held, given) if self.limits else {}
        for number in self.limits.keys() - safe.keys():
            del self.limits[number]
        for port in settings.port:
            if port.index in self.limits:
                limit_bytes = PortLimits(port).bounded(safe[port.index], port.given_capacity)
                if settings.memory_of_limits is not None:
                    limit_bytes = min(limit_bytes, held[port.index])
                self.limits[port.index] = limit_bytes or held[port.index]

    async def release(self, port: PortSettings, who: str) -> str:
        """Writes the safe limit, which stays; returns what there is to say once it is in force.

        Raises UserError for a port that is not controlled, or is taken back meanwhile, and
        P4absError where the switch does not show the limit in time.
        """
        loop, settings = self._in_charge()
        if port.is_observed:
            raise UserError(f"{port.label} is only observed, so there is nothing to release")
        limit_bytes = self.limits[port.index] = affordable(port, loop.control, settings)
        self._begin(port, limit_bytes)
        text = f"{port.label}: {PortControlState.RELEASED} of {limit_text(limit_bytes)}"
        self._announce(f"{text}, released by {who}")
        patience_s = CONFIRM_S + 2 * settings.interval
        until_s = self._clock.now_s() + patience_s
        while loop.control.limit_in_force(port.index) != limit_bytes:
            if self._clock.now_s() > until_s:
                raise P4absError(
                    f"{text}, but the switch has not confirmed it within {patience_s:g} s; the "
                    "limit is written as soon as the switch answers"
                )
            await self._clock.sleep_until(self._clock.now_s() + settings.interval / 2)
            if port.index not in self.limits:
                raise UserError(
                    f"{port.label} is no longer released: a reload has changed it, or somebody has "
                    "taken it back"
                )
        return text

    def take_back(self, port: PortSettings, who: str) -> str:
        """The port's policy goes on from the limit that was held; see release()."""
        self._in_charge()
        if port.index not in self.limits:
            raise UserError(f"{port.label} is not released: it is {self.state(port)}")
        limit_bytes = self.limits.pop(port.index)
        self._begin(port, limit_bytes)
        text = f"{port.label}: in control again, from {limit_text(limit_bytes)}"
        self._announce(f"{text}, taken back by {who}")
        return text

    def _begin(self, port: PortSettings, limit_bytes: int) -> None:
        loop, settings = self._in_charge()
        capacity_bps = capacities(loop.control, settings)[port.index]
        hold = hold_of(port, self.limits)
        loop.control.adopt([make_port(port, limit_bytes, settings.interval, capacity_bps, hold)])


def affordable(port: PortSettings, control: SwitchControl, settings: SwitchSettings) -> int:
    """A port's safe limit in bytes, or what other ports leave of it in the memory."""
    limits = control.limits()
    wanted = safe_limits(settings, limits, capacities(control, settings))[port.index]
    if settings.memory_of_limits is None:
        return wanted
    held = control.may_hold()
    others = sum(held.values()) - held[port.index]
    room = max(limits[port.index], settings.memory_of_limits - others)
    return min(wanted or room, room)
